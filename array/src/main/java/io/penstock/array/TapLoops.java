package io.penstock.array;

/** The loop of {@link Taps} for one type of number; at least one tap, arguments already checked. */
interface TapLoops {
    /** {@code y[j] = (accumulate ? y[j] : 0) + sum over t of c[t] * x[j + offsets[t]]}, each term by one fused step. */
    void apply(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate);
}
