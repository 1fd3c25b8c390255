package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.kernel.jvm.Atomics;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of double-precision numbers. */
public final class Doubles extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 3;

    Doubles(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Doubles of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Doubles of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Doubles(buffer, offset, ViewLayout.of(Doubles.class, shape, strides));
    }

    /** The element at one index; {@link ElementView} says which views have one. */
    public double get(long i) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, SHIFT));
    }

    /** The element in row {@code i} and column {@code j}. */
    public double get(long i, long j) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, SHIFT));
    }

    /** The element in plane {@code i}, row {@code j} and column {@code k}. */
    public double get(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** Sets the element at one index. */
    public void set(long i, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, at(i, SHIFT), value);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, at(i, j, SHIFT), value);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, at(i, j, k, SHIFT), value);
    }

    /** Adds a value to an element, in one step that no other atomic one divides; gives what it was. */
    public double atomicAdd(long i, double value) {
        return Atomics.add(at(i, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, double)} with 2 indices. */
    public double atomicAdd(long i, long j, double value) {
        return Atomics.add(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, double)} with 3 indices. */
    public double atomicAdd(long i, long j, long k, double value) {
        return Atomics.add(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at most a value, as {@code Math.min} has it, in one step that no other atomic one divides; gives what it was. */
    public double atomicMin(long i, double value) {
        return Atomics.min(at(i, SHIFT), value);
    }

    /** As {@link #atomicMin(long, double)} with 2 indices. */
    public double atomicMin(long i, long j, double value) {
        return Atomics.min(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMin(long, double)} with 3 indices. */
    public double atomicMin(long i, long j, long k, double value) {
        return Atomics.min(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at least a value, as {@code Math.max} has it, in one step that no other atomic one divides; gives what it was. */
    public double atomicMax(long i, double value) {
        return Atomics.max(at(i, SHIFT), value);
    }

    /** As {@link #atomicMax(long, double)} with 2 indices. */
    public double atomicMax(long i, long j, double value) {
        return Atomics.max(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMax(long, double)} with 3 indices. */
    public double atomicMax(long i, long j, long k, double value) {
        return Atomics.max(at(i, j, k, SHIFT), value);
    }

    /** Sets an element, in one step that no other atomic one divides; gives what it was. */
    public double atomicExchange(long i, double value) {
        return Atomics.exchange(at(i, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, double)} with 2 indices. */
    public double atomicExchange(long i, long j, double value) {
        return Atomics.exchange(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, double)} with 3 indices. */
    public double atomicExchange(long i, long j, long k, double value) {
        return Atomics.exchange(at(i, j, k, SHIFT), value);
    }
}
