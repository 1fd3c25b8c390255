package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loops over double-precision numbers by the Vector API; tails are scalar and give the same bits.
 *
 * <p>Vectors are loaded and stored without a method of our own in between: the compiler may choose not to inline one that it has
 * compiled already, and vectors that pass between methods lie on the heap, 30 times slower.
 */
final class VectorF64 implements RealLoops {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final long BYTES = 8;
    private static final MemorySegment ALL = HostMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final long WIDTH = SPECIES.vectorByteSize();
    private static final VectorShuffle<Double> SWAP = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
    private static final VectorShuffle<Double> REAL = VectorShuffle.fromOp(SPECIES, i -> i & -2);
    private static final VectorShuffle<Double> IMAGINARY = VectorShuffle.fromOp(SPECIES, i -> i | 1);
    private static final DoubleVector MINUS_PLUS = alternating(-1, 1);

    private static DoubleVector alternating(double even, double odd) {
        double[] lanes = new double[SPECIES.length()];
        for (int i = 0; i < lanes.length; i++) lanes[i] = (i & 1) == 0 ? even : odd;
        return DoubleVector.fromArray(SPECIES, lanes, 0);
    }

    private static double get(long address) {
        return ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    private static void put(long address, double value) {
        ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }

    @Override
    public void fill(long y, long n, double value) {
        DoubleVector all = DoubleVector.broadcast(SPECIES, value);
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) all.intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, value);
    }

    @Override
    public void scaled(long y, long x, long n, double alpha) {
        double a = alpha;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).mul(a).intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i));
    }

    @Override
    public void axpy(long y, long x, long n, double alpha) {
        double a = alpha;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(a)
                    .add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i) + get(y + i));
    }

    @Override
    public void axpby(long y, long x, long n, double alpha, double beta) {
        double a = alpha;
        double b = beta;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(a)
                    .add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER)
                            .mul(b))
                    .intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, a * get(x + i) + b * get(y + i));
    }

    @Override
    public void add(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) + get(y + i));
    }

    @Override
    public void subtract(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .sub(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) - get(y + i));
    }

    @Override
    public void multiply(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .mul(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) * get(y + i));
    }

    @Override
    public void divide(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .div(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, get(x + i) / get(y + i));
    }

    @Override
    public void min(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .min(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, Math.min(get(x + i), get(y + i)));
    }

    @Override
    public void max(long z, long x, long y, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .max(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, z + i, ORDER);
        for (; i < end; i += BYTES) put(z + i, Math.max(get(x + i), get(y + i)));
    }

    @Override
    public void negate(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).neg().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, -get(x + i));
    }

    @Override
    public void abs(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).abs().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, Math.abs(get(x + i)));
    }

    @Override
    public void sqrt(long y, long x, long n) {
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH)
            DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER).sqrt().intoMemorySegment(ALL, y + i, ORDER);
        for (; i < end; i += BYTES) put(y + i, Math.sqrt(get(x + i)));
    }

    @Override
    public double dot(long x, long y, long n) {
        DoubleVector s0 = DoubleVector.zero(SPECIES);
        DoubleVector s1 = s0;
        DoubleVector s2 = s0;
        DoubleVector s3 = s0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * WIDTH; i += 4 * WIDTH) {
            s0 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .fma(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER), s0);
            s1 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER)
                    .fma(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i + WIDTH, ORDER), s1);
            s2 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + 2 * WIDTH, ORDER)
                    .fma(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i + 2 * WIDTH, ORDER), s2);
            s3 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + 3 * WIDTH, ORDER)
                    .fma(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i + 3 * WIDTH, ORDER), s3);
        }
        for (; i <= end - WIDTH; i += WIDTH)
            s0 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER)
                    .fma(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER), s0);
        double sum = lanes(s0.add(s1).add(s2.add(s3)), 0, 1);
        for (; i < end; i += BYTES) sum = Math.fma(get(x + i), get(y + i), sum);
        return sum;
    }

    @Override
    public double sum(long x, long n) {
        DoubleVector s0 = DoubleVector.zero(SPECIES);
        DoubleVector s1 = s0;
        DoubleVector s2 = s0;
        DoubleVector s3 = s0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * WIDTH; i += 4 * WIDTH) {
            s0 = s0.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER));
            s1 = s1.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER));
            s2 = s2.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + 2 * WIDTH, ORDER));
            s3 = s3.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + 3 * WIDTH, ORDER));
        }
        for (; i <= end - WIDTH; i += WIDTH) s0 = s0.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER));
        double sum = lanes(s0.add(s1).add(s2.add(s3)), 0, 1);
        for (; i < end; i += BYTES) sum += get(x + i);
        return sum;
    }

    /** The sum of every {@code step}-th lane in a fixed order, which reduceLanes does not promise. */
    private static double lanes(DoubleVector vector, int from, int step) {
        double[] lanes = new double[SPECIES.length()];
        vector.intoArray(lanes, 0);
        double sum = 0;
        for (int i = from; i < lanes.length; i += step) sum += lanes[i];
        return sum;
    }

    @Override
    public void dotComplex(long x, long y, long pairs, double[] out, int at) {
        DoubleVector r0 = DoubleVector.zero(SPECIES);
        DoubleVector r1 = r0;
        DoubleVector i0 = r0;
        DoubleVector i1 = r0;
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - 2 * WIDTH; i += 2 * WIDTH) {
            DoubleVector x0 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            DoubleVector y0 = DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER);
            DoubleVector x1 = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i + WIDTH, ORDER);
            DoubleVector y1 = DoubleVector.fromMemorySegment(SPECIES, ALL, y + i + WIDTH, ORDER);
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
        out[at] = re;
        out[at + 1] = im;
    }

    @Override
    public void multiplyComplex(long z, long x, long y, long pairs) {
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            DoubleVector a = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            DoubleVector b = DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER);
            DoubleVector cross = a.rearrange(SWAP).mul(b.rearrange(IMAGINARY)).mul(MINUS_PLUS);
            a.mul(b.rearrange(REAL)).add(cross).intoMemorySegment(ALL, z + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            double re = get(x + i) * get(y + i) - get(x + i + BYTES) * get(y + i + BYTES);
            double im = get(x + i + BYTES) * get(y + i) + get(x + i) * get(y + i + BYTES);
            put(z + i, re);
            put(z + i + BYTES, im);
        }
    }

    @Override
    public void scaledComplex(long y, long x, long pairs, double alphaRe, double alphaIm) {
        double re = alphaRe;
        double im = alphaIm;
        DoubleVector cross = MINUS_PLUS.mul(im);
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            DoubleVector a = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            a.mul(re).add(a.rearrange(SWAP).mul(cross)).intoMemorySegment(ALL, y + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            double xr = get(x + i);
            double xi = get(x + i + BYTES);
            put(y + i, xr * re + xi * -im);
            put(y + i + BYTES, xi * re + xr * im);
        }
    }

    @Override
    public void axpyComplex(long y, long x, long pairs, double alphaRe, double alphaIm) {
        double re = alphaRe;
        double im = alphaIm;
        DoubleVector cross = MINUS_PLUS.mul(im);
        long end = pairs * 2 * BYTES;
        long i = 0;
        for (; i <= end - WIDTH; i += WIDTH) {
            DoubleVector a = DoubleVector.fromMemorySegment(SPECIES, ALL, x + i, ORDER);
            a.mul(re)
                    .add(a.rearrange(SWAP).mul(cross))
                    .add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + i, ORDER))
                    .intoMemorySegment(ALL, y + i, ORDER);
        }
        for (; i < end; i += 2 * BYTES) {
            double xr = get(x + i);
            double xi = get(x + i + BYTES);
            put(y + i, xr * re + xi * -im + get(y + i));
            put(y + i + BYTES, xi * re + xr * im + get(y + i + BYTES));
        }
    }
}
