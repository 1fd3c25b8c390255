package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link Selection} along the axis that the arrays are cut along. Each rank computes from the layouts what goes where; one
 * all-to-all carries the elements that change their rank, each once for every place that takes it.
 */
final class DistributedSelection extends LinearOperator<DistributedArray, DistributedArray> {
    private final int axis;
    private final AxisMap map;
    private final List<List<AxisMap.Run>> leaving;
    private final List<List<AxisMap.Run>> coming;
    private final List<Workspace<NDArray>> out;
    private final List<Workspace<NDArray>> in;

    DistributedSelection(DistributedSpace domain, DistributedSpace range, AxisMap map) {
        super(domain, range);
        this.axis = domain.layout().axis();
        this.map = map;
        int size = domain.ranks().size();
        int me = domain.ranks().rank();
        this.leaving = new ArrayList<>(size);
        this.coming = new ArrayList<>(size);
        this.out = new ArrayList<>(size);
        this.in = new ArrayList<>(size);
        for (int other = 0; other < size; other++) {
            leaving.add(between(me, other));
            coming.add(between(other, me));
            out.add(new Workspace<>(Spaces.flat(domain, other == me ? 0 : elements(leaving.get(other)))));
            in.add(new Workspace<>(Spaces.flat(domain, other == me ? 0 : elements(coming.get(other)))));
        }
    }

    private DistributedSpace domainSpace() {
        return (DistributedSpace) domain();
    }

    /** What one rank's part takes from another's, in places of their parts; in one order on both ranks. */
    private List<AxisMap.Run> between(int source, int target) {
        Layout before = domainSpace().layout();
        Layout after = ((DistributedSpace) range()).layout();
        List<AxisMap.Run> runs = new ArrayList<>();
        for (AxisMap.Run run : map.runs()) {
            AxisMap.Run part =
                    run.within(before.start(source), before.end(source), after.start(target), after.end(target));
            if (part.length() > 0) runs.add(part);
        }
        return runs;
    }

    private long elements(List<AxisMap.Run> runs) {
        long elements = 0;
        for (AxisMap.Run run : runs) elements += size(slab(run));
        return elements;
    }

    private long[] slab(AxisMap.Run run) {
        return Slabs.with(domainSpace().layout().dims(), axis, run.length());
    }

    private static long size(long[] shape) {
        long size = 1;
        for (long extent : shape) size *= extent;
        return size;
    }

    @Override
    protected void applyForward(DistributedArray from, DistributedArray to) {
        NDArray x = from.local();
        NDArray y = to.local();
        for (int other = 0; other < leaving.size(); other++) {
            NDArray buffer = out.get(other).get();
            forEachSlab(buffer, leaving.get(other), (slab, run) -> slab.assign(Slabs.source(x, axis, run)));
        }
        exchange(out, in);
        if (map.filled() < map.targets()) y.fill(0);
        int me = domainSpace().ranks().rank();
        for (AxisMap.Run run : coming.get(me)) Slabs.target(y, axis, run).assign(Slabs.source(x, axis, run));
        for (int other = 0; other < coming.size(); other++) {
            NDArray buffer = in.get(other).get();
            forEachSlab(
                    buffer,
                    coming.get(other),
                    (slab, run) -> Slabs.target(y, axis, run).assign(slab));
        }
    }

    /** Places that were taken by several get the sum, in rank order. */
    @Override
    protected void applyAdjoint(DistributedArray from, DistributedArray to) {
        NDArray y = from.local();
        NDArray x = to.local();
        for (int other = 0; other < coming.size(); other++) {
            NDArray buffer = in.get(other).get();
            forEachSlab(buffer, coming.get(other), (slab, run) -> slab.assign(Slabs.target(y, axis, run)));
        }
        exchange(in, out);
        x.fill(0);
        int me = domainSpace().ranks().rank();
        for (AxisMap.Run run : coming.get(me)) Slabs.source(x, axis, run).axpy(1, Slabs.target(y, axis, run));
        for (int other = 0; other < leaving.size(); other++) {
            NDArray buffer = out.get(other).get();
            forEachSlab(
                    buffer,
                    leaving.get(other),
                    (slab, run) -> Slabs.source(x, axis, run).axpy(1, slab));
        }
    }

    private interface SlabBody {
        void run(NDArray slab, AxisMap.Run run);
    }

    /** Shows the parts of a buffer that hold runs; a rank's buffer for itself is empty. */
    private void forEachSlab(NDArray buffer, List<AxisMap.Run> runs, SlabBody body) {
        long at = 0;
        if (buffer.size() == 0) return;
        for (AxisMap.Run run : runs) {
            long[] shape = slab(run);
            long size = size(shape);
            body.run(buffer.slice(0, at, at + size).reshape(shape), run);
            at += size;
        }
    }

    private void exchange(List<Workspace<NDArray>> send, List<Workspace<NDArray>> receive) {
        if (send.size() == 1) return;
        domainSpace()
                .ranks()
                .allToAll(
                        send.stream().map(Workspace::get).toList(),
                        receive.stream().map(Workspace::get).toList());
    }

    @Override
    public LinearOperator<DistributedArray, DistributedArray> complex() {
        if (Operands.isComplex(domain())) return this;
        DistributedSpace range = (DistributedSpace) range();
        return new DistributedSelection(
                domainSpace().as(Operands.complexOf(domain())), range.as(Operands.complexOf(range)), map);
    }

    @Override
    public void close() {
        out.forEach(Workspace::close);
        in.forEach(Workspace::close);
    }
}
