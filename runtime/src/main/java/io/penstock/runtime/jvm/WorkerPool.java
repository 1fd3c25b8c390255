package io.penstock.runtime.jvm;

import io.penstock.runtime.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run parallel loops. The caller of a loop always works on it too, so a loop ends even when no worker is free.
 *
 * <p>Workers and callers spin briefly and then park: on a loaded machine a spinning thread takes the core from the one it waits for.
 */
final class WorkerPool {
    private static final ScopedValue<Integer> SHARERS = ScopedValue.newInstance();
    private static final int SPINS = 2000;
    /** Pieces a thread, so that one that is interrupted holds up little. */
    private static final int PIECES = 4;

    private final int threads;
    private final ConcurrentLinkedQueue<Loop> waiting = new ConcurrentLinkedQueue<>();
    private final Thread[] workers;
    private volatile boolean started;

    WorkerPool(int threads) {
        if (threads < 1) throw new IllegalArgumentException("penstock.threads is " + threads + "; expected 1 or more");
        this.threads = threads;
        this.workers = new Thread[threads - 1];
    }

    int threads() {
        return threads;
    }

    void sharing(int sharers, Runnable body) {
        if (sharers < 1) throw new IllegalArgumentException("sharers is " + sharers + "; expected 1 or more");
        ScopedValue.where(SHARERS, sharers).run(body);
    }

    void parallel(long count, long grain, Queue.RangeBody body) {
        if (count <= 0) {
            if (count < 0) throw new IllegalArgumentException("count is " + count + "; expected 0 or more");
            return;
        }
        if (grain < 1) throw new IllegalArgumentException("grain is " + grain + "; expected 1 or more");
        int width = Math.max(1, threads / (SHARERS.isBound() ? SHARERS.get() : 1));
        if (width == 1 || count <= grain) {
            body.run(0, count);
            return;
        }
        long grains = (count + grain - 1) / grain;
        width = (int) Math.min(width, grains);
        long perPiece = Math.max(1, grains / ((long) width * PIECES));
        Loop loop = new Loop(count, perPiece * grain, body, Thread.currentThread());
        start();
        for (int i = 1; i < width; i++) {
            waiting.add(loop);
            LockSupport.unpark(workers[i - 1]);
        }
        loop.work();
        loop.await();
    }

    private void start() {
        if (started) return;
        synchronized (workers) {
            if (started) return;
            for (int i = 0; i < workers.length; i++)
                workers[i] = Thread.ofPlatform()
                        .daemon()
                        .name("penstock-worker-" + i)
                        .start(this::serve);
            started = true;
        }
    }

    private void serve() {
        while (true) {
            Loop loop = next();
            loop.work();
        }
    }

    private Loop next() {
        int spins = SPINS;
        while (true) {
            Loop loop = waiting.poll();
            if (loop != null) return loop;
            if (spins-- > 0) Thread.onSpinWait();
            else LockSupport.park(this);
        }
    }

    /** One parallel loop in progress. */
    private static final class Loop {
        private final long count;
        private final long piece;
        private final Queue.RangeBody body;
        private final Thread caller;
        private final AtomicLong next = new AtomicLong();
        private final AtomicInteger unfinished;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(long count, long piece, Queue.RangeBody body, Thread caller) {
            this.count = count;
            this.piece = piece;
            this.body = body;
            this.caller = caller;
            this.unfinished = new AtomicInteger(Math.toIntExact((count + piece - 1) / piece));
        }

        void work() {
            while (true) {
                long from = next.getAndAdd(piece);
                if (from >= count) return;
                try {
                    if (failure.get() == null) body.run(from, Math.min(from + piece, count));
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                } finally {
                    if (unfinished.decrementAndGet() == 0) LockSupport.unpark(caller);
                }
            }
        }

        void await() {
            int spins = SPINS;
            while (unfinished.get() > 0) {
                if (spins-- > 0) Thread.onSpinWait();
                else LockSupport.park(this);
            }
            switch (failure.get()) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }
}
