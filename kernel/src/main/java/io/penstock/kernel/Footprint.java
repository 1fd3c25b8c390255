package io.penstock.kernel;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which elements of a buffer a shape with strides reaches. */
final class Footprint {
    private Footprint() {}

    /** The number of elements of a shape. */
    static long length(long[] shape) {
        long length = 1;
        for (int k = 0; k < shape.length; k++) {
            if (shape[k] < 0)
                throw new IllegalArgumentException("shape " + describe(shape) + " has extent " + shape[k]
                        + " in dimension " + k + "; expected 0 or more");
            if (shape[k] == 0) length = 0;
        }
        if (length == 0) return 0;
        try {
            for (long extent : shape) length = Math.multiplyExact(length, extent);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("shape " + describe(shape) + " has more than 2^63 - 1 elements", e);
        }
        return length;
    }

    /** The strides of a shape in C order. */
    static long[] rowMajor(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int k = shape.length - 1; k >= 0; k--) {
            strides[k] = stride;
            stride *= Math.max(shape[k], 1);
        }
        return strides;
    }

    static boolean isRowMajor(long[] shape, long[] strides) {
        long expected = 1;
        for (int k = shape.length - 1; k >= 0; k--) {
            if (shape[k] == 0) return true;
            if (shape[k] != 1 && strides[k] != expected) return false;
            expected *= shape[k];
        }
        return true;
    }

    /** Checks that the elements reached lie within a buffer; offset and strides count elements. */
    static void check(long bufferBytes, int bytes, long offset, long[] shape, long[] strides) {
        long elements = bufferBytes / bytes;
        boolean inside;
        try {
            long lowest = offset;
            long highest = offset;
            boolean empty = length(shape) == 0;
            for (int k = 0; k < shape.length && !empty; k++) {
                long reach = Math.multiplyExact(strides[k], shape[k] - 1);
                if (reach < 0) lowest = Math.addExact(lowest, reach);
                else highest = Math.addExact(highest, reach);
            }
            inside = lowest >= 0 && (empty ? highest <= elements : highest < elements);
        } catch (ArithmeticException e) {
            inside = false;
        }
        if (!inside)
            throw new IndexOutOfBoundsException("shape " + describe(shape) + " with strides " + describe(strides)
                    + " at offset " + offset + " does not lie within a buffer of " + elements + " elements of " + bytes
                    + " bytes");
    }

    static String describe(long[] shape) {
        return Arrays.stream(shape)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(", ", "(", shape.length == 1 ? ",)" : ")"));
    }
}
