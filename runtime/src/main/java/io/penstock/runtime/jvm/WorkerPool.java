package io.penstock.runtime.jvm;

import io.penstock.runtime.Queue;
import io.penstock.runtime.Work;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run parallel loops. The caller of a loop always works on it too, so a loop ends even when no worker is free,
 * and loops within loops cannot wait for each other in a circle.
 *
 * <p>Workers and callers spin briefly and then park: on a loaded machine a spinning thread takes the core from the one it waits for.
 */
final class WorkerPool {
    private static final ScopedValue<Integer> SHARERS = ScopedValue.newInstance();
    private static final int SPINS = 2000;
    /** Pieces a thread, so that one that is interrupted holds up little. */
    private static final int PIECES = 4;

    private final int threads;
    /** Calls for help, answered by whichever worker is free: a loop is here once for each worker it could use. */
    private final LinkedTransferQueue<Loop> calls = new LinkedTransferQueue<>();

    private volatile boolean started;

    WorkerPool(int threads) {
        if (threads < 1) throw new IllegalArgumentException("penstock.threads is " + threads + "; expected 1 or more");
        this.threads = threads;
    }

    /** As many as the machine has cores, unless a property says otherwise. */
    static int defaultThreads() {
        String asked = System.getProperty("penstock.threads");
        if (asked == null) return Runtime.getRuntime().availableProcessors();
        try {
            return Integer.parseInt(asked.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("penstock.threads is '" + asked + "'; expected a whole number", e);
        }
    }

    int threads() {
        return threads;
    }

    /** How many equal users of the cores the calling thread is one of. */
    static int sharers() {
        return SHARERS.isBound() ? SHARERS.get() : 1;
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
        int sharers = sharers();
        int width = Math.max(1, threads / sharers);
        if (width == 1 || count <= grain) {
            body.run(0, count);
            return;
        }
        long grains = (count - 1) / grain + 1;
        width = (int) Math.min(width, grains);
        long perPiece = Math.max(1, grains / ((long) width * PIECES));
        Loop loop = new Loop(count, perPiece * grain, width, body, sharers);
        start();
        for (int i = 1; i < width; i++) calls.add(loop);
        loop.work(0);
        loop.await();
        // Calls that no worker has answered would pile up while other loops keep the workers busy.
        for (int i = loop.helpers.get() + 1; i < width && calls.remove(loop); i++) {}
        loop.rethrow();
    }

    /** How many calls for help wait for a worker. */
    int unansweredCalls() {
        return calls.size();
    }

    private void start() {
        if (started) return;
        synchronized (this) {
            if (started) return;
            for (int i = 1; i < threads; i++) {
                int worker = i;
                Thread.ofPlatform()
                        .daemon()
                        .name("penstock-worker-" + i)
                        .inheritInheritableThreadLocals(false)
                        .start(() -> serve(worker));
            }
            started = true;
        }
    }

    private void serve(int worker) {
        while (true) {
            Loop loop = next();
            loop.helpers.incrementAndGet();
            loop.help(worker);
            // A body may leave this set; it must not reach the next one, nor keep this thread from parking.
            Thread.interrupted();
        }
    }

    private Loop next() {
        for (int spins = 0; spins < SPINS; spins++) {
            Loop loop = calls.poll();
            if (loop != null) return loop;
            Thread.onSpinWait();
        }
        while (true) {
            try {
                return calls.take();
            } catch (InterruptedException e) {
                // Nobody asks a worker to stop: it lives as long as the process.
            }
        }
    }

    /**
     * One parallel loop in progress. Each thread takes the pieces of a stretch of its own first, the same one in every loop of a
     * kind, since what it touched in the last loop may still be in its core's cache; then those that others have left.
     */
    private static final class Loop {
        private final long count;
        private final long piece;
        private final int pieces;
        private final int stretches;
        private final Queue.RangeBody body;
        private final int sharers;
        private final @Nullable Work within = Work.current();
        private final Thread caller = Thread.currentThread();
        /** For each stretch, its next piece that nobody has taken. */
        private final AtomicIntegerArray next;

        private final AtomicInteger unfinished;
        private final AtomicInteger helpers = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(long count, long piece, int width, Queue.RangeBody body, int sharers) {
            this.count = count;
            this.piece = piece;
            this.pieces = Math.toIntExact((count - 1) / piece + 1);
            this.stretches = width;
            this.next = new AtomicIntegerArray(width);
            for (int i = 0; i < width; i++) next.set(i, start(i));
            this.body = body;
            this.sharers = sharers;
            this.unfinished = new AtomicInteger(pieces);
        }

        private int start(int stretch) {
            return (int) ((long) pieces * stretch / stretches);
        }

        void work(int thread) {
            for (int i = 0; i < stretches; i++) finish((thread + i) % stretches);
        }

        private void finish(int stretch) {
            int end = start(stretch + 1);
            for (int k = next.getAndIncrement(stretch); k < end; k = next.getAndIncrement(stretch)) {
                long from = k * piece;
                try {
                    if (failure.get() == null) body.run(from, k == pieces - 1 ? count : from + piece);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                } finally {
                    if (unfinished.decrementAndGet() == 0) LockSupport.unpark(caller);
                }
            }
        }

        /** Works on the loop as its caller would, with what is bound there. */
        void help(int worker) {
            if (within != null) within.inside(() -> share(worker));
            else share(worker);
        }

        private void share(int worker) {
            if (sharers == 1) work(worker);
            else ScopedValue.where(SHARERS, sharers).run(() -> work(worker));
        }

        void await() {
            int spins = SPINS;
            boolean interrupted = false;
            while (unfinished.get() > 0) {
                if (spins-- > 0) {
                    Thread.onSpinWait();
                    continue;
                }
                LockSupport.park(this);
                // A set flag would make every park return at once. The pieces still use the caller's memory: no way out
                // early.
                interrupted |= Thread.interrupted();
            }
            if (interrupted) Thread.currentThread().interrupt();
        }

        void rethrow() {
            switch (failure.get()) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException("a piece of a parallel loop failed", e);
            }
        }
    }
}
