package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Loops over single-precision numbers in plain Java, for a JVM without the Vector API and to test the loops that use it. */
final class PlainF32 implements RealLoops {
    private static final long BYTES = 4;

    private static float get(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void put(long address, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    @Override
    public void fill(long y, long n, double value) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, (float) value);
    }

    @Override
    public void scaled(long y, long x, long n, double alpha) {
        float a = (float) alpha;
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, a * get(x + i));
    }

    @Override
    public void axpy(long y, long x, long n, double alpha) {
        float a = (float) alpha;
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, a * get(x + i) + get(y + i));
    }

    @Override
    public void axpby(long y, long x, long n, double alpha, double beta) {
        float a = (float) alpha;
        float b = (float) beta;
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, a * get(x + i) + b * get(y + i));
    }

    @Override
    public void add(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, get(x + i) + get(y + i));
    }

    @Override
    public void subtract(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, get(x + i) - get(y + i));
    }

    @Override
    public void multiply(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, get(x + i) * get(y + i));
    }

    @Override
    public void divide(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, get(x + i) / get(y + i));
    }

    @Override
    public void min(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, Math.min(get(x + i), get(y + i)));
    }

    @Override
    public void max(long z, long x, long y, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(z + i, Math.max(get(x + i), get(y + i)));
    }

    @Override
    public void negate(long y, long x, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, -get(x + i));
    }

    @Override
    public void abs(long y, long x, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, Math.abs(get(x + i)));
    }

    @Override
    public void sqrt(long y, long x, long n) {
        for (long i = 0; i < n * BYTES; i += BYTES) put(y + i, (float) Math.sqrt(get(x + i)));
    }

    @Override
    public double dot(long x, long y, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * BYTES; i += 4 * BYTES) {
            s0 += (double) get(x + i) * get(y + i);
            s1 += (double) get(x + i + BYTES) * get(y + i + BYTES);
            s2 += (double) get(x + i + 2 * BYTES) * get(y + i + 2 * BYTES);
            s3 += (double) get(x + i + 3 * BYTES) * get(y + i + 3 * BYTES);
        }
        for (; i < end; i += BYTES) s0 += (double) get(x + i) * get(y + i);
        return s0 + s1 + (s2 + s3);
    }

    @Override
    public double sum(long x, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long end = n * BYTES;
        long i = 0;
        for (; i <= end - 4 * BYTES; i += 4 * BYTES) {
            s0 += get(x + i);
            s1 += get(x + i + BYTES);
            s2 += get(x + i + 2 * BYTES);
            s3 += get(x + i + 3 * BYTES);
        }
        for (; i < end; i += BYTES) s0 += get(x + i);
        return s0 + s1 + (s2 + s3);
    }

    @Override
    public void dotComplex(long x, long y, long pairs, double[] out, int at) {
        double re = 0;
        double im = 0;
        for (long i = 0; i < pairs * 2 * BYTES; i += 2 * BYTES) {
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
        for (long i = 0; i < pairs * 2 * BYTES; i += 2 * BYTES) {
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
        for (long i = 0; i < pairs * 2 * BYTES; i += 2 * BYTES) {
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
        for (long i = 0; i < pairs * 2 * BYTES; i += 2 * BYTES) {
            float xr = get(x + i);
            float xi = get(x + i + BYTES);
            put(y + i, xr * re + xi * -im + get(y + i));
            put(y + i + BYTES, xi * re + xr * im + get(y + i + BYTES));
        }
    }
}
