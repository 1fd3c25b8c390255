package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Weighted sums of shifted double-precision numbers in plain Java. */
final class PlainTapsF64 implements TapLoops {
    private static final long BYTES = 8;

    private static double get(long address) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    @Override
    public void apply(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        loop(y, x, n, c, offsets, taps, accumulate);
    }

    static void loop(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        for (long i = 0; i < n * BYTES; i += BYTES) {
            double first = get(x + i + offsets[0] * BYTES);
            double s = accumulate ? Math.fma(first, c[0], get(y + i)) : first * c[0];
            for (int t = 1; t < taps; t++) s = Math.fma(get(x + i + offsets[t] * BYTES), c[t], s);
            HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, y + i, s);
        }
    }
}
