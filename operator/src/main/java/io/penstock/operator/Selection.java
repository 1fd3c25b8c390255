package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;

/** Takes elements along one axis of local arrays to other places: {@code y[.., t, ..] = x[.., map(t), ..]}, or zero. */
final class Selection extends LinearOperator<NDArray, NDArray> {
    private final int axis;
    private final AxisMap map;
    private final boolean once;

    private Selection(ArraySpace domain, int axis, AxisMap map) {
        super(domain, domain.reshape(Slabs.with(domain.dims(), axis, map.targets())));
        this.axis = axis;
        this.map = map;
        this.once = map.takesEachOnce();
    }

    static LinearOperator<NDArray, NDArray> of(ArraySpace domain, int axis, AxisMap map) {
        return new Selection(domain, axis, map);
    }

    /** The same between distributed arrays, whose results are cut as the arguments are where extents allow, else evenly. */
    static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace domain, int axis, AxisMap map) {
        Layout layout = domain.layout();
        if (layout.axis() != axis)
            return Blockwise.of(
                    domain, domain.with(withExtent(layout, axis, map.targets())), of(domain.local(), axis, map));
        Communicator ranks = domain.ranks();
        Layout after = map.targets() == map.sources()
                ? layout
                : Layout.split(ranks.size(), axis, Slabs.with(layout.dims(), axis, map.targets()));
        return new DistributedSelection(domain, domain.with(after), map);
    }

    private static Layout withExtent(Layout layout, int axis, long extent) {
        return layout.isReplicated()
                ? Layout.replicated(layout.ranks(), Slabs.with(layout.dims(), axis, extent))
                : layout.withExtent(axis, extent);
    }

    @Override
    protected void applyForward(NDArray x, NDArray y) {
        if (map.filled() < map.targets()) y.fill(0);
        for (AxisMap.Run run : map.runs()) Slabs.target(y, axis, run).assign(Slabs.source(x, axis, run));
    }

    @Override
    protected void applyAdjoint(NDArray y, NDArray x) {
        if (!once || map.filled() < map.sources()) x.fill(0);
        for (AxisMap.Run run : map.runs()) {
            if (once) Slabs.source(x, axis, run).assign(Slabs.target(y, axis, run));
            else Slabs.source(x, axis, run).axpy(1, Slabs.target(y, axis, run));
        }
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        ArraySpace space = (ArraySpace) domain();
        return Operands.isComplex(space) ? this : new Selection(space.as(Operands.complexOf(space)), axis, map);
    }
}
