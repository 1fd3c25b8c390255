package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.kernel.jvm.Atomics;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of single-precision numbers. */
public final class Floats extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 2;

    Floats(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Floats of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Floats of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Floats(buffer, offset, ViewLayout.of(Floats.class, shape, strides));
    }

    /** The element at one index; {@link ElementView} says which views have one. */
    public float get(long i) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, SHIFT));
    }

    /** The element in row {@code i} and column {@code j}. */
    public float get(long i, long j) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, SHIFT));
    }

    /** The element in plane {@code i}, row {@code j} and column {@code k}. */
    public float get(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** Sets the element at one index. */
    public void set(long i, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, at(i, SHIFT), value);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, at(i, j, SHIFT), value);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, at(i, j, k, SHIFT), value);
    }

    /** Adds a value to an element, in one step that no other atomic one divides; gives what it was. */
    public float atomicAdd(long i, float value) {
        return Atomics.add(at(i, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, float)} with 2 indices. */
    public float atomicAdd(long i, long j, float value) {
        return Atomics.add(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, float)} with 3 indices. */
    public float atomicAdd(long i, long j, long k, float value) {
        return Atomics.add(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at most a value, as {@code Math.min} has it, in one step that no other atomic one divides; gives what it was. */
    public float atomicMin(long i, float value) {
        return Atomics.min(at(i, SHIFT), value);
    }

    /** As {@link #atomicMin(long, float)} with 2 indices. */
    public float atomicMin(long i, long j, float value) {
        return Atomics.min(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMin(long, float)} with 3 indices. */
    public float atomicMin(long i, long j, long k, float value) {
        return Atomics.min(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at least a value, as {@code Math.max} has it, in one step that no other atomic one divides; gives what it was. */
    public float atomicMax(long i, float value) {
        return Atomics.max(at(i, SHIFT), value);
    }

    /** As {@link #atomicMax(long, float)} with 2 indices. */
    public float atomicMax(long i, long j, float value) {
        return Atomics.max(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMax(long, float)} with 3 indices. */
    public float atomicMax(long i, long j, long k, float value) {
        return Atomics.max(at(i, j, k, SHIFT), value);
    }

    /** Sets an element, in one step that no other atomic one divides; gives what it was. */
    public float atomicExchange(long i, float value) {
        return Atomics.exchange(at(i, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, float)} with 2 indices. */
    public float atomicExchange(long i, long j, float value) {
        return Atomics.exchange(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, float)} with 3 indices. */
    public float atomicExchange(long i, long j, long k, float value) {
        return Atomics.exchange(at(i, j, k, SHIFT), value);
    }
}
