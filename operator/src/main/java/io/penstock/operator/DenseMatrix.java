package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Scope;
import java.util.Arrays;

/**
 * A matrix as an operator, applied along the first axis: {@code y[i, m] = sum over k of A[i, k] x[k, m]}, where {@code m} stands
 * for all other axes.
 */
public final class DenseMatrix extends ArrayOperator {
    private final NDArray matrix;
    private final long columns;

    private DenseMatrix(ArraySpace domain, ArraySpace range, NDArray matrix) {
        super(domain, range);
        this.matrix = matrix;
        long others = 1;
        for (int axis = 1; axis < domain.shape().size(); axis++)
            others *= domain.shape().get(axis);
        this.columns = others;
    }

    /**
     * The operator of a matrix of shape (n, k), from vectors of k elements to vectors of n. The matrix is shared, not copied.
     *
     * @throws IllegalArgumentException when {@code matrix} has not two dimensions or holds integers
     */
    public static DenseMatrix of(NDArray matrix) {
        requireTwoDimensions(matrix);
        return of(matrix.space().reshape(matrix.dim(1)), matrix);
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
        if (type.isInteger())
            throw new IllegalArgumentException("the matrix holds " + type + "; expected real or complex elements");
        if (type != domain.dtype() && type.complex() != domain.dtype())
            throw new IllegalArgumentException("domain is " + domain + "; expected elements of "
                    + (type.isComplex() ? type : type + " or " + type.complex()) + ", for a matrix of " + type);
        shape[0] = matrix.dim(0);
        return new DenseMatrix(domain, domain.reshape(shape), own(matrix, domain.dtype()));
    }

    private static void requireTwoDimensions(NDArray matrix) {
        if (matrix.ndim() != 2)
            throw new IllegalArgumentException(
                    "matrix has shape " + Arrays.toString(matrix.shape()) + "; expected two dimensions");
    }

    private static NDArray own(NDArray matrix, DType type) {
        if (matrix.dtype() != type) return Scope.outside(() -> matrix.as(type));
        return matrix.isContiguous() ? matrix : Scope.outside(matrix::copy);
    }

    @Override
    void ordered(Runnable loops, NDArray given, NDArray result) {
        loops.run(); // products do it, and know of the matrix
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        matrix.matmul(x.reshape(columnsOf(x)), y.reshape(columnsOf(y)));
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        matrix.adjointMatmul(y.reshape(columnsOf(y)), x.reshape(columnsOf(x)));
    }

    /** The shape of a vector, or of a matrix with a column for each index of the other axes. */
    private long[] columnsOf(NDArray array) {
        return columns == 1 ? new long[] {array.dim(0)} : new long[] {array.dim(0), columns};
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain())
                ? this
                : of(domainSpace().as(domainSpace().dtype().complex()), matrix);
    }
}
