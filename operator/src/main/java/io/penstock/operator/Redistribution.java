package io.penstock.operator;

import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;

/** Keeps all elements and changes which ranks hold them; its adjoint takes them back. Each element is sent at most once. */
public final class Redistribution extends LinearOperator<DistributedArray, DistributedArray> {
    private Redistribution(DistributedSpace domain, DistributedSpace range) {
        super(domain, range);
    }

    /**
     * The operator from a space to the one of another layout.
     *
     * @throws IllegalArgumentException when the layout has another shape or number of ranks
     */
    public static Redistribution of(DistributedSpace domain, Layout layout) {
        if (!layout.shape().equals(domain.layout().shape()))
            throw new IllegalArgumentException("layout is " + layout + "; expected the shape of " + domain.layout());
        return new Redistribution(domain, domain.with(layout));
    }

    @Override
    protected void applyForward(DistributedArray x, DistributedArray y) {
        move(x, y);
    }

    @Override
    protected void applyAdjoint(DistributedArray y, DistributedArray x) {
        move(y, x);
    }

    private static void move(DistributedArray from, DistributedArray to) {
        try (DistributedArray moved = from.redistribute(to.space().layout())) {
            to.assign(moved);
        }
    }

    @Override
    public LinearOperator<DistributedArray, DistributedArray> complex() {
        DistributedSpace space = (DistributedSpace) domain();
        return Operands.isComplex(space)
                ? this
                : of(space.as(Operands.complexOf(space)), ((DistributedSpace) range()).layout());
    }
}
