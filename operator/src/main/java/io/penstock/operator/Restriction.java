package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/** Takes the elements at given places along an axis: {@code y[i] = x[indices[i]]}; places may repeat and come in any order. */
public final class Restriction {
    private Restriction() {}

    /**
     * The operator that takes elements of local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @param indices the places along the axis, from 0
     * @throws IllegalArgumentException when the arrays have no such axis, or it has no such place
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis, long... indices) {
        int k = Axes.index(axis, domain.shape().size());
        return Selection.of(domain, k, AxisMap.select(domain.shape().get(k), indices));
    }

    /**
     * The operator that takes elements of distributed arrays. Along the axis of the cut one all-to-all moves the elements that
     * change their rank; along others nothing is sent. The result is cut evenly where its extent
     * along the axis of the cut is another.
     *
     * @param axis the axis, counted from the end when negative
     * @param indices the places along the axis, from 0
     * @throws IllegalArgumentException when the arrays have no such axis, or it has no such place
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(
            DistributedSpace domain, int axis, long... indices) {
        int k = Axes.index(axis, domain.layout().ndim());
        return Selection.of(domain, k, AxisMap.select(domain.layout().dim(k), indices));
    }
}
