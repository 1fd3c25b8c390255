package io.penstock.comm;

import java.util.HashSet;
import java.util.Set;

/**
 * Sees to it that no thread is in NCCL when the process ends: the library's own end, which is not for us to put off, takes away what a thread
 * that frees a communicator still uses. Who closes a communicator does not wait for that, so the process does, for a while.
 */
final class NcclEnds {
    private static final long PATIENCE_MILLIS = 5_000;

    private static final Set<NcclWatch> WATCHES = new HashSet<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(NcclEnds::await, "penstock-nccl-end"));
    }

    private NcclEnds() {}

    static void watch(NcclWatch watch) {
        synchronized (WATCHES) {
            WATCHES.add(watch);
        }
    }

    static void forget(NcclWatch watch) {
        synchronized (WATCHES) {
            WATCHES.remove(watch);
        }
    }

    private static Set<NcclWatch> watches() {
        synchronized (WATCHES) {
            return Set.copyOf(WATCHES);
        }
    }

    private static void await() {
        // By a thread of its own, since a call that does not come back must not keep the process from ending.
        Thread ends = Thread.ofPlatform().daemon().name("penstock-nccl-leave").start(NcclEnds::leave);
        try {
            ends.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void leave() {
        for (NcclWatch watch : watches()) {
            if (watch.isEnding()) await(watch.thread());
            watch.leave();
        }
    }

    private static void await(Thread thread) {
        try {
            thread.join(PATIENCE_MILLIS / 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
