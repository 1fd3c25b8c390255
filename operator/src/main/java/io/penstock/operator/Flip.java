package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/** Reverses arrays along an axis: {@code y[i] = x[n - 1 - i]}. It is its own adjoint. */
public final class Flip {
    private Flip() {}

    /**
     * The operator that reverses local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis) {
        int k = Axes.index(axis, domain.shape().size());
        return Selection.of(domain, k, AxisMap.flip(domain.shape().get(k)));
    }

    /**
     * The operator that reverses distributed arrays. Along the axis of the cut one all-to-all moves the elements that
     * change their rank; along others nothing is sent.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int axis) {
        int k = Axes.index(axis, domain.layout().ndim());
        return Selection.of(domain, k, AxisMap.flip(domain.layout().dim(k)));
    }
}
