package io.penstock.runtime;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Gives memory back once the work of drivers' queues that still uses it is over, on a thread of its own. */
public final class Reclaimer {
    private static final LinkedBlockingQueue<Pending> PENDING = new LinkedBlockingQueue<>();
    private static @Nullable Thread thread;

    private record Pending(Waits after, Runnable free) {}

    private Reclaimer() {}

    static void later(Waits after, Runnable free) {
        PENDING.add(new Pending(after, free));
        start();
    }

    private static synchronized void start() {
        if (thread != null) return;
        thread = Thread.ofPlatform()
                .daemon()
                .name("penstock-reclaimer")
                .inheritInheritableThreadLocals(false)
                .start(Reclaimer::work);
    }

    private static void work() {
        while (true) {
            try {
                Pending next = PENDING.take();
                next.after.awaitEnds("reclaimer");
                next.free.run();
            } catch (InterruptedException e) {
                // Nobody asks this thread to stop: it lives as long as the process.
            } catch (RuntimeException e) {
                System.getLogger("io.penstock.runtime")
                        .log(System.Logger.Level.WARNING, "memory could not be given back", e);
            }
        }
    }

    /** Blocks until all memory that waits to be given back now has been; for allocators that have too little. */
    public static void drain() {
        CountDownLatch drained = new CountDownLatch(1);
        later(new Waits(), drained::countDown);
        boolean interrupted = false;
        while (true) {
            try {
                drained.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
