package io.penstock.array;

import java.util.Arrays;

/** Other shapes and strides over an array's memory. */
final class Views {
    private Views() {}

    static NDArray slice(NDArray a, int axis, long from, long to, long step) {
        long[] shape = a.shape();
        long[] strides = a.strides();
        int k = Shapes.axis(axis, shape.length);
        if (from < 0 || to < from || to > shape[k])
            throw new IndexOutOfBoundsException(
                    "slice " + from + " to " + to + " along axis " + k + " does not lie within its extent " + shape[k]);
        if (step < 1) throw new IllegalArgumentException("step is " + step + "; expected 1 or more (flip reverses)");
        long start = to == from ? 0 : from * strides[k];
        shape[k] = (to - from + step - 1) / step;
        strides[k] *= step;
        return a.view(shape, strides, start);
    }

    static NDArray at(NDArray a, int axis, long index) {
        int k = Shapes.axis(axis, a.ndim());
        if (index < 0 || index >= a.dim(k))
            throw new IndexOutOfBoundsException("index " + index + " in dimension " + k + "; expected 0 to "
                    + (a.dim(k) - 1) + " for shape " + Shapes.describe(a.shape()));
        return a.view(without(a.shape(), k), without(a.strides(), k), index * a.strides()[k]);
    }

    private static long[] without(long[] values, int k) {
        long[] result = new long[values.length - 1];
        System.arraycopy(values, 0, result, 0, k);
        System.arraycopy(values, k + 1, result, k, result.length - k);
        return result;
    }

    private static long[] with(long[] values, int k, long value) {
        long[] result = new long[values.length + 1];
        System.arraycopy(values, 0, result, 0, k);
        result[k] = value;
        System.arraycopy(values, k, result, k + 1, values.length - k);
        return result;
    }

    static NDArray transpose(NDArray a, int... axes) {
        int n = a.ndim();
        if (axes.length != n && axes.length != 0)
            throw new IllegalArgumentException(
                    "axes is " + Arrays.toString(axes) + "; expected each of " + n + " axes once");
        Shapes.axes(axes, n);
        long[] shape = new long[n];
        long[] strides = new long[n];
        for (int k = 0; k < n; k++) {
            int axis = axes.length == 0 ? n - 1 - k : Shapes.axis(axes[k], n);
            shape[k] = a.dim(axis);
            strides[k] = a.strides()[axis];
        }
        return a.view(shape, strides, 0);
    }

    static NDArray flip(NDArray a, int... axes) {
        boolean[] flipped = Shapes.axes(axes, a.ndim());
        long[] strides = a.strides();
        long start = 0;
        for (int k = 0; k < strides.length; k++) {
            if (!flipped[k]) continue;
            if (a.dim(k) > 0) start += (a.dim(k) - 1) * strides[k];
            strides[k] = -strides[k];
        }
        return a.view(a.shape(), strides, start);
    }

    static NDArray squeeze(NDArray a, int... axes) {
        boolean[] dropped = Shapes.axes(axes, a.ndim());
        long[] shape = a.shape();
        long[] strides = a.strides();
        int kept = 0;
        for (int k = 0; k < shape.length; k++) {
            if (dropped[k] && shape[k] == 1) continue;
            if (dropped[k] && axes.length > 0)
                throw new IllegalArgumentException(
                        "axis " + k + " has extent " + shape[k] + "; expected 1 to squeeze it");
            shape[kept] = shape[k];
            strides[kept++] = strides[k];
        }
        return a.view(Arrays.copyOf(shape, kept), Arrays.copyOf(strides, kept), 0);
    }

    static NDArray expandDims(NDArray a, int axis) {
        int k = Shapes.axis(axis, a.ndim() + 1);
        return a.view(with(a.shape(), k, 1), with(a.strides(), k, 0), 0);
    }

    static NDArray broadcastTo(NDArray a, long... shape) {
        long[] own = a.extents();
        if (Arrays.equals(own, shape)) return a;
        long[] strides = new long[shape.length];
        int added = shape.length - own.length;
        boolean fits = added >= 0;
        for (int k = 0; k < own.length && fits; k++) {
            fits = own[k] == 1 || own[k] == shape[added + k];
            strides[added + k] = own[k] == 1 ? 0 : a.steps()[k];
        }
        if (!fits)
            throw new IllegalArgumentException("shape " + Shapes.describe(own) + " does not broadcast to "
                    + Shapes.describe(shape) + "; expected extents that are equal or 1, counted from the last");
        return a.view(shape.clone(), strides, 0);
    }

    static NDArray diagonal(NDArray a) {
        if (a.ndim() != 2)
            throw new IllegalArgumentException(
                    "shape " + Shapes.describe(a.shape()) + " has " + a.ndim() + " dimensions; expected 2");
        long[] strides = a.strides();
        return a.view(new long[] {Math.min(a.dim(0), a.dim(1))}, new long[] {strides[0] + strides[1]}, 0);
    }
}
