package io.penstock.operator;

import io.penstock.array.DType;

/**
 * Contiguous arrays seen as {@code outer} blocks of {@code n} rows of {@code inner} reals, where the rows follow each other along
 * one axis. Complex numbers count as two reals, since what is done to rows has real coefficients.
 *
 * @param outer the product of the extents before the axis
 * @param n the extent of the axis
 * @param inner how many reals lie behind each index along the axis
 * @param wide whether the reals are doubles
 */
record Lines(long outer, long n, long inner, boolean wide) {
    static Lines of(long[] shape, DType dtype, int axis) {
        long outer = 1;
        long inner = dtype.isComplex() ? 2 : 1;
        for (int k = 0; k < axis; k++) outer *= shape[k];
        for (int k = axis + 1; k < shape.length; k++) inner *= shape[k];
        return new Lines(outer, shape[axis], inner, dtype.real() == DType.F64);
    }

    /** Bytes of a real. */
    long bytes() {
        return wide ? 8 : 4;
    }

    /** Bytes from a row to the next. */
    long step() {
        return inner * bytes();
    }

    /** The loops over rows. */
    RealRows rows() {
        return RealRows.of(wide ? DType.F64 : DType.F32);
    }
}
