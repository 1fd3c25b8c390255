package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.kernel.jvm.Atomics;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of 64-bit integers. */
public final class Longs extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 3;

    Longs(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Longs of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Longs of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Longs(buffer, offset, ViewLayout.of(Longs.class, shape, strides));
    }

    /** The element at one index; {@link ElementView} says which views have one. */
    public long get(long i) {
        return HostMemory.ALL.get(JAVA_LONG_UNALIGNED, at(i, SHIFT));
    }

    /** The element in row {@code i} and column {@code j}. */
    public long get(long i, long j) {
        return HostMemory.ALL.get(JAVA_LONG_UNALIGNED, at(i, j, SHIFT));
    }

    /** The element in plane {@code i}, row {@code j} and column {@code k}. */
    public long get(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_LONG_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** Sets the element at one index. */
    public void set(long i, long value) {
        HostMemory.ALL.set(JAVA_LONG_UNALIGNED, at(i, SHIFT), value);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, long value) {
        HostMemory.ALL.set(JAVA_LONG_UNALIGNED, at(i, j, SHIFT), value);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, long value) {
        HostMemory.ALL.set(JAVA_LONG_UNALIGNED, at(i, j, k, SHIFT), value);
    }

    /** Adds a value to an element, in one step that no other atomic one divides; gives what it was. */
    public long atomicAdd(long i, long value) {
        return Atomics.add(at(i, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, long)} with 2 indices. */
    public long atomicAdd(long i, long j, long value) {
        return Atomics.add(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAdd(long, long)} with 3 indices. */
    public long atomicAdd(long i, long j, long k, long value) {
        return Atomics.add(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at most a value, as {@code Math.min} has it, in one step that no other atomic one divides; gives what it was. */
    public long atomicMin(long i, long value) {
        return Atomics.min(at(i, SHIFT), value);
    }

    /** As {@link #atomicMin(long, long)} with 2 indices. */
    public long atomicMin(long i, long j, long value) {
        return Atomics.min(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMin(long, long)} with 3 indices. */
    public long atomicMin(long i, long j, long k, long value) {
        return Atomics.min(at(i, j, k, SHIFT), value);
    }

    /** Makes an element at least a value, as {@code Math.max} has it, in one step that no other atomic one divides; gives what it was. */
    public long atomicMax(long i, long value) {
        return Atomics.max(at(i, SHIFT), value);
    }

    /** As {@link #atomicMax(long, long)} with 2 indices. */
    public long atomicMax(long i, long j, long value) {
        return Atomics.max(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicMax(long, long)} with 3 indices. */
    public long atomicMax(long i, long j, long k, long value) {
        return Atomics.max(at(i, j, k, SHIFT), value);
    }

    /** Keeps the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public long atomicAnd(long i, long value) {
        return Atomics.and(at(i, SHIFT), value);
    }

    /** As {@link #atomicAnd(long, long)} with 2 indices. */
    public long atomicAnd(long i, long j, long value) {
        return Atomics.and(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicAnd(long, long)} with 3 indices. */
    public long atomicAnd(long i, long j, long k, long value) {
        return Atomics.and(at(i, j, k, SHIFT), value);
    }

    /** Sets the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public long atomicOr(long i, long value) {
        return Atomics.or(at(i, SHIFT), value);
    }

    /** As {@link #atomicOr(long, long)} with 2 indices. */
    public long atomicOr(long i, long j, long value) {
        return Atomics.or(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicOr(long, long)} with 3 indices. */
    public long atomicOr(long i, long j, long k, long value) {
        return Atomics.or(at(i, j, k, SHIFT), value);
    }

    /** Inverts the bits of an element that are set in a value, in one step that no other atomic one divides; gives what it was. */
    public long atomicXor(long i, long value) {
        return Atomics.xor(at(i, SHIFT), value);
    }

    /** As {@link #atomicXor(long, long)} with 2 indices. */
    public long atomicXor(long i, long j, long value) {
        return Atomics.xor(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicXor(long, long)} with 3 indices. */
    public long atomicXor(long i, long j, long k, long value) {
        return Atomics.xor(at(i, j, k, SHIFT), value);
    }

    /** Sets an element, in one step that no other atomic one divides; gives what it was. */
    public long atomicExchange(long i, long value) {
        return Atomics.exchange(at(i, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, long)} with 2 indices. */
    public long atomicExchange(long i, long j, long value) {
        return Atomics.exchange(at(i, j, SHIFT), value);
    }

    /** As {@link #atomicExchange(long, long)} with 3 indices. */
    public long atomicExchange(long i, long j, long k, long value) {
        return Atomics.exchange(at(i, j, k, SHIFT), value);
    }

    /** Sets an element where it is as expected, in one step; gives what it was. */
    public long atomicCompareExchange(long i, long expected, long value) {
        return Atomics.compareExchange(at(i, SHIFT), expected, value);
    }

    /** As {@link #atomicCompareExchange(long, long, long)} with 2 indices. */
    public long atomicCompareExchange(long i, long j, long expected, long value) {
        return Atomics.compareExchange(at(i, j, SHIFT), expected, value);
    }

    /** As {@link #atomicCompareExchange(long, long, long)} with 3 indices. */
    public long atomicCompareExchange(long i, long j, long k, long expected, long value) {
        return Atomics.compareExchange(at(i, j, k, SHIFT), expected, value);
    }

    /** Sets an element where it is as expected, in one step; whether it was. */
    public boolean atomicCompareAndSet(long i, long expected, long value) {
        return Atomics.compareExchange(at(i, SHIFT), expected, value) == expected;
    }

    /** As {@link #atomicCompareAndSet(long, long, long)} with 2 indices. */
    public boolean atomicCompareAndSet(long i, long j, long expected, long value) {
        return Atomics.compareExchange(at(i, j, SHIFT), expected, value) == expected;
    }

    /** As {@link #atomicCompareAndSet(long, long, long)} with 3 indices. */
    public boolean atomicCompareAndSet(long i, long j, long k, long expected, long value) {
        return Atomics.compareExchange(at(i, j, k, SHIFT), expected, value) == expected;
    }
}
