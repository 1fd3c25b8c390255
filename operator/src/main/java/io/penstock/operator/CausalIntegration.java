package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;

/**
 * The running integral of arrays along an axis.
 *
 * <p>With sampling {@code h}: {@link Kind#FULL} gives {@code y[i] = h (x[0] + ... + x[i])}, {@link Kind#HALF} counts the last
 * term half, and {@link Kind#TRAPEZOIDAL} the first and the last. In both of these {@code y[0] = h x[0] / 2}, so that the operator
 * can be inverted; the integral from the first element on, without its own zero, is what {@code removeFirst} leaves.
 */
public final class CausalIntegration extends ArrayOperator {
    /** How the ends of the integral count. */
    public enum Kind {
        /** All terms whole. */
        FULL,
        /** The last term half. */
        HALF,
        /** The first and the last term half: the trapezoidal rule. */
        TRAPEZOIDAL
    }

    private final int axis;
    private final RunningSum sum;
    private final boolean skip;

    CausalIntegration(ArraySpace domain, ArraySpace range, int axis, RunningSum sum) {
        super(domain, range);
        this.axis = axis;
        this.sum = sum;
        this.skip = !domain.equals(range);
    }

    /**
     * The integral of local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @param sampling the distance of neighbours along it
     * @param removeFirst whether the result lacks its first element along the axis
     * @throws IllegalArgumentException when the arrays have no such axis, hold integers, or are empty along the axis while
     *     {@code removeFirst} is set
     */
    public static CausalIntegration of(ArraySpace domain, int axis, double sampling, Kind kind, boolean removeFirst) {
        int k = Axes.index(axis, domain.shape().size());
        Axes.requireFloating(domain.dtype());
        ArraySpace range = removeFirst
                ? domain.reshape(
                        Slabs.with(domain.dims(), k, shorter(domain.shape().get(k))))
                : domain;
        return new CausalIntegration(domain, range, k, RunningSum.of(kind, sampling));
    }

    /**
     * The integral of distributed arrays. Along the axis of the cut, one all-gather carries each rank's total; along others
     * nothing is sent.
     *
     * @param axis the axis, counted from the end when negative
     * @param sampling the distance of neighbours along it
     * @param removeFirst whether the result lacks its first element along the axis; the first block that is not empty is then
     *     shorter by one
     * @throws IllegalArgumentException as for local arrays
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(
            DistributedSpace domain, int axis, double sampling, Kind kind, boolean removeFirst) {
        Layout layout = domain.layout();
        int k = Axes.index(axis, layout.ndim());
        Axes.requireFloating(domain.dtype());
        if (removeFirst) shorter(layout.dim(k));
        if (layout.axis() != k) return Blockwise.along(domain, part -> of(part, k, sampling, kind, removeFirst));
        return DistributedIntegration.of(domain, RunningSum.of(kind, sampling), removeFirst);
    }

    private static long shorter(long extent) {
        if (extent == 0) throw new IllegalArgumentException("the axis is empty; expected a first element to remove");
        return extent - 1;
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        sum.forward(lines(), x, y, skip);
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        sum.adjoint(lines(), y, x, skip);
    }

    private Lines lines() {
        return Lines.of(domainSpace().dims(), domain().dtype(), axis);
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain())
                ? this
                : new CausalIntegration(
                        domainSpace().as(Operands.complexOf(domain())),
                        rangeSpace().as(Operands.complexOf(range())),
                        axis,
                        sum);
    }
}
