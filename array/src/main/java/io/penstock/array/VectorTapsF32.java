package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Weighted sums of shifted single-precision numbers by the Vector API. The bits are those of {@link PlainTapsF32}. */
final class VectorTapsF32 implements TapLoops {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final long BYTES = 4;
    private static final long WIDTH = SPECIES.vectorByteSize();

    private static FloatVector load(long address) {
        return FloatVector.fromMemorySegment(SPECIES, HostMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static void store(FloatVector vector, long address) {
        vector.intoMemorySegment(HostMemory.ALL, address, ByteOrder.nativeOrder());
    }

    private static float get(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void put(long address, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
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

    /** Apart from {@link #eightOnto}: vectors that come from either of two branches are put on the heap, 30 times slower. */
    private static void eight(long y, long x, double[] c, long[] offsets, int taps) {
        long at = x + offsets[0] * BYTES;
        FloatVector f = FloatVector.broadcast(SPECIES, (float) c[0]);
        FloatVector s0 = load(at).mul(f);
        FloatVector s1 = load(at + WIDTH).mul(f);
        FloatVector s2 = load(at + 2 * WIDTH).mul(f);
        FloatVector s3 = load(at + 3 * WIDTH).mul(f);
        FloatVector s4 = load(at + 4 * WIDTH).mul(f);
        FloatVector s5 = load(at + 5 * WIDTH).mul(f);
        FloatVector s6 = load(at + 6 * WIDTH).mul(f);
        FloatVector s7 = load(at + 7 * WIDTH).mul(f);
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = FloatVector.broadcast(SPECIES, (float) c[t]);
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
        FloatVector f = FloatVector.broadcast(SPECIES, (float) c[0]);
        FloatVector s0 = load(at).fma(f, load(y));
        FloatVector s1 = load(at + WIDTH).fma(f, load(y + WIDTH));
        FloatVector s2 = load(at + 2 * WIDTH).fma(f, load(y + 2 * WIDTH));
        FloatVector s3 = load(at + 3 * WIDTH).fma(f, load(y + 3 * WIDTH));
        FloatVector s4 = load(at + 4 * WIDTH).fma(f, load(y + 4 * WIDTH));
        FloatVector s5 = load(at + 5 * WIDTH).fma(f, load(y + 5 * WIDTH));
        FloatVector s6 = load(at + 6 * WIDTH).fma(f, load(y + 6 * WIDTH));
        FloatVector s7 = load(at + 7 * WIDTH).fma(f, load(y + 7 * WIDTH));
        for (int t = 1; t < taps; t++) {
            at = x + offsets[t] * BYTES;
            f = FloatVector.broadcast(SPECIES, (float) c[t]);
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
        FloatVector s = load(x + offsets[0] * BYTES).mul((float) c[0]);
        for (int t = 1; t < taps; t++)
            s = load(x + offsets[t] * BYTES).fma(FloatVector.broadcast(SPECIES, (float) c[t]), s);
        store(s, y);
    }

    private static void oneOnto(long y, long x, double[] c, long[] offsets, int taps) {
        FloatVector s = load(x + offsets[0] * BYTES).fma(FloatVector.broadcast(SPECIES, (float) c[0]), load(y));
        for (int t = 1; t < taps; t++)
            s = load(x + offsets[t] * BYTES).fma(FloatVector.broadcast(SPECIES, (float) c[t]), s);
        store(s, y);
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
                FloatVector s = load(x0 + i).fma(b0, load(y + i));
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                store(s, y + i);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = load(x0 + i).mul(b0);
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                store(s, y + i);
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
                FloatVector s = load(x0 + i).fma(b0, load(y + i));
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                store(s, y + i);
            }
        } else {
            for (; i <= end - WIDTH; i += WIDTH) {
                FloatVector s = load(x0 + i).mul(b0);
                s = load(x1 + i).fma(b1, s);
                s = load(x2 + i).fma(b2, s);
                s = load(x3 + i).fma(b3, s);
                s = load(x4 + i).fma(b4, s);
                store(s, y + i);
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
                FloatVector s = load(x0 + i).fma(b0, load(y + i));
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
                FloatVector s = load(x0 + i).mul(b0);
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
