package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of complex numbers of two single-precision parts, the real part first. */
public final class ComplexFloats extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 3;

    ComplexFloats(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static ComplexFloats of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static ComplexFloats of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new ComplexFloats(buffer, offset, ViewLayout.of(ComplexFloats.class, shape, strides));
    }

    /** The real part of the element at one index; {@link ElementView} says which views have one. */
    public float getRe(long i) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, SHIFT));
    }

    /** The real part of the element in row {@code i} and column {@code j}. */
    public float getRe(long i, long j) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, SHIFT));
    }

    /** The real part of the element in plane {@code i}, row {@code j} and column {@code k}. */
    public float getRe(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** The imaginary part of the element at one index. */
    public float getIm(long i) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, SHIFT) + Float.BYTES);
    }

    /** The imaginary part of the element in row {@code i} and column {@code j}. */
    public float getIm(long i, long j) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, SHIFT) + Float.BYTES);
    }

    /** The imaginary part of the element in plane {@code i}, row {@code j} and column {@code k}. */
    public float getIm(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at(i, j, k, SHIFT) + Float.BYTES);
    }

    /** Sets the element at one index. */
    public void set(long i, float re, float im) {
        put(at(i, SHIFT), re, im);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, float re, float im) {
        put(at(i, j, SHIFT), re, im);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, float re, float im) {
        put(at(i, j, k, SHIFT), re, im);
    }

    private static void put(long address, float re, float im) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, re);
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address + Float.BYTES, im);
    }
}
