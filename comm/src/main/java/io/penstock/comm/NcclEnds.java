package io.penstock.comm;

import java.util.HashMap;
import java.util.Map;

/**
 * Sees to it that no thread is in NCCL when the process ends: the library's own end, which is not for us to put off, takes away what a thread
 * that frees a communicator still uses. Who closes a communicator does not wait for that, so the process does, for a while.
 */
final class NcclEnds {
    private static final long PATIENCE_MILLIS = 5_000;

    /** Those that may call NCCL, each with its thread. */
    private static final Map<NcclWatch, Thread> WATCHES = new HashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(NcclEnds::await, "penstock-nccl-end"));
    }

    private NcclEnds() {}

    /** Counts a watch in, before its thread starts. */
    static void add(NcclWatch watch, Thread thread) {
        synchronized (WATCHES) {
            WATCHES.put(watch, thread);
        }
    }

    /** The watch's thread makes no more calls. */
    static void remove(NcclWatch watch) {
        synchronized (WATCHES) {
            WATCHES.remove(watch);
        }
    }

    private static Map<NcclWatch, Thread> watches() {
        synchronized (WATCHES) {
            return Map.copyOf(WATCHES);
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
        watches().forEach((watch, thread) -> {
            if (watch.isEnding()) await(thread);
            watch.leave();
        });
    }

    private static void await(Thread thread) {
        try {
            thread.join(PATIENCE_MILLIS / 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
