package io.penstock.array;

import java.lang.ref.Reference;

/** Keeps arrays' memory from the collector while a loop runs on their addresses, which the collector does not see. */
final class Alive {
    private Alive() {}

    /** The array is reachable until this call. */
    @SuppressWarnings("ReachabilityFenceUsage") // not in a finally block: after an exception nobody reads the memory
    static void until(NDArray a) {
        Reference.reachabilityFence(a);
    }

    /** The arrays are reachable until this call. */
    @SuppressWarnings("ReachabilityFenceUsage")
    static void until(NDArray a, NDArray b) {
        Reference.reachabilityFence(a);
        Reference.reachabilityFence(b);
    }
}
