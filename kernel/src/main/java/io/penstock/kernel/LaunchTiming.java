package io.penstock.kernel;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long an item of a kernel takes, as far as launches have shown, so that a launch is cut into pieces worth a core of their
 * own: kernels differ by a factor of a million in that. Racing updates lose one another, which does no harm.
 */
final class LaunchTiming {
    /** What a piece should take at least, well above the cost of waking a thread. */
    private static final double PIECE_NANOS = 20_000;

    /** Pieces that are timed one and all at first, and of which one in so many is later if they are short. */
    private static final int SAMPLE = 64;

    /** What it costs to take the time is nothing beside this. */
    private static final double LONG_NANOS = 50_000;

    private volatile double nanosPerItem;
    private final AtomicLong spentNanos = new AtomicLong();
    private int pieces;
    private boolean isShort;

    /** How long an item takes, on the average of the last pieces; 0 of a kernel that was never launched. */
    double nanosPerItem() {
        return nanosPerItem;
    }

    /** How long all pieces together took, about. */
    long spentNanos() {
        return spentNanos.get();
    }

    /** The fewest items worth a core of their own; of a kernel that was never launched, one. */
    long grain() {
        double nanos = nanosPerItem;
        return nanos == 0 ? 1 : (long) Math.max(1, PIECE_NANOS / nanos);
    }

    /** Whether the next piece should be timed. */
    boolean isDue() {
        int piece = pieces++;
        return !isShort || piece < SAMPLE || piece % SAMPLE == 0;
    }

    /** Learns from a piece that was due and ran on one thread. */
    void learn(long items, long nanos) {
        double now = Math.max(nanos, 1) / (double) items;
        double before = nanosPerItem;
        nanosPerItem = before == 0 ? now : (before + now) / 2;
        isShort = nanos < LONG_NANOS;
        spentNanos.addAndGet(isShort && pieces > SAMPLE ? SAMPLE * nanos : nanos);
    }

    /** Forgets how many pieces there were, since from here on they run in another way. */
    void restart() {
        pieces = 0;
    }
}
