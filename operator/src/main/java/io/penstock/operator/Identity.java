package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/**
 * The identity, {@code y = x}, on vectors of any kind.
 *
 * @param <V> the class of the vectors
 */
public final class Identity<V extends Vector<V>> extends LinearOperator<V, V> {
    private Identity(VectorSpace<V> space) {
        super(space, space);
    }

    /** The identity of a space. */
    public static <V extends Vector<V>> Identity<V> of(VectorSpace<V> space) {
        return new Identity<>(space);
    }

    /**
     * The rectangular identity, which keeps the first {@code rows} elements along the first axis, or adds zeros behind.
     *
     * @throws IllegalArgumentException when the arrays have no axis or {@code rows} is negative
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, long rows) {
        int k = Axes.index(0, domain.shape().size());
        return Selection.of(domain, k, AxisMap.resize(domain.shape().get(k), requireRows(rows)));
    }

    /** {@link #of(ArraySpace, long)} for distributed arrays; the result is cut evenly where it is cut along the first axis. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, long rows) {
        int k = Axes.index(0, domain.layout().ndim());
        return Selection.of(domain, k, AxisMap.resize(domain.layout().dim(k), requireRows(rows)));
    }

    private static long requireRows(long rows) {
        if (rows < 0) throw new IllegalArgumentException("rows is " + rows + "; expected 0 or more");
        return rows;
    }

    @Override
    protected void applyForward(V x, V y) {
        y.assign(x);
    }

    @Override
    protected void applyAdjoint(V y, V x) {
        x.assign(y);
    }

    @Override
    public LinearOperator<V, V> adjoint() {
        return this;
    }

    @Override
    public LinearOperator<V, V> conjugate() {
        return this;
    }

    @Override
    public LinearOperator<V, V> complex() {
        return Operands.isComplex(domain()) ? this : new Identity<>(domain().as(Operands.complexOf(domain())));
    }
}
