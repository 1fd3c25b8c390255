package io.penstock.array;

import io.penstock.runtime.Device;
import java.util.Arrays;

/**
 * Products of matrices with matrices and vectors.
 *
 * <p>Rows of the result are weighted sums of rows of the right matrix, which is the loop of {@link Taps}; it is cut into panels
 * of the right matrix that stay in cache. Products with a vector read the matrix once.
 */
final class MatrixProduct {
    /** Rows of the right matrix in a panel. */
    private static final int PANEL = 128;
    /** Bytes of a row in a panel. */
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
        NDArray c = NDArray.empty(a.dtype().promote(b.dtype()), shape);
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
        if (c.dim(1) == 1) {
            vector(c.at(1, 0), a, b.at(1, 0), conjugate);
            return;
        }
        NDArray right = b.strides()[1] == 1 ? b : b.copy();
        NDArray target = c.strides()[1] == 1 ? c : NDArray.empty(c.dtype(), c.shape());
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
        DType dtype = c.dtype();
        long width = PANEL_ROW / dtype.bytes();
        long rows = c.dim(0);
        long columns = c.dim(1);
        long depth = a.dim(1);
        long grain = Math.max(1, WORK / Math.max(1, columns * depth));
        Device.jvm().queue().parallel(rows, grain, (from, to) -> {
            double[] weights = new double[(int) Math.min(PANEL, depth)];
            long[] offsets = new long[weights.length];
            for (long k = 0; k < depth; k += PANEL) {
                int taps = (int) Math.min(PANEL, depth - k);
                for (int t = 0; t < taps; t++) offsets[t] = t * b.strides()[0];
                for (long j = 0; j < columns; j += width) {
                    long n = Math.min(width, columns - j);
                    long panel = b.address() + (k * b.strides()[0] + j) * dtype.bytes();
                    for (long i = from; i < to; i++) {
                        gather(a, i, k, weights, taps);
                        long y = c.address() + (i * c.strides()[0] + j) * dtype.bytes();
                        Taps.apply(dtype, y, panel, n, weights, offsets, taps, k > 0);
                    }
                }
            }
        });
    }

    /** Reads {@code taps} elements of row {@code i} of {@code a}, from column {@code k}. */
    private static void gather(NDArray a, long i, long k, double[] weights, int taps) {
        long step = a.strides()[1] * a.dtype().bytes();
        long at = a.address() + i * a.strides()[0] * a.dtype().bytes() + k * step;
        for (int t = 0; t < taps; t++) weights[t] = Elements.re(a.dtype(), at + t * step);
    }

    private static void vector(NDArray y, NDArray a, NDArray x, boolean conjugate) {
        NDArray matrix = a.strides()[0] == 1 || a.strides()[1] == 1 ? a : a.copy();
        boolean rows = matrix.strides()[1] == 1 || matrix.dim(1) == 1;
        boolean complex = y.dtype().isComplex();
        NDArray in = rows && !x.isContiguous() ? x.copy() : x;
        NDArray out = y.isContiguous() ? y : NDArray.empty(y.dtype(), y.shape());
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
                long row = a.address() + i * pitch;
                if (!dtype.isComplex()) sum[0] = loops.dot(row, in.address(), n);
                else if (conjugate) loops.dotComplex(row, in.address(), n, sum, 0);
                else loops.dotComplex(in.address(), row, n, sum, 0);
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
                    long column = a.address() + (k * pitch + j) * dtype.bytes();
                    long at = y.address() + j * dtype.bytes();
                    Taps.apply(dtype, at, column, Math.min(width, to - j), weights, offsets, taps, k > 0);
                }
        });
    }

    /** The definition, for whole numbers. */
    private static void whole(NDArray c, NDArray a, NDArray b) {
        NDArray left = a.as(DType.I64);
        NDArray right = b.as(DType.I64);
        NDArray sums = NDArray.zeros(DType.I64, c.shape());
        for (long k = 0; k < a.dim(1); k++) {
            NDArray column = left.slice(1, k, k + 1);
            try (NDArray term = column.multiply(right.slice(0, k, k + 1))) {
                sums.addInPlace(term);
            }
        }
        c.set(sums);
    }
}
