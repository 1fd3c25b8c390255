package io.penstock.operator;

import io.penstock.array.DType;

/** Loops over contiguous rows of reals at raw addresses: what sums along an axis are made of. */
sealed interface RealRows permits RowsF32, RowsF64 {
    /** The loops for doubles, or for floats. */
    static RealRows of(DType real) {
        return real == DType.F64 ? new RowsF64() : new RowsF32();
    }

    /** {@code y[m] = a * x[m]}. */
    void scale(long y, double a, long x, long count);

    /** {@code y[m] = p[m] + a * x[m]}. */
    void add(long y, long p, double a, long x, long count);

    /** {@code y[m] = p[m] + a * w[m] + b * x[m]}. */
    void add(long y, long p, double a, long w, double b, long x, long count);

    /** {@code y} becomes the sum of {@code count} numbers, each {@code step} bytes after the one before, in double precision. */
    void sum(long y, long x, long step, long count);
}
