package io.penstock.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What a pool does when memory runs short: it lets the collector find unreachable arrays, whose memory the cleaner then gives
 * back, and waits for what others give back.
 */
public final class Shortage {
    private static final long COLLECT_FLOOR = 256L << 20;
    /** How long the cleaner may take to give back what a collection found. */
    private static final long SETTLE_MILLIS = 20;

    private static final int PATIENCE_SECONDS = 30;
    private static final int ATTEMPTS = 4;
    private static final long FIRST_WAIT_MILLIS = 100;

    private final LongSupplier live;
    private final ReentrantLock collecting = new ReentrantLock();

    /** How often memory was given back; guarded by this. */
    private long frees;

    /** How many threads wait for memory to be given back; guarded by this. */
    private int waiting;

    /** How much may be live before the collector is asked what of it is still reachable. */
    private volatile long collectAt = COLLECT_FLOOR;

    /**
     * For one pool.
     *
     * @param live tells how many bytes of the pool are in use
     */
    public Shortage(LongSupplier live) {
        this.live = live;
    }

    /** Says that memory was given back to the pool. */
    public synchronized void freed() {
        frees++;
        if (waiting > 0) notifyAll();
    }

    /**
     * Lets the collector find unreachable arrays when twice as much is live as it left the last time: it does not know how much
     * memory hangs on them, and without this a program that closes nothing would grow to the limit, through pages that are
     * never used again. To be called before each allocation.
     */
    public void foresee() {
        if (live.getAsLong() <= collectAt || !collecting.tryLock()) return;
        try {
            if (live.getAsLong() <= collectAt) return;
            System.gc();
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);
            long seen = startWaiting();
            try {
                while (live.getAsLong() > collectAt / 2 && deadline - System.nanoTime() > 0)
                    seen = awaitFree(seen, deadline);
            } finally {
                stopWaiting();
                collectAt = Math.max(COLLECT_FLOOR, 2 * live.getAsLong());
            }
        } finally {
            collecting.unlock();
        }
    }

    /**
     * Lets the collector find unreachable arrays, and tries to take memory whenever some was given back. One thread at a time
     * collects; the others wait for what that gives. Gives up when nothing was given back in a whole round of attempts, or
     * after {@value #PATIENCE_SECONDS} seconds in which others were always quicker.
     *
     * @param take tries to take the memory; zero when there is too little
     * @return what {@code take} has returned last
     */
    public long take(LongSupplier take) {
        long seen = startWaiting();
        try {
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            for (int attempt = 0; attempt < ATTEMPTS && patience - System.nanoTime() > 0; attempt++) {
                long before = seen;
                if (collecting.tryLock()) {
                    try {
                        System.gc();
                    } finally {
                        collecting.unlock();
                    }
                }
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FIRST_WAIT_MILLIS << attempt);
                do {
                    long taken = take.getAsLong();
                    if (taken != 0) return taken;
                    seen = awaitFree(seen, deadline);
                } while (deadline - System.nanoTime() > 0);
                if (seen != before) attempt = -1;
            }
            return take.getAsLong();
        } finally {
            stopWaiting();
        }
    }

    private synchronized long startWaiting() {
        waiting++;
        return frees;
    }

    private synchronized void stopWaiting() {
        waiting--;
    }

    /** A thread that is interrupted waits all the same, and still is: it would be told of too little memory where there is enough. */
    private synchronized long awaitFree(long seen, long deadline) {
        boolean interrupted = false;
        while (frees == seen) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0) break;
            try {
                wait(millis);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
        return frees;
    }
}
