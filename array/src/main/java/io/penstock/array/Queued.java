package io.penstock.array;

import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;

/** Operations on arrays as work of the calling thread's queue, where their order has to be watched. */
final class Queued {
    private Queued() {}

    /** Whether operations must be submitted rather than just run. No, within what was submitted. */
    static boolean isNeeded() {
        return Device.jvm().queue().tracks();
    }

    /**
     * Submits an operation that writes one array and reads others.
     *
     * @param label what traces call it
     */
    static void submit(String label, Runnable operation, NDArray written, NDArray... read) {
        List<Access> accesses = new ArrayList<>(1 + read.length);
        accesses.add(new Access(written.buffer(), written.region(), true));
        for (NDArray array : read) accesses.add(new Access(array.buffer(), array.region(), false));
        Device.jvm().queue().submit(label, accesses, operation);
    }
}
