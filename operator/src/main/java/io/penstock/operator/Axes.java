package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import java.util.List;
import java.util.stream.IntStream;

/** Checks of the parameters that operators along axes share. */
final class Axes {
    private Axes() {}

    /** A non-negative axis for one that may count from the end. */
    static int index(int axis, int dimensions) {
        int k = axis < 0 ? axis + dimensions : axis;
        if (k < 0 || k >= dimensions)
            throw new IllegalArgumentException("axis is " + axis + "; expected " + -dimensions + " to "
                    + (dimensions - 1) + " for arrays of " + dimensions + " dimensions");
        return k;
    }

    /** Non-negative axes for ones that may count from the end, none of which may be named twice. */
    static int[] distinct(List<Integer> axes, int dimensions) {
        int[] indices = axes.stream().mapToInt(axis -> index(axis, dimensions)).toArray();
        if (IntStream.of(indices).distinct().count() < indices.length)
            throw new IllegalArgumentException("axes is " + axes + "; expected each axis once");
        return indices;
    }

    /** Every axis of arrays of so many dimensions. */
    static int[] all(int dimensions) {
        return IntStream.range(0, dimensions).toArray();
    }

    static void requireSampling(double sampling) {
        if (!Double.isFinite(sampling) || sampling == 0)
            throw new IllegalArgumentException("sampling is " + sampling + "; expected a finite number other than 0");
    }

    static ArraySpace requireFloating(ArraySpace space) {
        requireFloating(space.dtype());
        return space;
    }

    static DType requireFloating(DType dtype) {
        if (dtype.isInteger())
            throw new IllegalArgumentException(
                    "the elements are " + dtype + "; expected a floating-point type, such as " + DType.F64);
        return dtype;
    }
}
