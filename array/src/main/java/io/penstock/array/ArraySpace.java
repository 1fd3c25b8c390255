package io.penstock.array;

import io.penstock.runtime.Device;
import java.util.List;
import java.util.Objects;

/**
 * The space of arrays of one shape and element type on one device.
 *
 * @param shape the extent of each dimension, none negative
 * @param dtype the type of the elements
 * @param device where they lie
 */
public record ArraySpace(List<Long> shape, DType dtype, Device device) implements VectorSpace<NDArray> {
    /** Checks and copies the shape. */
    public ArraySpace {
        shape = List.copyOf(shape);
        Objects.requireNonNull(dtype, "dtype is null");
        Objects.requireNonNull(device, "device is null");
        Shapes.size(Shapes.toArray(shape));
    }

    /** Arrays on the current device: that of the queue which {@code Queue.during} has chosen, else the JVM. */
    public ArraySpace(List<Long> shape, DType dtype) {
        this(shape, dtype, Device.current());
    }

    /** Arrays of the given element type and shape on the current device. */
    public static ArraySpace of(DType dtype, long... shape) {
        return new ArraySpace(Shapes.toList(shape), dtype);
    }

    /** Arrays of double-precision numbers of the given shape on the current device. */
    public static ArraySpace of(long... shape) {
        return of(DType.F64, shape);
    }

    /** The same space on a device. */
    public ArraySpace on(Device other) {
        return new ArraySpace(shape, dtype, other);
    }

    /** Arrays of another shape, of the same type and on the same device. */
    public ArraySpace reshape(long... other) {
        return new ArraySpace(Shapes.toList(other), dtype, device);
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
        NDArray zeros = empty();
        zeros.fill(0);
        return zeros;
    }

    @Override
    public NDArray empty() {
        return NDArray.empty(device, dtype, dims());
    }

    @Override
    public NDArray random(long seed) {
        return Creation.placed(Creation.random(seed, dtype, dims()), device);
    }

    @Override
    public ArraySpace as(DType other) {
        return new ArraySpace(shape, other, device);
    }

    @Override
    public void check(NDArray vector, String name) {
        ArraySpace its = vector.space();
        if (!its.equals(this) && new ArraySpace(its.shape, its.dtype, device).equals(this))
            throw new IllegalArgumentException(name + " lies on " + its.device.name() + "; expected " + this + " on "
                    + device.name() + ", so move it there with to(Device.named(\"" + device.name() + "\"))");
        VectorSpace.super.check(vector, name);
    }

    @Override
    public String toString() {
        return "arrays of shape " + Shapes.describe(dims()) + " and type " + dtype
                + (Placement.isJvm(device) ? "" : " on " + device.name());
    }
}
