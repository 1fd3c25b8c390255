package io.penstock.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The times at which a device begins and ends the work of one queue, taken by events around each piece while somebody wants to know
 * them. Guarded by the monitor of the queue's line.
 *
 * <p>A thread looks at the pieces of all queues in the order in which they were issued. So what a piece waited for has been looked at
 * before it.
 */
final class DriverSpans {
    private static final ThreadPoolExecutor THREAD = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Thread.ofPlatform()
                    .daemon()
                    .name("penstock-trace")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task));

    private final DriverQueue queue;
    private final ArrayDeque<DriverQueue.Event> spare = new ArrayDeque<>();

    DriverSpans(DriverQueue queue) {
        this.queue = queue;
    }

    /** An event that marks what was issued so far. */
    DriverQueue.Event record() {
        DriverQueue.Event event = spare.isEmpty() ? queue.newEvent(true) : spare.removeFirst();
        event.record();
        return event;
    }

    /** The time of an event that is over, which is used again. */
    long take(DriverQueue.Event event) {
        spare.addLast(event);
        return event.nanos();
    }

    /** Looks at a piece of work once it is over. */
    static void follow(DriverSpan span) {
        THREAD.execute(span);
    }

    /** Blocks until all pieces that were issued before have been looked at. */
    static void finish() {
        CountDownLatch done = new CountDownLatch(1);
        THREAD.execute(done::countDown);
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
