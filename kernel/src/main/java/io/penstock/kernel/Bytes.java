package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of bytes, signed as Java's are; {@code b & 0xff} is the unsigned value. */
public final class Bytes extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 0;

    Bytes(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static Bytes of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static Bytes of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new Bytes(buffer, offset, ViewLayout.of(Bytes.class, shape, strides));
    }

    /** The element at one index; {@link ElementView} says which views have one. */
    public byte get(long i) {
        return HostMemory.ALL.get(JAVA_BYTE, at(i, SHIFT));
    }

    /** The element in row {@code i} and column {@code j}. */
    public byte get(long i, long j) {
        return HostMemory.ALL.get(JAVA_BYTE, at(i, j, SHIFT));
    }

    /** The element in plane {@code i}, row {@code j} and column {@code k}. */
    public byte get(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_BYTE, at(i, j, k, SHIFT));
    }

    /** Sets the element at one index. */
    public void set(long i, byte value) {
        HostMemory.ALL.set(JAVA_BYTE, at(i, SHIFT), value);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, byte value) {
        HostMemory.ALL.set(JAVA_BYTE, at(i, j, SHIFT), value);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, byte value) {
        HostMemory.ALL.set(JAVA_BYTE, at(i, j, k, SHIFT), value);
    }
}
