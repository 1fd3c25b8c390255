package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import java.util.Arrays;

/**
 * Products of matrices with matrices and vectors.
 *
 * <p>Rows of the result are weighted sums of rows of the right matrix, which is the loop of {@link Taps}; it is cut into panels
 * of the right matrix that stay in cache. Products with a vector read the matrix once.
 */
final class MatrixProduct {
    /** Rows of the right matrix in a panel, which stays in the nearest cache. */
    private static final int TILE_ROWS = 32;
    /** Bytes of a row in a panel. */
    private static final long TILE_ROW_BYTES = 1024;
    /** Columns that are added to a vector at once. */
    private static final int PANEL = 128;
    /** Bytes of a vector that columns are added to at once. */
    private static final long PANEL_ROW = 4096;
    /** Multiplications worth a core of their own. */
    private static final long WORK = 1 << 17;

    private MatrixProduct() {}

    /** NumPy's matmul: the last two axes are matrices, the ones before broadcast; a vector is a column, or a row on the left. */
    static NDArray matmul(NDArray a, NDArray b) {
        if (a.ndim() == 0 || b.ndim() == 0)
            throw new IllegalArgumentException("shapes " + Shapes.describe(a.shape()) + " and "
                    + Shapes.describe(b.shape()) + "; expected at least one dimension each (multiply scales)");
        if (a.ndim() == 1) return squeezed(matmul(a.expandDims(0), b), b.ndim() == 1 ? -1 : -2);
        if (b.ndim() == 1) return matmul(a, b.expandDims(1)).squeeze(-1);
        long[] batch = Shapes.broadcast(Arrays.copyOf(a.shape(), a.ndim() - 2), Arrays.copyOf(b.shape(), b.ndim() - 2));
        long[] shape = Arrays.copyOf(batch, batch.length + 2);
        shape[batch.length] = a.dim(-2);
        shape[batch.length + 1] = b.dim(-1);
        if (a.dim(-1) != b.dim(-2))
            throw mismatch(a, b, "the last extent of the left to be the last but one of the right");
        NDArray c = NDArray.empty(Placement.of(a, b), a.dtype().promote(b.dtype()), shape);
        into(c, spread(a, batch), spread(b, batch));
        return c;
    }

    private static NDArray squeezed(NDArray product, int axis) {
        return product.ndim() == 1 ? product.squeeze(0) : product.squeeze(axis);
    }

    private static NDArray spread(NDArray a, long[] batch) {
        long[] shape = Arrays.copyOf(batch, batch.length + 2);
        shape[batch.length] = a.dim(-2);
        shape[batch.length + 1] = a.dim(-1);
        return a.broadcastTo(shape);
    }

    private static IllegalArgumentException mismatch(NDArray a, NDArray b, String expected) {
        return new IllegalArgumentException("shapes " + Shapes.describe(a.shape()) + " and "
                + Shapes.describe(b.shape()) + " do not multiply; expected " + expected);
    }

    private static void into(NDArray c, NDArray a, NDArray b) {
        if (c.ndim() > 2) {
            for (long i = 0; i < c.dim(0); i++) into(c.at(0, i), a.at(0, i), b.at(0, i));
            return;
        }
        if (c.dtype().isInteger()) whole(c, a, b);
        else product(c, a.as(c.dtype()), b.as(c.dtype()), false);
    }

    /** {@code y = a x}, or {@code y = conj(a)^T x} for the adjoint; {@code x} and {@code y} are vectors or matrices. */
    static void into(NDArray y, NDArray a, NDArray x, boolean adjoint) {
        if (a.ndim() != 2)
            throw new IllegalArgumentException(
                    "shape " + Shapes.describe(a.shape()) + " has " + a.ndim() + " dimensions; expected a matrix of 2");
        NDArray matrix = adjoint ? a.transpose() : a;
        if (x.ndim() < 1 || x.ndim() > 2 || x.dim(0) != matrix.dim(1))
            throw mismatch(matrix, x, "a vector or matrix of " + matrix.dim(1) + " rows");
        long[] shape = x.shape();
        shape[0] = matrix.dim(0);
        DType dtype = a.dtype().promote(x.dtype());
        if (!Arrays.equals(y.shape(), shape) || y.dtype() != dtype || dtype.isInteger())
            throw new IllegalArgumentException("y is an array of " + y.dtype() + " and shape "
                    + Shapes.describe(y.shape()) + "; expected a floating-point one of " + dtype + " and shape "
                    + Shapes.describe(shape));
        NDArray input = x.as(dtype);
        if (Overlap.ranges(y, input)) input = input.copy();
        boolean vector = x.ndim() == 1;
        product(
                vector ? y.expandDims(1) : y,
                matrix.as(dtype),
                vector ? input.expandDims(1) : input,
                adjoint && dtype.isComplex() && a.dtype().isComplex());
        Alive.until(y, x);
        Alive.until(a);
    }

    /** {@code c = a b}, with the elements of {@code a} conjugated if asked; all of one floating-point type. */
    private static void product(NDArray c, NDArray a, NDArray b, boolean conjugate) {
        if (c.size() == 0) return;
        if (a.dim(1) == 0) {
            c.fill(0);
            return;
        }
        if (Placement.isElsewhere(c, a, b)) DeviceProduct.product(c, a, b, conjugate);
        else Queued.run(() -> here(c, a, b, conjugate), c, a, b);
    }

    private static void here(NDArray c, NDArray a, NDArray b, boolean conjugate) {
        if (c.dim(1) == 1) {
            vector(c.at(1, 0), a, b.at(1, 0), conjugate);
            return;
        }
        NDArray right = b.strides()[1] == 1 ? b : b.copy();
        NDArray target = c.strides()[1] == 1 ? c : NDArray.empty(c.device(), c.dtype(), c.shape());
        if (c.dtype().isComplex()) ComplexProduct.panels(target, a, right, conjugate);
        else panels(target, a, right);
        if (target != c) {
            c.assign(target);
            target.close();
        }
        if (right != b) right.close();
        Alive.until(a, right);
    }

    private static void panels(NDArray c, NDArray a, NDArray b) {
        long columns = c.dim(1);
        long depth = a.dim(1);
        long grain = Math.max(1, WORK / Math.max(1, columns * depth));
        Device.jvm().queue().parallel(c.dim(0), grain, (from, to) -> {
            try (NDArray panel = NDArray.onHost(
                    c.dtype(), TILE_ROWS, TILE_ROW_BYTES / c.dtype().bytes())) {
                long width = panel.dim(1);
                for (long j = 0; j < columns; j += width)
                    for (long k = 0; k < depth; k += TILE_ROWS) {
                        NDArray part =
                                b.slice(0, k, Math.min(k + TILE_ROWS, depth)).slice(1, j, Math.min(j + width, columns));
                        onto(c, a, panel, part, from, to, j, k);
                    }
            }
        });
    }

    /** Adds the products with a part of the right matrix, copied to {@code panel}, to rows {@code from} to {@code to}. */
    private static void onto(NDArray c, NDArray a, NDArray panel, NDArray part, long from, long to, long j, long k) {
        DType dtype = c.dtype();
        int taps = (int) part.dim(0);
        long n = part.dim(1);
        long[] strides = c.strides();
        double[] weights = new double[taps];
        long[] offsets = new long[taps];
        for (int t = 0; t < taps; t++) {
            offsets[t] = t * panel.dim(1);
            Convert.copy(
                    dtype.bytes(),
                    part.addressToRead() + t * part.strides()[0] * dtype.bytes(),
                    dtype.bytes(),
                    panel.address() + offsets[t] * dtype.bytes(),
                    dtype.bytes(),
                    n);
        }
        for (long i = from; i < to; i++) {
            gather(a, i, k, weights, taps);
            long y = c.address() + (i * strides[0] + j) * dtype.bytes();
            Taps.apply(dtype, y, panel.address(), n, weights, offsets, taps, k > 0);
        }
    }

    /** Reads {@code taps} elements of row {@code i} of {@code a}, of F32 or F64, from column {@code k}. */
    private static void gather(NDArray a, long i, long k, double[] weights, int taps) {
        long[] strides = a.strides();
        long step = strides[1] * a.dtype().bytes();
        long at = a.addressToRead() + i * strides[0] * a.dtype().bytes() + k * step;
        if (a.dtype() == DType.F64)
            for (int t = 0; t < taps; t++) weights[t] = HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, at + t * step);
        else for (int t = 0; t < taps; t++) weights[t] = HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, at + t * step);
    }

    private static void vector(NDArray y, NDArray a, NDArray x, boolean conjugate) {
        NDArray matrix = a.strides()[0] == 1 || a.strides()[1] == 1 ? a : a.copy();
        boolean rows = matrix.strides()[1] == 1 || matrix.dim(1) == 1;
        boolean complex = y.dtype().isComplex();
        NDArray in = rows && !x.isContiguous() ? x.copy() : x;
        NDArray out = y.isContiguous() ? y : NDArray.empty(y.device(), y.dtype(), y.shape());
        if (rows) byRows(out, matrix, in, conjugate);
        else if (complex) ComplexProduct.byColumns(out, matrix, in, conjugate);
        else byColumns(out, matrix, in);
        if (out != y) {
            y.assign(out);
            out.close();
        }
        if (in != x) in.close();
        if (matrix != a) matrix.close();
        Alive.until(in, matrix);
    }

    /** Each element of {@code y} is an inner product with a row. */
    private static void byRows(NDArray y, NDArray a, NDArray x, boolean conjugate) {
        DType dtype = y.dtype();
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long n = a.dim(1);
        long pitch = a.strides()[0] * dtype.bytes();
        NDArray in = dtype.isComplex() && !conjugate ? x.conj() : x;
        Device.jvm().queue().parallel(y.size(), Math.max(1, WORK / n), (from, to) -> {
            double[] sum = new double[2];
            for (long i = from; i < to; i++) {
                long row = a.addressToRead() + i * pitch;
                if (!dtype.isComplex()) sum[0] = loops.dot(row, in.addressToRead(), n);
                else if (conjugate) loops.dotComplex(row, in.addressToRead(), n, sum, 0);
                else loops.dotComplex(in.addressToRead(), row, n, sum, 0);
                Elements.set(dtype, y.address() + i * dtype.bytes(), sum[0], sum[1]);
            }
        });
        if (in != x) in.close();
        Alive.until(in);
    }

    /** {@code y} is a weighted sum of columns that lie contiguously. */
    private static void byColumns(NDArray y, NDArray a, NDArray x) {
        DType dtype = y.dtype();
        long depth = a.dim(1);
        long pitch = a.strides()[1];
        Device.jvm().queue().parallel(y.size(), Math.max(PANEL_ROW / dtype.bytes(), WORK / depth), (from, to) -> {
            double[] weights = new double[(int) Math.min(PANEL, depth)];
            long[] offsets = new long[weights.length];
            for (int t = 0; t < offsets.length; t++) offsets[t] = t * pitch;
            long width = PANEL_ROW / dtype.bytes();
            for (long j = from; j < to; j += width)
                for (long k = 0; k < depth; k += PANEL) {
                    int taps = (int) Math.min(PANEL, depth - k);
                    gather(x.expandDims(0), 0, k, weights, taps);
                    long column = a.addressToRead() + (k * pitch + j) * dtype.bytes();
                    long at = y.address() + j * dtype.bytes();
                    Taps.apply(dtype, at, column, Math.min(width, to - j), weights, offsets, taps, k > 0);
                }
        });
    }

    /** The definition, for whole numbers. */
    private static void whole(NDArray c, NDArray a, NDArray b) {
        NDArray left = a.as(DType.I64);
        NDArray right = b.as(DType.I64);
        NDArray sums = NDArray.empty(c.device(), DType.I64, c.shape());
        sums.fill(0);
        for (long k = 0; k < a.dim(1); k++) {
            NDArray column = left.slice(1, k, k + 1);
            try (NDArray term = column.multiply(right.slice(0, k, k + 1))) {
                sums.addInPlace(term);
            }
        }
        c.set(sums);
    }
}
