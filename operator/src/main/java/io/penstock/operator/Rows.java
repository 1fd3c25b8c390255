package io.penstock.operator;

import io.penstock.array.DType;

/** Sums over contiguous rows of numbers at raw addresses: what a matrix product is made of. */
sealed interface Rows permits RowsF32, RowsF64, RowsC64, RowsC128 {
    /** The loops for a type. */
    static Rows of(DType dtype) {
        return switch (dtype) {
            case F32 -> new RowsF32();
            case F64 -> new RowsF64();
            case C64 -> new RowsC64();
            case C128 -> new RowsC128();
            default ->
                throw new IllegalArgumentException("the matrix holds " + dtype + "; expected real or complex elements");
        };
    }

    /** The element at {@code y} becomes the sum of {@code a[k] * x[k]} over {@code count} elements. */
    void dot(long a, long x, long y, long count);

    /** {@code y[m] += a * x[m]}, or {@code conj(a)} where {@code conjugate}, for {@code count} elements; {@code a} is an address. */
    void axpy(long a, boolean conjugate, long x, long y, long count);

    /** {@code y[m] += conj(x[m]) * a} for {@code count} elements; {@code a} is an address. */
    void axpyConjugate(long a, long x, long y, long count);
}
