package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Weighted sums of shifted single-precision numbers in plain Java. */
final class PlainTapsF32 implements TapLoops {
    private static final long BYTES = 4;

    private static float get(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    @Override
    public void apply(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        loop(y, x, n, c, offsets, taps, accumulate);
    }

    static void loop(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        for (long i = 0; i < n * BYTES; i += BYTES) {
            float first = get(x + i + offsets[0] * BYTES);
            float s = accumulate ? Math.fma(first, (float) c[0], get(y + i)) : first * (float) c[0];
            for (int t = 1; t < taps; t++) s = Math.fma(get(x + i + offsets[t] * BYTES), (float) c[t], s);
            HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, y + i, s);
        }
    }
}
