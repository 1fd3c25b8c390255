package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.Arrays;

/**
 * A matrix as an operator, applied along the first axis: {@code y[i, m] = sum over k of A[i, k] x[k, m]}, where {@code m} stands
 * for all other axes.
 *
 * <p>Rows of the result are worked on by as many cores as are free. The result does not depend on how many.
 */
public final class DenseMatrix extends ArrayOperator {
    /** Multiplications worth a core of their own. */
    private static final long GRAIN = 1 << 15;

    private final NDArray matrix;
    private final Rows rows;
    private final long n;
    private final long k;
    private final long m;

    private DenseMatrix(ArraySpace domain, ArraySpace range, NDArray matrix) {
        super(domain, range);
        this.matrix = matrix;
        this.rows = Rows.of(domain.dtype());
        this.n = matrix.dim(0);
        this.k = matrix.dim(1);
        long others = 1;
        for (int axis = 1; axis < domain.shape().size(); axis++)
            others *= domain.shape().get(axis);
        this.m = others;
    }

    /**
     * The operator of a matrix of shape (n, k), from vectors of k elements to vectors of n. The matrix is shared, not copied.
     *
     * @throws IllegalArgumentException when {@code matrix} has not two dimensions or holds integers
     */
    public static DenseMatrix of(NDArray matrix) {
        requireTwoDimensions(matrix);
        return of(ArraySpace.of(matrix.dtype(), matrix.dim(1)), matrix);
    }

    /**
     * The operator of a matrix of shape (n, k) on arrays of shape (k, ...), to arrays of shape (n, ...). The matrix is shared when
     * it is contiguous and of the domain's type; else this operator keeps a copy of its own.
     *
     * @throws IllegalArgumentException when {@code matrix} has not two dimensions, or does not fit the domain in shape or type; a
     *     real matrix fits a complex domain of the same precision
     */
    public static DenseMatrix of(ArraySpace domain, NDArray matrix) {
        requireTwoDimensions(matrix);
        long[] shape = domain.dims();
        if (shape.length == 0 || shape[0] != matrix.dim(1))
            throw new IllegalArgumentException("domain is " + domain + "; expected " + matrix.dim(1)
                    + " elements along the first axis, for a matrix of shape " + Arrays.toString(matrix.shape()));
        DType type = matrix.dtype();
        if (type != domain.dtype() && (type.isInteger() || type.complex() != domain.dtype()))
            throw new IllegalArgumentException("domain is " + domain + "; expected elements of "
                    + (type.isComplex() ? type : type + " or " + type.complex()) + ", for a matrix of " + type);
        shape[0] = matrix.dim(0);
        return new DenseMatrix(domain, ArraySpace.of(domain.dtype(), shape), own(matrix, domain.dtype()));
    }

    private static void requireTwoDimensions(NDArray matrix) {
        if (matrix.ndim() != 2)
            throw new IllegalArgumentException(
                    "matrix has shape " + Arrays.toString(matrix.shape()) + "; expected two dimensions");
    }

    private static NDArray own(NDArray matrix, DType type) {
        if (matrix.dtype() != type)
            return Scope.outside(() -> {
                NDArray complex = NDArray.zeros(type, matrix.shape());
                Parts.setReal(matrix, complex);
                return complex;
            });
        return matrix.isContiguous() ? matrix : Scope.outside(matrix::copy);
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        int bytes = matrix.dtype().bytes();
        long a = matrix.address();
        long from = x.address();
        long to = y.address();
        if (m != 1) y.fill(0);
        long work = Math.max(1, k * m);
        Device.jvm().queue().parallel(n, Math.max(1, GRAIN / work), (start, end) -> {
            for (long i = start; i < end; i++) {
                if (m == 1) rows.dot(a + i * k * bytes, from, to + i * bytes, k);
                else
                    for (long j = 0; j < k; j++)
                        rows.axpy(a + (i * k + j) * bytes, false, from + j * m * bytes, to + i * m * bytes, m);
            }
        });
    }

    /** One column of the result is one row of A^H; with one right-hand side, all of a core's columns are summed row by row. */
    @Override
    void adjointPacked(NDArray y, NDArray x) {
        int bytes = matrix.dtype().bytes();
        long a = matrix.address();
        long from = y.address();
        long to = x.address();
        x.fill(0);
        long work = Math.max(1, n * m);
        Device.jvm().queue().parallel(k, Math.max(8, GRAIN / work), (start, end) -> {
            for (long i = 0; i < n; i++) {
                if (m == 1)
                    rows.axpyConjugate(from + i * bytes, a + (i * k + start) * bytes, to + start * bytes, end - start);
                else
                    for (long j = start; j < end; j++)
                        rows.axpy(a + (i * k + j) * bytes, true, from + i * m * bytes, to + j * m * bytes, m);
            }
        });
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain())
                ? this
                : of(domainSpace().as(domainSpace().dtype().complex()), matrix);
    }
}
