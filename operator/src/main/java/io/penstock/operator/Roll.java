package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/** Moves elements along an axis, those that leave at one end coming in at the other: {@code y[(i + shift) mod n] = x[i]}. */
public final class Roll {
    private Roll() {}

    /**
     * The operator that rolls local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @param shift by how many places; negative towards the front
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis, long shift) {
        int k = Axes.index(axis, domain.shape().size());
        return Selection.of(domain, k, AxisMap.roll(domain.shape().get(k), shift));
    }

    /**
     * The operator that rolls distributed arrays. Along the axis of the cut one all-to-all moves the elements that
     * change their rank; along others nothing is sent.
     *
     * @param axis the axis, counted from the end when negative
     * @param shift by how many places; negative towards the front
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int axis, long shift) {
        int k = Axes.index(axis, domain.layout().ndim());
        return Selection.of(domain, k, AxisMap.roll(domain.layout().dim(k), shift));
    }
}
