package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Device;

/**
 * Adds up arrays along an axis, which the result no longer has: {@code y[j] = sum over i of x[i, j]}; the adjoint repeats
 * {@code y} along the axis.
 */
public final class Sum extends ArrayOperator {
    /** Reals behind each index along the axis up to which columns are summed one after the other. */
    private static final long SHORT = 4;

    /** Additions worth a core of their own. */
    private static final long GRAIN = 1 << 16;

    private final int axis;
    private final long extent;
    private final Lines lines;

    private Sum(ArraySpace domain, int axis) {
        super(domain, domain.reshape(without(domain.dims(), axis)));
        this.axis = axis;
        this.extent = domain.shape().get(axis);
        this.lines = Lines.of(domain.dims(), domain.dtype(), axis);
    }

    /**
     * The sum along an axis of local arrays.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static Sum of(ArraySpace domain, int axis) {
        return new Sum(domain, Axes.index(axis, domain.shape().size()));
    }

    /**
     * The sum along an axis of distributed arrays. Along the axis of the cut the result is replicated and takes one all-reduce,
     * its adjoint sends nothing; along others nothing is sent.
     *
     * @param axis the axis, counted from the end when negative
     * @throws IllegalArgumentException when the arrays have no such axis
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int axis) {
        Layout layout = domain.layout();
        int k = Axes.index(axis, layout.ndim());
        DistributedSpace range = domain.with(layout.without(k));
        Sum local = of(domain.local(), k);
        if (layout.axis() != k) return Blockwise.of(domain, range, local);
        return new FromReplicated(/* domain= */ range, /* range= */ domain, local.adjoint()).adjoint();
    }

    private static long[] without(long[] shape, int axis) {
        long[] result = new long[shape.length - 1];
        for (int k = 0; k < result.length; k++) result[k] = shape[k < axis ? k : k + 1];
        return result;
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        if (domain().dtype().isInteger()) {
            y.fill(0);
            NDArray row = y.expandDims(axis);
            for (long i = 0; i < extent; i++) row.axpy(1, x.slice(axis, i, i + 1));
            return;
        }
        RealRows rows = lines.rows();
        long step = lines.step();
        long from = x.addressToRead();
        long to = y.address();
        Device.jvm()
                .queue()
                .parallel(lines.outer(), Math.max(1, GRAIN / Math.max(1, extent * lines.inner())), (start, end) -> {
                    for (long block = start; block < end; block++)
                        sumRows(rows, from + block * extent * step, to + block * step, step);
                });
    }

    /** Adds up short rows number by number, and long ones row by row. */
    private void sumRows(RealRows rows, long x, long y, long step) {
        long bytes = lines.bytes();
        if (lines.inner() <= SHORT || extent == 0) {
            for (long m = 0; m < lines.inner(); m++) rows.sum(y + m * bytes, x + m * bytes, step, extent);
            return;
        }
        rows.scale(y, 1, x, lines.inner());
        for (long i = 1; i < extent; i++) rows.add(y, y, 1, x + i * step, lines.inner());
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        if (extent > 0) x.assign(y.expandDims(axis).broadcastTo(x.shape()));
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain()) ? this : new Sum(domainSpace().as(Operands.complexOf(domain())), axis);
    }
}
