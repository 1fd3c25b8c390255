package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of 64-bit integers. */
public final class Longs extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 3;

    private Longs(Buffer buffer, long offset, long[] shape, long[] strides) {
        super(buffer, SHIFT, offset, shape, strides);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Longs of(Buffer buffer, long... shape) {
        return new Longs(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Longs of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Longs(buffer, offset, shape, strides);
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
}
