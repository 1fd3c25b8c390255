package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Scope;
import java.util.Arrays;

/** Multiplies each element by a number of its own: {@code y[i] = d[i] x[i]}; the adjoint by its complex conjugate. */
public final class Diagonal extends LinearOperator<NDArray, NDArray> {
    private final NDArray factors;
    private final NDArray conjugates;

    /** {@code factors} has as many axes as the domain, each of its extent or of extent 1. */
    private Diagonal(ArraySpace domain, NDArray factors) {
        super(domain, domain);
        this.factors = factors;
        this.conjugates = factors.dtype().isComplex() ? conjugate(factors) : factors;
    }

    private static NDArray conjugate(NDArray factors) {
        NDArray conjugates = Scope.outside(factors::copy);
        conjugates.conjugate();
        return conjugates;
    }

    /** The operator that multiplies arrays of the shape and type of {@code factors} by them; they are shared, not copied. */
    public static Diagonal of(NDArray factors) {
        return new Diagonal(factors.space(), factors);
    }

    /**
     * The operator that multiplies arrays of a space element by element.
     *
     * @param factors an array of the domain's shape, shared, not copied
     * @throws IllegalArgumentException when the shapes differ, or {@code factors} is of a wider type than the domain
     */
    public static Diagonal of(ArraySpace domain, NDArray factors) {
        if (!Arrays.equals(domain.dims(), factors.shape()))
            throw new IllegalArgumentException("factors has shape " + Arrays.toString(factors.shape()) + "; expected "
                    + Arrays.toString(domain.dims()) + ", the domain's");
        requireType(factors, domain.dtype());
        return new Diagonal(domain, factors);
    }

    /**
     * The operator that multiplies by numbers that depend on the index along one axis.
     *
     * @param factors one number for each index along the axis; shared, not copied
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when {@code factors} does not fit, or is of a wider type than the domain
     */
    public static Diagonal along(ArraySpace domain, NDArray factors, int axis) {
        int k = Axes.index(axis, domain.shape().size());
        requireLength(factors, domain.shape().get(k), k);
        requireType(factors, domain.dtype());
        long[] shape = new long[domain.shape().size()];
        Arrays.fill(shape, 1);
        shape[k] = factors.size();
        return new Diagonal(domain, Scope.outside(() -> factors.reshape(shape)));
    }

    /** The operator that multiplies distributed arrays by one of them, element by element; nothing is sent. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedArray factors) {
        return Blockwise.of(factors.space(), factors.space(), of(factors.local()));
    }

    /**
     * The operator that multiplies distributed arrays by numbers that depend on the index along one axis; nothing is sent.
     *
     * @param factors one number for each global index along the axis, the same on every rank; shared, not copied
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when {@code factors} does not fit, or is of a wider type than the domain
     */
    public static LinearOperator<DistributedArray, DistributedArray> along(
            DistributedSpace domain, NDArray factors, int axis) {
        Layout layout = domain.layout();
        int k = Axes.index(axis, layout.ndim());
        requireLength(factors, layout.dim(k), k);
        int rank = domain.ranks().rank();
        NDArray mine = layout.axis() == k ? factors.slice(0, layout.start(rank), layout.end(rank)) : factors;
        return Blockwise.of(domain, domain, along(domain.local(), mine, k));
    }

    private static void requireLength(NDArray factors, long extent, int axis) {
        if (factors.ndim() != 1 || factors.size() != extent)
            throw new IllegalArgumentException("factors has shape " + Arrays.toString(factors.shape()) + "; expected ["
                    + extent + "], the extent of axis " + axis);
    }

    private static void requireType(NDArray factors, DType type) {
        if (factors.dtype().promote(type) != type)
            throw new IllegalArgumentException("factors is of " + factors.dtype() + " and the domain of " + type
                    + "; expected a domain of " + factors.dtype().promote(type));
    }

    @Override
    protected void applyForward(NDArray x, NDArray y) {
        y.assign(x);
        y.multiplyInPlace(factors);
    }

    @Override
    protected void applyAdjoint(NDArray y, NDArray x) {
        x.assign(y);
        x.multiplyInPlace(conjugates);
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        ArraySpace space = (ArraySpace) domain();
        return Operands.isComplex(space) ? this : new Diagonal(space.as(Operands.complexOf(space)), factors);
    }
}
