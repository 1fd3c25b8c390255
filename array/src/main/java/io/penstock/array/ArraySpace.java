package io.penstock.array;

import java.util.List;
import java.util.Objects;

/**
 * The space of arrays of one shape and element type.
 *
 * @param shape the extent of each dimension, none negative
 * @param dtype the type of the elements
 */
public record ArraySpace(List<Long> shape, DType dtype) implements VectorSpace<NDArray> {
    /** Checks and copies the shape. */
    public ArraySpace {
        shape = List.copyOf(shape);
        Objects.requireNonNull(dtype, "dtype is null");
        Shapes.size(Shapes.toArray(shape));
    }

    /** Arrays of the given element type and shape. */
    public static ArraySpace of(DType dtype, long... shape) {
        return new ArraySpace(Shapes.toList(shape), dtype);
    }

    /** Arrays of double-precision numbers of the given shape. */
    public static ArraySpace of(long... shape) {
        return of(DType.F64, shape);
    }

    /** The shape as an array that the caller may change. */
    public long[] dims() {
        return Shapes.toArray(shape);
    }

    @Override
    public long size() {
        return Shapes.size(dims());
    }

    @Override
    public NDArray zeros() {
        return NDArray.zeros(dtype, dims());
    }

    @Override
    public NDArray empty() {
        return NDArray.empty(dtype, dims());
    }

    @Override
    public NDArray random(long seed) {
        return NDArray.random(seed, dtype, dims());
    }

    @Override
    public ArraySpace as(DType other) {
        return new ArraySpace(shape, other);
    }

    @Override
    public String toString() {
        return "arrays of shape " + Shapes.describe(dims()) + " and type " + dtype;
    }
}
