package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.Arrays;

/** Puts the axes of arrays in another order: axis {@code k} of the result is axis {@code axes[k]} of the argument. */
public final class Transpose extends LinearOperator<NDArray, NDArray> {
    private final int[] axes;
    private final int[] inverse;

    private Transpose(ArraySpace domain, int[] axes) {
        super(domain, domain.reshape(permuted(domain.dims(), axes)));
        this.axes = axes;
        this.inverse = new int[axes.length];
        for (int k = 0; k < axes.length; k++) inverse[axes[k]] = k;
    }

    /**
     * The transposition of local arrays.
     *
     * @param axes each axis of the argument once, counted from the end when negative; none reverses the order of all
     * @throws IllegalArgumentException when {@code axes} does not name each axis once
     */
    public static Transpose of(ArraySpace domain, int... axes) {
        return new Transpose(domain, checked(axes, domain.shape().size()));
    }

    /**
     * The transposition of distributed arrays, whose results are cut along the axis that the cut axis becomes, so that nothing
     * is sent; follow it by {@link Redistribution} for another cut.
     *
     * @param axes each axis of the argument once, counted from the end when negative; none reverses the order of all
     * @throws IllegalArgumentException when {@code axes} does not name each axis once
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int... axes) {
        Layout layout = domain.layout();
        int[] order = checked(axes, layout.ndim());
        long[] shape = permuted(layout.dims(), order);
        Layout after;
        if (layout.isReplicated()) after = Layout.replicated(layout.ranks(), shape);
        else {
            int cut = 0;
            while (order[cut] != layout.axis()) cut++;
            long[] blocks = layout.blocks().stream().mapToLong(Long::longValue).toArray();
            after = Layout.blocks(cut, blocks, shape);
        }
        return Blockwise.of(domain, domain.with(after), of(domain.local(), order));
    }

    private static int[] checked(int[] axes, int dimensions) {
        int[] order = new int[dimensions];
        if (axes.length == 0) {
            for (int k = 0; k < dimensions; k++) order[k] = dimensions - 1 - k;
            return order;
        }
        boolean[] seen = new boolean[dimensions];
        boolean each = axes.length == dimensions;
        for (int k = 0; k < axes.length && each; k++) {
            order[k] = Axes.index(axes[k], dimensions);
            each = !seen[order[k]];
            seen[order[k]] = true;
        }
        if (!each)
            throw new IllegalArgumentException(
                    "axes is " + Arrays.toString(axes) + "; expected each of " + dimensions + " axes once");
        return order;
    }

    private static long[] permuted(long[] shape, int[] axes) {
        long[] result = new long[axes.length];
        for (int k = 0; k < axes.length; k++) result[k] = shape[axes[k]];
        return result;
    }

    @Override
    protected void applyForward(NDArray x, NDArray y) {
        y.assign(x.transpose(axes));
    }

    @Override
    protected void applyAdjoint(NDArray y, NDArray x) {
        x.assign(y.transpose(inverse));
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        ArraySpace space = (ArraySpace) domain();
        return Operands.isComplex(space) ? this : new Transpose(space.as(Operands.complexOf(space)), axes);
    }
}
