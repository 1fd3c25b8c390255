package io.penstock.array;

import java.util.Arrays;

/** Arrays put together, padded and rolled, by copying parts. */
final class Joining {
    private Joining() {}

    static NDArray concatenate(int axis, NDArray... parts) {
        if (parts.length == 0) throw new IllegalArgumentException("parts is empty; expected at least one array");
        int k = Shapes.axis(axis, parts[0].ndim());
        long[] shape = parts[0].shape();
        DType dtype = parts[0].dtype();
        shape[k] = 0;
        for (int i = 0; i < parts.length; i++) {
            long[] other = parts[i].shape();
            if (other.length == shape.length) {
                shape[k] += other[k];
                other[k] = shape[k];
            }
            if (!Arrays.equals(other, shape))
                throw new IllegalArgumentException(
                        "part " + i + " has shape " + Shapes.describe(parts[i].shape()) + "; expected that of part 0, "
                                + Shapes.describe(parts[0].shape()) + ", except along axis " + k);
            dtype = dtype.promote(parts[i].dtype());
        }
        NDArray result = NDArray.empty(Placement.of(parts), dtype, shape);
        long from = 0;
        for (NDArray part : parts) {
            result.slice(k, from, from + part.dim(k)).set(part);
            from += part.dim(k);
        }
        return result;
    }

    static NDArray stack(int axis, NDArray... parts) {
        NDArray[] expanded = new NDArray[parts.length];
        for (int i = 0; i < parts.length; i++) expanded[i] = parts[i].expandDims(axis);
        return concatenate(axis, expanded);
    }

    static NDArray pad(NDArray x, double value, long... widths) {
        int n = x.ndim();
        if (widths.length != 2 * n)
            throw new IllegalArgumentException(
                    "widths has " + widths.length + " entries; expected " + 2 * n + ", before and after for each axis");
        long[] shape = x.shape();
        for (int k = 0; k < n; k++) {
            if (widths[2 * k] < 0 || widths[2 * k + 1] < 0)
                throw new IllegalArgumentException("widths is " + Arrays.toString(widths)
                        + "; expected none below 0 (slice makes arrays smaller)");
            shape[k] += widths[2 * k] + widths[2 * k + 1];
        }
        NDArray result = NDArray.empty(x.device(), x.dtype(), shape);
        result.fill(value);
        NDArray inner = result;
        for (int k = 0; k < n; k++) inner = inner.slice(k, widths[2 * k], widths[2 * k] + x.dim(k));
        inner.set(x);
        return result;
    }

    static NDArray roll(NDArray x, long shift, int axis) {
        int k = Shapes.axis(axis, x.ndim());
        NDArray result = NDArray.empty(x.device(), x.dtype(), x.shape());
        long n = x.dim(k);
        if (n == 0) return result;
        long by = Math.floorMod(shift, n);
        result.slice(k, by, n).set(x.slice(k, 0, n - by));
        result.slice(k, 0, by).set(x.slice(k, n - by, n));
        return result;
    }
}
