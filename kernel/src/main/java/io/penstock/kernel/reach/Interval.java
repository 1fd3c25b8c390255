package io.penstock.kernel.reach;

import io.penstock.kernel.ir.ValueType;

/**
 * The integers from {@code low} to {@code high}, of which the least and greatest long stand for no bound. Sums and products
 * saturate outwards, so that a result always contains what it stands for.
 */
record Interval(long low, long high) {
    static final long NONE_BELOW = Long.MIN_VALUE;
    static final long NONE_ABOVE = Long.MAX_VALUE;
    static final Interval ALL = new Interval(NONE_BELOW, NONE_ABOVE);
    private static final Interval INT = new Interval(Integer.MIN_VALUE, Integer.MAX_VALUE);

    static Interval of(long only) {
        return new Interval(only, only);
    }

    static Interval ofType(ValueType type) {
        return type == ValueType.INT ? INT : ALL;
    }

    boolean isEmpty() {
        return low > high;
    }

    /** Whether all of it can be held by a type without wrapping; a missing bound cannot. */
    boolean fits(ValueType type) {
        if (type == ValueType.INT) return low >= Integer.MIN_VALUE && high <= Integer.MAX_VALUE;
        return low != NONE_BELOW && high != NONE_ABOVE;
    }

    boolean within(long least, long most) {
        return low >= least && high <= most;
    }

    Interval and(Interval other) {
        return new Interval(Math.max(low, other.low), Math.min(high, other.high));
    }

    Interval hull(Interval other) {
        return new Interval(Math.min(low, other.low), Math.max(high, other.high));
    }

    Interval plus(Interval other) {
        return new Interval(addLow(low, other.low), addHigh(high, other.high));
    }

    Interval plus(long shift) {
        return plus(of(shift));
    }

    Interval negated() {
        return new Interval(high == NONE_ABOVE ? NONE_BELOW : -high, low == NONE_BELOW ? NONE_ABOVE : -low);
    }

    Interval times(long factor) {
        if (factor == Long.MIN_VALUE) return ALL;
        if (factor < 0) return negated().times(-factor);
        if (factor == 0) return of(0);
        return new Interval(
                low == NONE_BELOW ? NONE_BELOW : multiply(low, factor),
                high == NONE_ABOVE ? NONE_ABOVE : multiply(high, factor));
    }

    Interval times(Interval other) {
        if (low == NONE_BELOW || high == NONE_ABOVE || other.low == NONE_BELOW || other.high == NONE_ABOVE) return ALL;
        Interval one = times(other.low);
        return one.hull(times(other.high));
    }

    private static long addLow(long a, long b) {
        if (a == NONE_BELOW || b == NONE_BELOW) return NONE_BELOW;
        return saturate(a, b);
    }

    private static long addHigh(long a, long b) {
        if (a == NONE_ABOVE || b == NONE_ABOVE) return NONE_ABOVE;
        return saturate(a, b);
    }

    private static long saturate(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) return a < 0 ? NONE_BELOW : NONE_ABOVE;
        return sum;
    }

    private static long multiply(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == low >> 63) return low;
        return high < 0 ? NONE_BELOW : NONE_ABOVE;
    }
}
