package io.penstock.runtime.jvm;

import io.penstock.runtime.Device;
import io.penstock.runtime.Work;
import java.util.ArrayDeque;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a thread of its own, in order. The thread is taken when there is work and given back when there is none, so a
 * queue that nobody uses any more costs nothing and is collected like any object.
 */
final class ThreadQueue extends HostQueue {
    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> Thread.ofPlatform()
                    .daemon()
                    .name("penstock-queue")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task));

    private final @Nullable LongSupplier delays;
    private final int sharers = WorkerPool.sharers();

    /** What was submitted and has not begun; guards itself and {@code running}. */
    private final ArrayDeque<Work> line = new ArrayDeque<>();

    private boolean running;

    ThreadQueue(Device device, WorkerPool workers, @Nullable LongSupplier delays) {
        super(device, workers, true);
        this.delays = delays;
    }

    @Override
    protected void enqueue(Work work) {
        synchronized (line) {
            if (!running)
                THREADS.execute(sharers == 1 ? this::work : () -> workers().sharing(sharers, this::work));
            running = true;
            line.add(work);
        }
    }

    private void work() {
        for (Work next = next(); next != null; next = next()) {
            if (delays != null) LockSupport.parkNanos(delays.getAsLong());
            run(next);
            // The work may leave this set; it must not reach the next piece.
            Thread.interrupted();
        }
    }

    private @Nullable Work next() {
        synchronized (line) {
            Work next = line.poll();
            if (next == null) running = false;
            return next;
        }
    }
}
