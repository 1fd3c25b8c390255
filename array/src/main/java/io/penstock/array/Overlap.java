package io.penstock.array;

import java.util.Arrays;

/** Which arrays share memory, so that an operation does not overwrite what it has still to read. */
final class Overlap {
    private Overlap() {}

    /** Whether the ranges of bytes that two arrays' elements span meet. */
    static boolean ranges(NDArray a, NDArray b) {
        if (a.buffer().allocation() != b.buffer().allocation() || a.size() == 0 || b.size() == 0) return false;
        return first(a) < end(b) && first(b) < end(a);
    }

    private static long first(NDArray a) {
        long[] shape = a.shape();
        long[] strides = a.strides();
        long first = a.buffer().offset() + a.startByte();
        for (int k = 0; k < shape.length; k++)
            if (strides[k] < 0) first += (shape[k] - 1) * strides[k] * a.dtype().bytes();
        return first;
    }

    private static long end(NDArray a) {
        long[] shape = a.shape();
        long[] strides = a.strides();
        long end = a.buffer().offset() + a.startByte() + a.dtype().bytes();
        for (int k = 0; k < shape.length; k++)
            if (strides[k] > 0) end += (shape[k] - 1) * strides[k] * a.dtype().bytes();
        return end;
    }

    /** The input {@code x} of an element-by-element operation that writes {@code output}: a copy where reading it directly would not be safe. */
    static NDArray safe(NDArray output, NDArray x) {
        return !ranges(output, x) || isSame(output, x) ? x : x.copy();
    }

    /** Whether two arrays are the same view of the same memory. */
    static boolean isSame(NDArray a, NDArray b) {
        return a.buffer().allocation() == b.buffer().allocation()
                && first(a) == first(b)
                && a.dtype() == b.dtype()
                && Arrays.equals(a.shape(), b.shape())
                && Arrays.equals(a.strides(), b.strides());
    }
}
