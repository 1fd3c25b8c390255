package io.penstock.array;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Arithmetic on shapes and strides, both in elements. */
final class Shapes {
    private Shapes() {}

    /**
     * How many elements a shape holds.
     *
     * @throws IllegalArgumentException when an extent is negative or the product does not fit
     */
    static long size(long[] shape) {
        long size = 1;
        boolean empty = false;
        for (long extent : shape) {
            if (extent < 0)
                throw new IllegalArgumentException(
                        "shape " + describe(shape) + " has a negative extent; expected 0 or more");
            empty |= extent == 0;
        }
        if (empty) return 0;
        for (long extent : shape) {
            long high = Math.multiplyHigh(size, extent);
            size *= extent;
            if (high != 0 || size < 0)
                throw new IllegalArgumentException("shape " + describe(shape) + " has more than 2^63 elements");
        }
        return size;
    }

    /** The strides of a C-ordered array. */
    static long[] rowMajor(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int k = shape.length - 1; k >= 0; k--) {
            strides[k] = stride;
            stride *= Math.max(shape[k], 1);
        }
        return strides;
    }

    /** A non-negative axis for one that may count from the end. */
    static int axis(int axis, int dimensions) {
        int k = axis < 0 ? axis + dimensions : axis;
        if (dimensions == 0)
            throw new IllegalArgumentException("axis is " + axis + "; expected none for an array of 0 dimensions");
        if (k < 0 || k >= dimensions)
            throw new IllegalArgumentException("axis is " + axis + "; expected " + -dimensions + " to "
                    + (dimensions - 1) + " for an array of " + dimensions + " dimensions");
        return k;
    }

    /** The shape as NumPy writes it. */
    static String describe(long[] shape) {
        if (shape.length == 1) return "(" + shape[0] + ",)";
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    static List<Long> toList(long[] shape) {
        return Arrays.stream(shape).boxed().toList();
    }

    static long[] toArray(List<Long> shape) {
        return shape.stream().mapToLong(Long::longValue).toArray();
    }

    /**
     * The shape that two shapes broadcast to.
     *
     * @throws IllegalArgumentException when they do not
     */
    static long[] broadcast(long[] a, long[] b) {
        long[] shape = new long[Math.max(a.length, b.length)];
        for (int k = 1; k <= shape.length; k++) {
            long p = k <= a.length ? a[a.length - k] : 1;
            long q = k <= b.length ? b[b.length - k] : 1;
            if (p != q && p != 1 && q != 1)
                throw new IllegalArgumentException("shapes " + describe(a) + " and " + describe(b)
                        + " do not broadcast; expected extents that are equal or 1, counted from the last");
            shape[shape.length - k] = p == 1 ? q : p;
        }
        return shape;
    }

    /** The shape with one extent of -1 replaced by the one that makes {@code size} elements. */
    static long[] infer(long[] shape, long size) {
        int unknown = -1;
        long known = 1;
        for (int k = 0; k < shape.length; k++) {
            if (shape[k] != -1) known *= shape[k];
            else if (unknown < 0) unknown = k;
            else throw new IllegalArgumentException("shape " + describe(shape) + " has more than one -1");
        }
        long[] result = shape.clone();
        if (unknown >= 0) {
            if (known <= 0 || size % known != 0)
                throw new IllegalArgumentException(
                        "shape " + describe(shape) + " does not divide " + size + " elements");
            result[unknown] = size / known;
        }
        return result;
    }

    /** Which axes are named, negative ones counted from the end; all when none is. */
    static boolean[] axes(int[] axes, int dimensions) {
        boolean[] named = new boolean[dimensions];
        for (int axis : axes) {
            int k = axis(axis, dimensions);
            if (named[k])
                throw new IllegalArgumentException("axes is " + Arrays.toString(axes) + "; expected each axis once");
            named[k] = true;
        }
        if (axes.length == 0) Arrays.fill(named, true);
        return named;
    }
}
