package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.penstock.kernel.jvm.Atomics;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of 32-bit integers. */
public final class Ints extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 2;

    Ints(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Ints of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Ints of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Ints(buffer, offset, ViewLayout.of(Ints.class, shape, strides));
    }

    /** The element at one index; {@link ElementView} says which views have one. */
    public int get(long i) {
        return HostMemory.ALL.get(JAVA_INT_UNALIGNED, at(i, SHIFT));
    }

    /** The element in row {@code i} and column {@code j}. */
    public int get(long i, long j) {
        return HostMemory.ALL.get(JAVA_INT_UNALIGNED, at(i, j, SHIFT));
    }

    /** The element in plane {@code i}, row {@code j} and column {@code k}. */
    public int get(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_INT_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** Sets the element at one index. */
    public void set(long i, int value) {
        HostMemory.ALL.set(JAVA_INT_UNALIGNED, at(i, SHIFT), value);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, int value) {
        HostMemory.ALL.set(JAVA_INT_UNALIGNED, at(i, j, SHIFT), value);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, int value) {
        HostMemory.ALL.set(JAVA_INT_UNALIGNED, at(i, j, k, SHIFT), value);
    }

    /** Adds a value to an element, in one step that no other atomic one divides; gives what it was. */
    public int atomicAdd(long i, int value) {
        return Atomics.add(at(i, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, int)} with 2 indices. */
    public int atomicAdd(long i, long j, int value) {
        return Atomics.add(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, int)} with 3 indices. */
    public int atomicAdd(long i, long j, long k, int value) {
        return Atomics.add(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at most a value, as {@code Math.min} has it, in one step that no other atomic one divides; gives what it was. */
    public int atomicMin(long i, int value) {
        return Atomics.min(at(i, SHIFT), value);
    }

    /** As {@link #atomicMin(long, int)} with 2 indices. */
    public int atomicMin(long i, long j, int value) {
        return Atomics.min(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMin(long, int)} with 3 indices. */
    public int atomicMin(long i, long j, long k, int value) {
        return Atomics.min(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at least a value, as {@code Math.max} has it, in one step that no other atomic one divides; gives what it was. */
    public int atomicMax(long i, int value) {
        return Atomics.max(at(i, SHIFT), value);
    }

    /** As {@link #atomicMax(long, int)} with 2 indices. */
    public int atomicMax(long i, long j, int value) {
        return Atomics.max(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMax(long, int)} with 3 indices. */
    public int atomicMax(long i, long j, long k, int value) {
        return Atomics.max(at(i, j, k, SHIFT), value);
    }

    /** Keeps the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public int atomicAnd(long i, int value) {
        return Atomics.and(at(i, SHIFT), value);
    }

    /** As {@link #atomicAnd(long, int)} with 2 indices. */
    public int atomicAnd(long i, long j, int value) {
        return Atomics.and(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAnd(long, int)} with 3 indices. */
    public int atomicAnd(long i, long j, long k, int value) {
        return Atomics.and(at(i, j, k, SHIFT), value);
    }

    /** Sets the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public int atomicOr(long i, int value) {
        return Atomics.or(at(i, SHIFT), value);
    }

    /** As {@link #atomicOr(long, int)} with 2 indices. */
    public int atomicOr(long i, long j, int value) {
        return Atomics.or(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicOr(long, int)} with 3 indices. */
    public int atomicOr(long i, long j, long k, int value) {
        return Atomics.or(at(i, j, k, SHIFT), value);
    }

    /** Inverts the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public int atomicXor(long i, int value) {
        return Atomics.xor(at(i, SHIFT), value);
    }

    /** As {@link #atomicXor(long, int)} with 2 indices. */
    public int atomicXor(long i, long j, int value) {
        return Atomics.xor(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicXor(long, int)} with 3 indices. */
    public int atomicXor(long i, long j, long k, int value) {
        return Atomics.xor(at(i, j, k, SHIFT), value);
    }

    /** Sets an element, in one step that no other atomic one divides; gives what it was. */
    public int atomicExchange(long i, int value) {
        return Atomics.exchange(at(i, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, int)} with 2 indices. */
    public int atomicExchange(long i, long j, int value) {
        return Atomics.exchange(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, int)} with 3 indices. */
    public int atomicExchange(long i, long j, long k, int value) {
        return Atomics.exchange(at(i, j, k, SHIFT), value);
    }

    /** Sets an element where it is as expected, in one step; gives what it was. */
    public int atomicCompareExchange(long i, int expected, int value) {
        return Atomics.compareExchange(at(i, SHIFT), expected, value);
    }

    /** As {@link #atomicCompareExchange(long, int, int)} with 2 indices. */
    public int atomicCompareExchange(long i, long j, int expected, int value) {
        return Atomics.compareExchange(at(i, j, SHIFT), expected, value);
    }

    /** As {@link #atomicCompareExchange(long, int, int)} with 3 indices. */
    public int atomicCompareExchange(long i, long j, long k, int expected, int value) {
        return Atomics.compareExchange(at(i, j, k, SHIFT), expected, value);
    }

    /** Sets an element where it is as expected, in one step; whether it was. */
    public boolean atomicCompareAndSet(long i, int expected, int value) {
        return Atomics.compareExchange(at(i, SHIFT), expected, value) == expected;
    }

    /** As {@link #atomicCompareAndSet(long, int, int)} with 2 indices. */
    public boolean atomicCompareAndSet(long i, long j, int expected, int value) {
        return Atomics.compareExchange(at(i, j, SHIFT), expected, value) == expected;
    }

    /** As {@link #atomicCompareAndSet(long, int, int)} with 3 indices. */
    public boolean atomicCompareAndSet(long i, long j, long k, int expected, int value) {
        return Atomics.compareExchange(at(i, j, k, SHIFT), expected, value) == expected;
    }
}
