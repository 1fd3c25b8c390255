package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Weighted sums of shifted double-precision numbers by the Vector API. The bits are those of {@link PlainTapsF64}. */
final class VectorTapsF64 implements TapLoops {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final long BYTES = 8;
    private static final long WIDTH = SPECIES.vectorByteSize();

    private static DoubleVector load(long address) {
        return DoubleVector.fromMemorySegment(SPECIES, HostMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static void store(DoubleVector vector, long address) {
        vector.intoMemorySegment(HostMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static double get(long address) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    private static void put(long address, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
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
        PlainTapsF64.loop(y + i, x + i, (end - i) / BYTES, c, offsets, taps, accumulate);
    }

    /** Apart from {@link #eightOnto}: vectors that come from either of two branches are put on the heap, 30 times slower. */
    private static void eight(long y, long x, double[] c, long[] offsets, int taps) {
        long at = x + offsets[0] * BYTES;
        DoubleVector f = DoubleVector.broadcast(SPECIES, c[0]);
        DoubleVector s0 = load(at).mul(f);
        DoubleVector s1 = load(at + WIDTH).mul(f);
        DoubleVector s2 = load(at + 2 * WIDTH).mul(f);
        DoubleVector s3 = load(at + 3 * WIDTH).mul(f);
        DoubleVector s4 = load(at + 4 * WIDTH).mul(f);
        DoubleVector s5 = load(at + 5 * WIDTH).mul(f);
        DoubleVector s6 = load(at + 6 * WIDTH).mul(f);
        DoubleVector s7 = load(at + 7 * WIDTH).mul(f);
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = DoubleVector.broadcast(SPECIES, c[t]);
            s0 = load(at).fma(f, s0);
            s1 = load(at + WIDTH).fma(f, s1);
            s2 = load(at + 2 * WIDTH).fma(f, s2);
            s3 = load(at + 3 * WIDTH).fma(f, s3);
            s4 = load(at + 4 * WIDTH).fma(f, s4);
            s5 = load(at + 5 * WIDTH).fma(f, s5);
            s6 = load(at + 6 * WIDTH).fma(f, s6);
            s7 = load(at + 7 * WIDTH).fma(f, s7);
        }
        store(s0, y);
        store(s1, y + WIDTH);
        store(s2, y + 2 * WIDTH);
        store(s3, y + 3 * WIDTH);
        store(s4, y + 4 * WIDTH);
        store(s5, y + 5 * WIDTH);
        store(s6, y + 6 * WIDTH);
        store(s7, y + 7 * WIDTH);
    }

    /** Eight vectors of sums added to what is there. */
    private static void eightOnto(long y, long x, double[] c, long[] offsets, int taps) {
        long at = x + offsets[0] * BYTES;
        DoubleVector f = DoubleVector.broadcast(SPECIES, c[0]);
        DoubleVector s0 = load(at).fma(f, load(y));
        DoubleVector s1 = load(at + WIDTH).fma(f, load(y + WIDTH));
        DoubleVector s2 = load(at + 2 * WIDTH).fma(f, load(y + 2 * WIDTH));
        DoubleVector s3 = load(at + 3 * WIDTH).fma(f, load(y + 3 * WIDTH));
        DoubleVector s4 = load(at + 4 * WIDTH).fma(f, load(y + 4 * WIDTH));
        DoubleVector s5 = load(at + 5 * WIDTH).fma(f, load(y + 5 * WIDTH));
        DoubleVector s6 = load(at + 6 * WIDTH).fma(f, load(y + 6 * WIDTH));
        DoubleVector s7 = load(at + 7 * WIDTH).fma(f, load(y + 7 * WIDTH));
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = DoubleVector.broadcast(SPECIES, c[t]);
            s0 = load(at).fma(f, s0);
            s1 = load(at + WIDTH).fma(f, s1);
            s2 = load(at + 2 * WIDTH).fma(f, s2);
            s3 = load(at + 3 * WIDTH).fma(f, s3);
            s4 = load(at + 4 * WIDTH).fma(f, s4);
            s5 = load(at + 5 * WIDTH).fma(f, s5);
            s6 = load(at + 6 * WIDTH).fma(f, s6);
            s7 = load(at + 7 * WIDTH).fma(f, s7);
        }
        store(s0, y);
        store(s1, y + WIDTH);
        store(s2, y + 2 * WIDTH);
        store(s3, y + 3 * WIDTH);
        store(s4, y + 4 * WIDTH);
        store(s5, y + 5 * WIDTH);
        store(s6, y + 6 * WIDTH);
        store(s7, y + 7 * WIDTH);
    }

    private static void one(long y, long x, double[] c, long[] offsets, int taps) {
        DoubleVector s = load(x + offsets[0] * BYTES).mul(c[0]);
        for (int t = 1; t < taps; t++) s = load(x + offsets[t] * BYTES).fma(DoubleVector.broadcast(SPECIES, c[t]), s);
        store(s, y);
    }

    private static void oneOnto(long y, long x, double[] c, long[] offsets, int taps) {
        DoubleVector s = load(x + offsets[0] * BYTES).fma(DoubleVector.broadcast(SPECIES, c[0]), load(y));
        for (int t = 1; t < taps; t++) s = load(x + offsets[t] * BYTES).fma(DoubleVector.broadcast(SPECIES, c[t]), s);
        store(s, y);
    }

    private static void three(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        double c0 = c[0];
        double c1 = c[1];
        double c2 = c[2];
        DoubleVector b0 = DoubleVector.broadcast(SPECIES, c0);
        DoubleVector b1 = DoubleVector.broadcast(SPECIES, c1);
        DoubleVector b2 = DoubleVector.broadcast(SPECIES, c2);
        long x0 = x + offsets[0] * BYTES;
        long x1 = x + offsets[1] * BYTES;
        long x2 = x + offsets[2] * BYTES;
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - WIDTH; i += WIDTH) {
                DoubleVector s = load(x0 + i).fma(b0, load(y + i));
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                store(s, y + i);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                DoubleVector s = load(x0 + i).mul(b0);
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                store(s, y + i);
            }
        }
        for (; i < end; i += BYTES) {
            double s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
            s = Math.fma(get(x1 + i), c1, s);
            s = Math.fma(get(x2 + i), c2, s);
            put(y + i, s);
        }
    }

    private static void five(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        double c0 = c[0];
        double c1 = c[1];
        double c2 = c[2];
        double c3 = c[3];
        double c4 = c[4];
        DoubleVector b0 = DoubleVector.broadcast(SPECIES, c0);
        DoubleVector b1 = DoubleVector.broadcast(SPECIES, c1);
        DoubleVector b2 = DoubleVector.broadcast(SPECIES, c2);
        DoubleVector b3 = DoubleVector.broadcast(SPECIES, c3);
        DoubleVector b4 = DoubleVector.broadcast(SPECIES, c4);
        long x0 = x + offsets[0] * BYTES;
        long x1 = x + offsets[1] * BYTES;
        long x2 = x + offsets[2] * BYTES;
        long x3 = x + offsets[3] * BYTES;
        long x4 = x + offsets[4] * BYTES;
        long end = n * BYTES;
        long i = 0;
        if (accumulate) {
            for (; i <= end - WIDTH; i += WIDTH) {
                DoubleVector s = load(x0 + i).fma(b0, load(y + i));
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                store(s, y + i);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                DoubleVector s = load(x0 + i).mul(b0);
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                store(s, y + i);
            }
        }
        for (; i < end; i += BYTES) {
            double s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
            s = Math.fma(get(x1 + i), c1, s);
            s = Math.fma(get(x2 + i), c2, s);
            s = Math.fma(get(x3 + i), c3, s);
            s = Math.fma(get(x4 + i), c4, s);
            put(y + i, s);
        }
    }

    private static void seven(long y, long x, long n, double[] c, long[] offsets, boolean accumulate) {
        double c0 = c[0];
        double c1 = c[1];
        double c2 = c[2];
        double c3 = c[3];
        double c4 = c[4];
        double c5 = c[5];
        double c6 = c[6];
        DoubleVector b0 = DoubleVector.broadcast(SPECIES, c0);
        DoubleVector b1 = DoubleVector.broadcast(SPECIES, c1);
        DoubleVector b2 = DoubleVector.broadcast(SPECIES, c2);
        DoubleVector b3 = DoubleVector.broadcast(SPECIES, c3);
        DoubleVector b4 = DoubleVector.broadcast(SPECIES, c4);
        DoubleVector b5 = DoubleVector.broadcast(SPECIES, c5);
        DoubleVector b6 = DoubleVector.broadcast(SPECIES, c6);
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
                DoubleVector s = load(x0 + i).fma(b0, load(y + i));
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                s = load(x5 + i).fma(b5, s);
                s = load(x6 + i).fma(b6, s);
                store(s, y + i);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                DoubleVector s = load(x0 + i).mul(b0);
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                s = load(x5 + i).fma(b5, s);
                s = load(x6 + i).fma(b6, s);
                store(s, y + i);
            }
        }
        for (; i < end; i += BYTES) {
            double s = accumulate ? Math.fma(get(x0 + i), c0, get(y + i)) : c0 * get(x0 + i);
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
