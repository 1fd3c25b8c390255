package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;

/** A view of complex numbers of two double-precision parts, the real part first. */
public final class ComplexDoubles extends ElementView {
    /** The binary logarithm of an element's bytes. */
    private static final int SHIFT = 4;

    ComplexDoubles(Buffer buffer, long offset, ViewLayout layout) {
        super(buffer, offset, layout);
    }

    /** The elements at the start of a buffer, in C order. */
    public static ComplexDoubles of(Buffer buffer, long... shape) {
        return of(buffer, 0, shape, Footprint.rowMajor(shape));
    }

    /**
     * Elements of a buffer.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public static ComplexDoubles of(Buffer buffer, long offset, long[] shape, long[] strides) {
        return new ComplexDoubles(buffer, offset, ViewLayout.of(ComplexDoubles.class, shape, strides));
    }

    /** The real part of the element at one index; {@link ElementView} says which views have one. */
    public double getRe(long i) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, SHIFT));
    }

    /** The real part of the element in row {@code i} and column {@code j}. */
    public double getRe(long i, long j) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, SHIFT));
    }

    /** The real part of the element in plane {@code i}, row {@code j} and column {@code k}. */
    public double getRe(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, k, SHIFT));
    }

    /** The imaginary part of the element at one index. */
    public double getIm(long i) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, SHIFT) + Double.BYTES);
    }

    /** The imaginary part of the element in row {@code i} and column {@code j}. */
    public double getIm(long i, long j) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, SHIFT) + Double.BYTES);
    }

    /** The imaginary part of the element in plane {@code i}, row {@code j} and column {@code k}. */
    public double getIm(long i, long j, long k) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at(i, j, k, SHIFT) + Double.BYTES);
    }

    /** Sets the element at one index. */
    public void set(long i, double re, double im) {
        put(at(i, SHIFT), re, im);
    }

    /** Sets the element in row {@code i} and column {@code j}. */
    public void set(long i, long j, double re, double im) {
        put(at(i, j, SHIFT), re, im);
    }

    /** Sets the element in plane {@code i}, row {@code j} and column {@code k}. */
    public void set(long i, long j, long k, double re, double im) {
        put(at(i, j, k, SHIFT), re, im);
    }

    private static void put(long address, double re, double im) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, re);
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address + Double.BYTES, im);
    }
}
