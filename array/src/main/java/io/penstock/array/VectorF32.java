package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loops over single-precision numbers by the Vector API; tails are scalar and give the same bits.
 *
 * <p>Vectors are loaded and stored without a method of our own in between: the compiler may choose not to inline one that it has
 * compiled already, and vectors that pass between methods lie on the heap, 30 times slower.
 */
final class VectorF32 implements RealLoops {
    /** The same sums in double precision, for those that single precision is too narrow for. */
    private static final RealLoops WIDE = new PlainF32();

    /** A block of vanished products is less than 1e-10 of this. */
    private static final double LEAST_HELD = 1e-30;

    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final long BYTES = 4;
    private static final MemorySegment ALL = HostMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final long WIDTH = SPECIES.vectorByteSize();
    private static final VectorShuffle<Float> SWAP = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
    private static final VectorShuffle<Float> REAL = VectorShuffle.fromOp(SPECIES, i -> i & -2);
    private static final VectorShuffle<Float> IMAGINARY = VectorShuffle.fromOp(SPECIES, i -> i | 1);
    private static final FloatVector MINUS_PLUS = alternating(-1, 1);

    private static FloatVector alternating(float even, float odd) {
        float[] lanes = new float[SPECIES.length()];
        for (int i = 0; i < lanes.length; i++) lanes[i] = (i & 1) == 0 ? even : odd;
        return FloatVector.fromArray(SPECIES, lanes, 0);
    }

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void put(long address, float value) {
        ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    @Override
    public void fill(long y, long n, double value) {
        FloatVector all = FloatVector.broadcast(SPECIES, (float) value);
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) all.intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, (float) value);
    }

    @Override
    public void scaled(long y, long x, long n, double alpha) {
        float a = (float) alpha;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).mul(a).intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i));
    }

    @Override
    public void axpy(long y, long x, long n, double alpha) {
        float a = (float) alpha;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(a)
                    .add(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i) + get(y + i));
    }

    @Override
    public void axpby(long y, long x, long n, double alpha, double beta) {
        float a = (float) alpha;
        float b = (float) beta;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(a)
                    .add(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER)
                            .mul(b))
                    .intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i) + b * get(y + i));
    }

    @Override
    public void add(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .add(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) + get(y + i));
    }

    @Override
    public void subtract(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .sub(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) - get(y + i));
    }

    @Override
    public void multiply(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) * get(y + i));
    }

    @Override
    public void divide(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .div(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) / get(y + i));
    }

    @Override
    public void min(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .min(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, Math.min(get(x + i), get(y + i)));
    }

    @Override
    public void max(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .max(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, Math.max(get(x + i), get(y + i)));
    }

    @Override
    public void negate(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).neg().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, -get(x + i));
    }

    @Override
    public void abs(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).abs().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, Math.abs(get(x + i)));
    }

    @Override
    public void sqrt(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).sqrt().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, (float) Math.sqrt(get(x + i)));
    }

    @Override
    public double dot(long x, long y, long n) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * WIDTH; i += 4 * WIDTH) {
            s0 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .fma(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER), s0);
            s1 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER)
                    .fma(FloatVector.fromMemorySegment(SPECIES, ALL, y + i + WIDTH, ORDER), s1);
            s2 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i + 2 * WIDTH, ORDER)
                    .fma(FloatVector.fromMemorySegment(SPECIES, ALL, y + i + 2 * WIDTH, ORDER), s2);
            s3 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i + 3 * WIDTH, ORDER)
                    .fma(FloatVector.fromMemorySegment(SPECIES, ALL, y + i + 3 * WIDTH, ORDER), s3);
        }
        for (; i <= end - WIDTH; i += WIDTH)
            s0 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .fma(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER), s0);
        double sum = lanes(s0.add(s1).add(s2.add(s3)), 0, 1);
        for (; i < end; i += BYTES) sum += (double) get(x + i) * get(y + i);
        return isHeld(Math.abs(sum)) ? sum : WIDE.dot(x, y, n);
    }

    @Override
    public double sum(long x, long n) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * WIDTH; i += 4 * WIDTH) {
            s0 = s0.add(FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER));
            s1 = s1.add(FloatVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER));
            s2 = s2.add(FloatVector.fromMemorySegment(SPECIES, ALL, x + i + 2 * WIDTH, ORDER));
            s3 = s3.add(FloatVector.fromMemorySegment(SPECIES, ALL, x + i + 3 * WIDTH, ORDER));
        }
        for (; i <= end - WIDTH; i += WIDTH) s0 = s0.add(FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER));
        double sum = lanes(s0.add(s1).add(s2.add(s3)), 0, 1);
        for (; i < end; i += BYTES) sum += get(x + i);
        return sum;
    }

    /** The sum of every {@code step}-th lane in a fixed order, which reduceLanes does not promise. */
    private static double lanes(FloatVector vector, int from, int step) {
        float[] lanes = new float[SPECIES.length()];
        vector.intoArray(lanes, 0);
        double sum = 0;
        for (int i = from; i < lanes.length; i += step) sum += lanes[i];
        return sum;
    }

    @Override
    public void dotComplex(long x, long y, long pairs, double[] out, int at) {
        FloatVector r0 = FloatVector.zero(SPECIES);
        FloatVector r1 = r0;
        FloatVector i0 = r0;
        FloatVector i1 = r0;
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - 2 * WIDTH; i += 2 * WIDTH) {
            FloatVector x0 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            FloatVector y0 = FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER);
            FloatVector x1 = FloatVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER);
            FloatVector y1 = FloatVector.fromMemorySegment(SPECIES, ALL, y + i + WIDTH, ORDER);
            r0 = x0.fma(y0, r0);
            i0 = x0.fma(y0.rearrange(SWAP), i0);
            r1 = x1.fma(y1, r1);
            i1 = x1.fma(y1.rearrange(SWAP), i1);
        }
        double re = lanes(r0.add(r1), 0, 1);
        double im = lanes(i0.add(i1), 0, 2) - lanes(i0.add(i1), 1, 2);
        for (; i < end; i += 2 * BYTES) {
            double xr = get(x + i);
            double xi = get(x + i + BYTES);
            re += xr * get(y + i) + xi * get(y + i + BYTES);
            im += xr * get(y + i + BYTES) - xi * get(y + i);
        }
        if (!isHeld(Math.abs(re) + Math.abs(im))) {
            WIDE.dotComplex(x, y, pairs, out, at);
            return;
        }
        out[at] = re;
        out[at + 1] = im;
    }

    /** Whether single precision was wide enough for the terms of a sum of products: none overflowed, those that vanished do not count. */
    private static boolean isHeld(double size) {
        return size > LEAST_HELD && size <= Float.MAX_VALUE;
    }

    @Override
    public void multiplyComplex(long z, long x, long y, long pairs) {
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            FloatVector a = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            FloatVector b = FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER);
            FloatVector cross = a.rearrange(SWAP).mul(b.rearrange(IMAGINARY)).mul(MINUS_PLUS);
            a.mul(b.rearrange(REAL)).add(cross).intoMemorySegment(ALL, z + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            float re = get(x + i) * get(y + i) - get(x + i + BYTES) * get(y + i + BYTES);
            float im = get(x + i + BYTES) * get(y + i) + get(x + i) * get(y + i + BYTES);
            put(z + i, re);
            put(z + i + BYTES, im);
        }
    }

    @Override
    public void scaledComplex(long y, long x, long pairs, double alphaRe, double alphaIm) {
        float re = (float) alphaRe;
        float im = (float) alphaIm;
        FloatVector cross = MINUS_PLUS.mul(im);
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            FloatVector a = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            a.mul(re).add(a.rearrange(SWAP).mul(cross)).intoMemorySegment(ALL, y + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            float xr = get(x + i);
            float xi = get(x + i + BYTES);
            put(y + i, xr * re + xi * -im);
            put(y + i + BYTES, xi * re + xr * im);
        }
    }

    @Override
    public void axpyComplex(long y, long x, long pairs, double alphaRe, double alphaIm) {
        float re = (float) alphaRe;
        float im = (float) alphaIm;
        FloatVector cross = MINUS_PLUS.mul(im);
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            FloatVector a = FloatVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            a.mul(re)
                    .add(a.rearrange(SWAP).mul(cross))
                    .add(FloatVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, y + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            float xr = get(x + i);
            float xi = get(x + i + BYTES);
            put(y + i, xr * re + xi * -im + get(y + i));
            put(y + i + BYTES, xi * re + xr * im + get(y + i + BYTES));
        }
    }
}
