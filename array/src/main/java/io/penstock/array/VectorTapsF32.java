package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weighted sums of shifted single-precision numbers by the Vector API. The bits are those of {@link PlainTapsF32}.
 *
 * <p>Vectors are loaded and stored without a method of our own in between: the compiler may choose not to inline one that it has
 * compiled already, and vectors that pass between methods lie on the heap, 30 times slower.
 */
final class VectorTapsF32 implements TapLoops {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final long BYTES = 4;
    private static final MemorySegment ALL = HostMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final long WIDTH = SPECIES.vectorByteSize();

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void put(long address, float value) {
        ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    @Override
    public void apply(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        switch (taps) {
            case 3 -> three(y, x, n, c, offsets, accumulate);
            case 5 -> five(y, x, n, c, offsets, accumulate);
            case 7 -> seven(y, x, n, c, offsets, accumulate);
            default -> any(y, x, n, c, offsets, taps, accumulate);
        }
    }

    /** Eight vectors of sums stay in registers while the taps go by, then one, then single elements. */
    private static void any(long y, long x, long n, double[] c, long[] offsets, int taps, boolean accumulate) {
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - 8 * WIDTH; i += 8 * WIDTH) eightOnto(y + i, x + i, c, offsets, taps);
            for (; i <= end - WIDTH; i += WIDTH) oneOnto(y + i, x + i, c, offsets, taps);
        } else {
            for (; i <= end - 8 * WIDTH; i += 8 * WIDTH) eight(y + i, x + i, c, offsets, taps);
            for (; i <= end - WIDTH; i += WIDTH) one(y + i, x + i, c, offsets, taps);
        }
        PlainTapsF32.loop(y + i, x + i, (end - i) / BYTES, c, offsets, taps, accumulate);
    }

    /** Apart from {@link #eightOnto}: vectors that come from either of two branches lie on the heap, too. */
    private static void eight(long y, long x, double[] c, long[] offsets, int taps) {
        long at = x + offsets[0] * BYTES;
        FloatVector f = FloatVector.broadcast(SPECIES, (float) c[0]);
        FloatVector s0 = FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER).mul(f);
        FloatVector s1 =
                FloatVector.fromMemorySegment(SPECIES, ALL, at + WIDTH, ORDER).mul(f);
        FloatVector s2 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 2 * WIDTH, ORDER)
                .mul(f);
        FloatVector s3 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 3 * WIDTH, ORDER)
                .mul(f);
        FloatVector s4 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 4 * WIDTH, ORDER)
                .mul(f);
        FloatVector s5 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 5 * WIDTH, ORDER)
                .mul(f);
        FloatVector s6 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 6 * WIDTH, ORDER)
                .mul(f);
        FloatVector s7 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 7 * WIDTH, ORDER)
                .mul(f);
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = FloatVector.broadcast(SPECIES, (float) c[t]);
            s0 = FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER).fma(f, s0);
            s1 = FloatVector.fromMemorySegment(SPECIES, ALL, at + WIDTH, ORDER).fma(f, s1);
            s2 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 2 * WIDTH, ORDER)
                    .fma(f, s2);
            s3 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 3 * WIDTH, ORDER)
                    .fma(f, s3);
            s4 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 4 * WIDTH, ORDER)
                    .fma(f, s4);
            s5 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 5 * WIDTH, ORDER)
                    .fma(f, s5);
            s6 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 6 * WIDTH, ORDER)
                    .fma(f, s6);
            s7 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 7 * WIDTH, ORDER)
                    .fma(f, s7);
        }
        s0.intoMemorySegment(ALL, y, ORDER);
        s1.intoMemorySegment(ALL, y + WIDTH, ORDER);
        s2.intoMemorySegment(ALL, y + 2 * WIDTH, ORDER);
        s3.intoMemorySegment(ALL, y + 3 * WIDTH, ORDER);
        s4.intoMemorySegment(ALL, y + 4 * WIDTH, ORDER);
        s5.intoMemorySegment(ALL, y + 5 * WIDTH, ORDER);
        s6.intoMemorySegment(ALL, y + 6 * WIDTH, ORDER);
        s7.intoMemorySegment(ALL, y + 7 * WIDTH, ORDER);
    }

    /** Eight vectors of sums added to what is there. */
    private static void eightOnto(long y, long x, double[] c, long[] offsets, int taps) {
        long at = x + offsets[0] * BYTES;
        FloatVector f = FloatVector.broadcast(SPECIES, (float) c[0]);
        FloatVector s0 = FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y, ORDER));
        FloatVector s1 = FloatVector.fromMemorySegment(SPECIES, ALL, at + WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + WIDTH, ORDER));
        FloatVector s2 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 2 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 2 * WIDTH, ORDER));
        FloatVector s3 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 3 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 3 * WIDTH, ORDER));
        FloatVector s4 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 4 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 4 * WIDTH, ORDER));
        FloatVector s5 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 5 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 5 * WIDTH, ORDER));
        FloatVector s6 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 6 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 6 * WIDTH, ORDER));
        FloatVector s7 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 7 * WIDTH, ORDER)
                .fma(f, FloatVector.fromMemorySegment(SPECIES, ALL, y + 7 * WIDTH, ORDER));
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = FloatVector.broadcast(SPECIES, (float) c[t]);
            s0 = FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER).fma(f, s0);
            s1 = FloatVector.fromMemorySegment(SPECIES, ALL, at + WIDTH, ORDER).fma(f, s1);
            s2 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 2 * WIDTH, ORDER)
                    .fma(f, s2);
            s3 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 3 * WIDTH, ORDER)
                    .fma(f, s3);
            s4 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 4 * WIDTH, ORDER)
                    .fma(f, s4);
            s5 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 5 * WIDTH, ORDER)
                    .fma(f, s5);
            s6 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 6 * WIDTH, ORDER)
                    .fma(f, s6);
            s7 = FloatVector.fromMemorySegment(SPECIES, ALL, at + 7 * WIDTH, ORDER)
                    .fma(f, s7);
        }
        s0.intoMemorySegment(ALL, y, ORDER);
        s1.intoMemorySegment(ALL, y + WIDTH, ORDER);
        s2.intoMemorySegment(ALL, y + 2 * WIDTH, ORDER);
        s3.intoMemorySegment(ALL, y + 3 * WIDTH, ORDER);
        s4.intoMemorySegment(ALL, y + 4 * WIDTH, ORDER);
        s5.intoMemorySegment(ALL, y + 5 * WIDTH, ORDER);
        s6.intoMemorySegment(ALL, y + 6 * WIDTH, ORDER);
        s7.intoMemorySegment(ALL, y + 7 * WIDTH, ORDER);
    }

    private static void one(long y, long x, double[] c, long[] offsets, int taps) {
        FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x + offsets[0] * BYTES, ORDER)
                .mul((float) c[0]);
        for (int t = 1; t < taps; t++)
            s = FloatVector.fromMemorySegment(SPECIES, ALL, x + offsets[t] * BYTES, ORDER)
                    .fma(FloatVector.broadcast(SPECIES, (float) c[t]), s);
        s.intoMemorySegment(ALL, y, ORDER);
    }

    private static void oneOnto(long y, long x, double[] c, long[] offsets, int taps) {
        FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x + offsets[0] * BYTES, ORDER)
                .fma(
                        FloatVector.broadcast(SPECIES, (float) c[0]),
                        FloatVector.fromMemorySegment(SPECIES, ALL, y, ORDER));
        for (int t = 1; t < taps; t++)
            s = FloatVector.fromMemorySegment(SPECIES, ALL, x + offsets[t] * BYTES, ORDER)
                    .fma(FloatVector.broadcast(SPECIES, (float) c[t]), s);
        s.intoMemorySegment(ALL, y, ORDER);
    }

    private static void three(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        float c0 = (float) c[0];
        float c1 = (float) c[1];
        float c2 = (float) c[2];
        FloatVector b0 = FloatVector.broadcast(SPECIES, c0);
        FloatVector b1 = FloatVector.broadcast(SPECIES, c1);
        FloatVector b2 = FloatVector.broadcast(SPECIES, c2);
        long x0 = x + offsets[0] * BYTES;
        long x1 = x + offsets[1] * BYTES;
        long x2 = x + offsets[2] * BYTES;
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .fma(b0, FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER));
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .mul(b0);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        }
        for (; i < end; i += BYTES) {
            float s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
            s = Math.fma(get(x1 + i), c1, s);
            s = Math.fma(get(x2 + i), c2, s);
            put(y + i, s);
        }
    }

    private static void five(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        float c0 = (float) c[0];
        float c1 = (float) c[1];
        float c2 = (float) c[2];
        float c3 = (float) c[3];
        float c4 = (float) c[4];
        FloatVector b0 = FloatVector.broadcast(SPECIES, c0);
        FloatVector b1 = FloatVector.broadcast(SPECIES, c1);
        FloatVector b2 = FloatVector.broadcast(SPECIES, c2);
        FloatVector b3 = FloatVector.broadcast(SPECIES, c3);
        FloatVector b4 = FloatVector.broadcast(SPECIES, c4);
        long x0 = x + offsets[0] * BYTES;
        long x1 = x + offsets[1] * BYTES;
        long x2 = x + offsets[2] * BYTES;
        long x3 = x + offsets[3] * BYTES;
        long x4 = x + offsets[4] * BYTES;
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .fma(b0, FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER));
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x3 + i, ORDER).fma(b3, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x4 + i, ORDER).fma(b4, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .mul(b0);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x3 + i, ORDER).fma(b3, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x4 + i, ORDER).fma(b4, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        }
        for (; i < end; i += BYTES) {
            float s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
            s = Math.fma(get(x1 + i), c1, s);
            s = Math.fma(get(x2 + i), c2, s);
            s = Math.fma(get(x3 + i), c3, s);
            s = Math.fma(get(x4 + i), c4, s);
            put(y + i, s);
        }
    }

    private static void seven(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        float c0 = (float) c[0];
        float c1 = (float) c[1];
        float c2 = (float) c[2];
        float c3 = (float) c[3];
        float c4 = (float) c[4];
        float c5 = (float) c[5];
        float c6 = (float) c[6];
        FloatVector b0 = FloatVector.broadcast(SPECIES, c0);
        FloatVector b1 = FloatVector.broadcast(SPECIES, c1);
        FloatVector b2 = FloatVector.broadcast(SPECIES, c2);
        FloatVector b3 = FloatVector.broadcast(SPECIES, c3);
        FloatVector b4 = FloatVector.broadcast(SPECIES, c4);
        FloatVector b5 = FloatVector.broadcast(SPECIES, c5);
        FloatVector b6 = FloatVector.broadcast(SPECIES, c6);
        long x0 = x + offsets[0] * BYTES;
        long x1 = x + offsets[1] * BYTES;
        long x2 = x + offsets[2] * BYTES;
        long x3 = x + offsets[3] * BYTES;
        long x4 = x + offsets[4] * BYTES;
        long x5 = x + offsets[5] * BYTES;
        long x6 = x + offsets[6] * BYTES;
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .fma(b0, FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER));
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x3 + i, ORDER).fma(b3, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x4 + i, ORDER).fma(b4, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x5 + i, ORDER).fma(b5, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x6 + i, ORDER).fma(b6, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = FloatVector.fromMemorySegment(SPECIES, ALL, x0 + i, ORDER)
                        .mul(b0);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x1 + i, ORDER).fma(b1, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x2 + i, ORDER).fma(b2, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x3 + i, ORDER).fma(b3, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x4 + i, ORDER).fma(b4, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x5 + i, ORDER).fma(b5, s);
                s = FloatVector.fromMemorySegment(SPECIES, ALL, x6 + i, ORDER).fma(b6, s);
                s.intoMemorySegment(ALL, y + i, ORDER);
            }
        }
        for (; i < end; i += BYTES) {
            float s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
            s = Math.fma(get(x1 + i), c1, s);
            s = Math.fma(get(x2 + i), c2, s);
            s = Math.fma(get(x3 + i), c3, s);
            s = Math.fma(get(x4 + i), c4, s);
            s = Math.fma(get(x5 + i), c5, s);
            s = Math.fma(get(x6 + i), c6, s);
            put(y + i, s);
        }
    }
}
