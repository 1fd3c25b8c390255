package io.penstock.comm;

import java.util.function.BooleanSupplier;

/**
 * How long one wait for other ranks may still take: until the deadline, and then as long as some rank is seen at work, up to the
 * limit. A rank may rest for a moment, so several looks in a row must find none at work.
 */
final class Patience {
    static final long LOOK = 50_000_000;
    static final int LOOKS = 4;

    private final long deadline;
    private final long limit;
    private int idle;
    private long next;

    Patience(RanksOptions options) {
        deadline = options.deadline().toNanos();
        limit = options.limit().toNanos();
        next = deadline;
    }

    /** How long to wait before asking again, after having waited {@code waited}; 0 when the time is up. */
    long left(long waited, BooleanSupplier anyAtWork) {
        if (waited >= limit) return 0;
        if (waited < next) return next - waited;
        idle = anyAtWork.getAsBoolean() ? 0 : idle + 1;
        if (idle >= LOOKS) return 0;
        next = waited + LOOK;
        return LOOK;
    }

    /** The name of what has passed, and how to set it. */
    static String name(RanksOptions options, long waited) {
        return waited >= options.limit().toNanos()
                ? "which is the limit (penstock.comm.limit)"
                : "which is the deadline (penstock.comm.deadline) where none is at work";
    }

    static String seconds(long nanos) {
        return Math.round(nanos * 1e-8) / 10.0 + " s";
    }
}
