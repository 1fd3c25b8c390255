package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * An integral along the axis that the arrays are cut along: each rank integrates its own part; one all-gather carries each rank's
 * total, and each adds those of the ranks before it (for the adjoint, behind it).
 */
final class DistributedIntegration extends LinearOperator<DistributedArray, DistributedArray> {
    private final int axis;
    private final RunningSum sum;
    private final int first;
    private final int me;
    private final CausalIntegration local;
    private final Workspace<NDArray> mine;
    private final List<Workspace<NDArray>> totals;

    private DistributedIntegration(DistributedSpace domain, DistributedSpace range, RunningSum sum, int first) {
        super(domain, range);
        this.axis = domain.layout().axis();
        this.sum = sum;
        this.first = first;
        this.me = domain.ranks().rank();
        this.local = new CausalIntegration(domain.local(), range.local(), axis, own());
        ArraySpace total = domain.local().reshape(Slabs.with(domain.local().dims(), axis, 1));
        this.mine = new Workspace<>(total);
        this.totals = new ArrayList<>(domain.ranks().size());
        for (int r = 0; r < domain.ranks().size(); r++) totals.add(new Workspace<>(total));
    }

    static DistributedIntegration of(DistributedSpace domain, RunningSum sum, boolean removeFirst) {
        Layout layout = domain.layout();
        int axis = layout.axis();
        int first = 0;
        while (first < layout.ranks() - 1 && layout.block(first) == 0) first++;
        DistributedSpace range = domain;
        if (removeFirst) {
            long[] blocks = layout.blocks().stream().mapToLong(Long::longValue).toArray();
            blocks[first]--;
            range = domain.with(Layout.blocks(axis, blocks, Slabs.with(layout.dims(), axis, layout.dim(axis) - 1)));
        }
        return new DistributedIntegration(domain, range, sum, first);
    }

    @Override
    protected void applyForward(DistributedArray from, DistributedArray to) {
        NDArray x = from.local();
        NDArray y = to.local();
        local.applyForward(x, y);
        if (totals.size() == 1) return;
        long n = x.dim(axis);
        NDArray total = mine.get();
        if (n == 0) total.fill(0);
        else if (n == 1) total.axpby(own().d(), x, 0);
        else {
            total.assign(y.slice(axis, y.dim(axis) - 1, y.dim(axis)));
            total.axpy(sum.a(), x.slice(axis, n - 1, n));
        }
        gather(total);
        NDArray before = total;
        before.fill(0);
        for (int r = 0; r < me; r++) before.axpy(1, totals.get(r).get());
        if (me > first && n > 0) y.addInPlace(before);
    }

    /** On the first rank the first row takes only a part of what comes from behind, as {@link RunningSum#firstShare} says. */
    @Override
    protected void applyAdjoint(DistributedArray from, DistributedArray to) {
        NDArray y = from.local();
        NDArray x = to.local();
        local.applyAdjoint(y, x);
        if (totals.size() == 1) return;
        long n = x.dim(axis);
        NDArray total = mine.get();
        if (n == 0 || me == first) total.fill(0);
        else {
            total.assign(x.slice(axis, 0, 1));
            total.axpy(sum.a(), y.slice(axis, 0, 1));
        }
        gather(total);
        NDArray behind = total;
        behind.fill(0);
        for (int r = me + 1; r < totals.size(); r++)
            behind.axpy(1, totals.get(r).get());
        if (n == 0) return;
        x.addInPlace(behind);
        if (me == first) x.slice(axis, 0, 1).axpy(sum.firstShare() - 1, behind);
    }

    /** The recursion of this rank's part. */
    private RunningSum own() {
        return me == first ? sum : sum.continued();
    }

    private void gather(NDArray total) {
        DistributedSpace space = (DistributedSpace) domain();
        space.ranks().allGather(total, totals.stream().map(Workspace::get).toList());
    }

    @Override
    public LinearOperator<DistributedArray, DistributedArray> complex() {
        if (Operands.isComplex(domain())) return this;
        DistributedSpace domain = (DistributedSpace) domain();
        DistributedSpace range = (DistributedSpace) range();
        return new DistributedIntegration(
                domain.as(Operands.complexOf(domain)), range.as(Operands.complexOf(range)), sum, first);
    }

    @Override
    public void close() {
        local.close();
        mine.close();
        totals.forEach(Workspace::close);
    }
}
