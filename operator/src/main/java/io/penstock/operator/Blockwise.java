package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.function.Function;

/**
 * An operator between distributed arrays whose ranks work alone: each applies a local operator to its own part,
 * {@code y_r = L_r x_r}. Nothing is sent.
 */
public final class Blockwise extends LinearOperator<DistributedArray, DistributedArray> {
    private final LinearOperator<NDArray, NDArray> local;

    private Blockwise(DistributedSpace domain, DistributedSpace range, LinearOperator<NDArray, NDArray> local) {
        super(domain, range);
        this.local = local;
    }

    /**
     * The operator that applies {@code local} on each rank.
     *
     * @param domain the space of the arguments
     * @param range the space of the results, over the same ranks; cut where the domain is cut, replicated where it is replicated
     * @param local this rank's operator, between the spaces of its parts; where the arrays are replicated, every rank's must be
     *     the same
     * @throws IllegalArgumentException when the spaces do not fit together
     */
    public static Blockwise of(
            DistributedSpace domain, DistributedSpace range, LinearOperator<NDArray, NDArray> local) {
        Spaces.requireSame(domain, range);
        if (domain.layout().isReplicated() != range.layout().isReplicated())
            throw new IllegalArgumentException(
                    "domain is " + domain + " and range is " + range + "; expected both cut or both replicated");
        Operands.requireSame("the domain of this rank's operator", local.domain(), domain.local());
        Operands.requireSame("the range of this rank's operator", local.range(), range.local());
        return new Blockwise(domain, range, local);
    }

    /**
     * A local operator applied on each rank to its own part, for operators that mix nothing along the axis of the cut, such as
     * {@code Blockwise.along(space, part -> DenseMatrix.of(part, matrix))} on arrays that are cut along another axis than the first.
     *
     * @param domain the space of the arguments
     * @param local makes the operator for a rank's part; it must keep the number of axes and the extent of the axis of the cut
     * @throws IllegalArgumentException when the operator changes the number of axes or the extent of the axis of the cut
     */
    public static Blockwise along(
            DistributedSpace domain, Function<ArraySpace, LinearOperator<NDArray, NDArray>> local) {
        Layout layout = domain.layout();
        LinearOperator<NDArray, NDArray> mine = local.apply(domain.local());
        ArraySpace result = (ArraySpace) mine.range();
        long[] shape = result.dims();
        if (layout.isReplicated())
            return of(
                    domain,
                    domain.with(Layout.replicated(layout.ranks(), shape)).as(result.dtype()),
                    mine);
        int axis = layout.axis();
        long block = layout.block(domain.ranks().rank());
        if (shape.length != layout.ndim() || shape[axis] != block)
            throw new IllegalArgumentException("the operator maps " + domain.local() + " to " + result + "; expected "
                    + layout.ndim() + " axes and the extent " + block + " along axis " + axis
                    + ", along which the arrays are cut");
        for (int k = 0; k < shape.length; k++) if (k != axis) layout = layout.withExtent(k, shape[k]);
        return of(domain, domain.with(layout).as(result.dtype()), mine);
    }

    @Override
    protected void applyForward(DistributedArray x, DistributedArray y) {
        local.applyForward(x.local(), y.local());
    }

    @Override
    protected void applyAdjoint(DistributedArray y, DistributedArray x) {
        local.applyAdjoint(y.local(), x.local());
    }

    @Override
    public LinearOperator<DistributedArray, DistributedArray> complex() {
        LinearOperator<NDArray, NDArray> complex = local.complex();
        if (complex.domain().equals(local.domain())) return this;
        DistributedSpace domain = (DistributedSpace) domain();
        DistributedSpace range = (DistributedSpace) range();
        return new Blockwise(
                domain.as(complex.domain().dtype()), range.as(complex.range().dtype()), complex);
    }

    @Override
    public boolean isComplexLinear() {
        return local.isComplexLinear();
    }

    @Override
    public void close() {
        local.close();
    }
}
