package io.penstock.kernel;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long an item of a kernel takes, as far as launches have shown, so that a launch is cut into pieces worth a core of their
 * own: kernels differ by a factor of a million in that. Racing updates lose one another, which does no harm.
 */
final class LaunchTiming {
    /** What a piece should take at least, well above the cost of waking a thread. */
    private static final double PIECE_NANOS = 20_000;

    private volatile double nanosPerItem;
    private volatile double least = Double.POSITIVE_INFINITY;
    private final AtomicLong spentNanos = new AtomicLong();

    /** Pieces of fewer items say little about an item. */
    private static final long COUNTS = 256;

    /** How long all pieces together took. */
    long spentNanos() {
        return spentNanos.get();
    }

    /** The shortest time that an item of a piece took; endless before there was one. */
    double leastNanosPerItem() {
        return least;
    }

    /** The fewest items worth a core of their own; of a kernel that was never launched, one. */
    long grain() {
        double nanos = nanosPerItem;
        return nanos == 0 ? 1 : (long) Math.max(1, PIECE_NANOS / nanos);
    }

    /** Learns from a piece that ran on one thread. */
    void learn(long items, long nanos) {
        double now = Math.max(nanos, 1) / (double) items;
        double before = nanosPerItem;
        nanosPerItem = before == 0 ? now : (before + now) / 2;
        spentNanos.addAndGet(nanos);
        if (items >= COUNTS && now < least) least = now;
    }
}
