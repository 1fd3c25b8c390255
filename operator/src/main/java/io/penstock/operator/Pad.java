package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/** Surrounds arrays with zeros: {@code y[before + i] = x[i]} along each axis; the adjoint cuts the middle out. */
public final class Pad {
    private Pad() {}

    /**
     * The operator that adds zeros along one axis.
     *
     * @param axis the axis, counted from the end when negative
     * @param before how many zeros in front
     * @param after how many zeros behind
     * @throws IllegalArgumentException when the arrays have no such axis or a width is negative
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis, long before, long after) {
        int k = Axes.index(axis, domain.shape().size());
        return Selection.of(domain, k, map(domain.shape().get(k), before, after));
    }

    /**
     * The operator that adds zeros along one axis of distributed arrays; along the axis of the cut, one all-to-all moves the
     * elements to their places in an even cut.
     *
     * @param axis the axis, counted from the end when negative
     * @param before how many zeros in front
     * @param after how many zeros behind
     * @throws IllegalArgumentException when the arrays have no such axis or a width is negative
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(
            DistributedSpace domain, int axis, long before, long after) {
        int k = Axes.index(axis, domain.layout().ndim());
        return Selection.of(domain, k, map(domain.layout().dim(k), before, after));
    }

    /**
     * The operator that adds zeros along every axis.
     *
     * @param widths for each axis, how many zeros in front and behind
     * @throws IllegalArgumentException when there is not one pair for each axis, or a width is negative
     */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace domain, long[][] widths) {
        requirePairs(widths, domain.shape().size());
        LinearOperator<NDArray, NDArray> all = null;
        ArraySpace space = domain;
        for (int k = 0; k < widths.length; k++) {
            if (widths[k][0] == 0 && widths[k][1] == 0) continue;
            LinearOperator<NDArray, NDArray> one = of(space, k, widths[k][0], widths[k][1]);
            space = (ArraySpace) one.range();
            all = all == null ? one : one.times(all);
        }
        return all == null ? Identity.of(domain) : all;
    }

    /** {@link #of(ArraySpace, long[][])} for distributed arrays. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, long[][] widths) {
        requirePairs(widths, domain.layout().ndim());
        LinearOperator<DistributedArray, DistributedArray> all = null;
        DistributedSpace space = domain;
        for (int k = 0; k < widths.length; k++) {
            if (widths[k][0] == 0 && widths[k][1] == 0) continue;
            LinearOperator<DistributedArray, DistributedArray> one = of(space, k, widths[k][0], widths[k][1]);
            space = (DistributedSpace) one.range();
            all = all == null ? one : one.times(all);
        }
        return all == null ? Identity.of(domain) : all;
    }

    private static AxisMap map(long extent, long before, long after) {
        if (before < 0 || after < 0)
            throw new IllegalArgumentException(
                    "the widths are " + before + " and " + after + "; expected no negative number");
        return AxisMap.pad(extent, before, after);
    }

    private static void requirePairs(long[][] widths, int dimensions) {
        boolean pairs = widths.length == dimensions;
        for (long[] pair : widths) pairs &= pair.length == 2;
        if (!pairs)
            throw new IllegalArgumentException(
                    "widths has " + widths.length + " entries; expected a pair for each of " + dimensions + " axes");
    }
}
