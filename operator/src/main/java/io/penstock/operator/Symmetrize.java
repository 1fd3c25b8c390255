package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/** Puts the mirror image of arrays in front of them: {@code y[n - 1 + i] = y[n - 1 - i] = x[i]}, of extent 2 n - 1. */
public final class Symmetrize {
    private Symmetrize() {}

    /**
     * The operator that symmetrizes local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis) {
        int k = Axes.index(axis, domain.shape().size());
        return Selection.of(domain, k, AxisMap.symmetrize(domain.shape().get(k)));
    }

    /**
     * The operator that symmetrizes distributed arrays. Along the axis of the cut one all-to-all moves the elements that
     * change their rank; along others nothing is sent. The result is cut evenly where its extent
     * along the axis of the cut is another.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int axis) {
        int k = Axes.index(axis, domain.layout().ndim());
        return Selection.of(domain, k, AxisMap.symmetrize(domain.layout().dim(k)));
    }
}
