package io.penstock.array;

/**
 * Loops over real numbers that lie next to each other at raw addresses. Lengths count numbers, or pairs of them where a name
 * says complex. An output may be one of the inputs, but may not overlap it otherwise.
 *
 * <p>All but the sums give the same bits whichever implementation runs; sums are taken in an order fixed by the length alone.
 */
interface RealLoops {
    /** {@code y = value}. */
    void fill(long y, long n, double value);

    /** {@code y = alpha * x}. */
    void scaled(long y, long x, long n, double alpha);

    /** {@code y = alpha * x + y}. */
    void axpy(long y, long x, long n, double alpha);

    /** {@code y = alpha * x + beta * y}. */
    void axpby(long y, long x, long n, double alpha, double beta);

    /** {@code z = x + y}. */
    void add(long z, long x, long y, long n);

    /** {@code z = x - y}. */
    void subtract(long z, long x, long y, long n);

    /** {@code z = x * y}. */
    void multiply(long z, long x, long y, long n);

    /** {@code z = x / y}. */
    void divide(long z, long x, long y, long n);

    /** {@code z = min(x, y)}, NaN where either is. */
    void min(long z, long x, long y, long n);

    /** {@code z = max(x, y)}, NaN where either is. */
    void max(long z, long x, long y, long n);

    /** {@code y = -x}. */
    void negate(long y, long x, long n);

    /** {@code y = |x|}. */
    void abs(long y, long x, long n);

    /** {@code y = sqrt(x)}. */
    void sqrt(long y, long x, long n);

    /** The sum of {@code x * y}. */
    double dot(long x, long y, long n);

    /** The sum of {@code x}. */
    double sum(long x, long n);

    /** The sum of {@code conj(x) * y}, real part to {@code out[at]} and imaginary part after it. */
    void dotComplex(long x, long y, long pairs, double[] out, int at);

    /** {@code z = x * y}, complex. */
    void multiplyComplex(long z, long x, long y, long pairs);

    /** {@code y = alpha * x}, complex. */
    void scaledComplex(long y, long x, long pairs, double alphaRe, double alphaIm);

    /** {@code y = alpha * x + y}, complex. */
    void axpyComplex(long y, long x, long pairs, double alphaRe, double alphaIm);
}
