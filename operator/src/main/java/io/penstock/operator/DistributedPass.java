package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Halo;
import io.penstock.distributed.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The application of a {@link ComplexStencil} to distributed arrays, in one direction. */
sealed interface DistributedPass {
    /** {@code y = A x}. */
    void apply(DistributedArray x, DistributedArray y);

    /** The application to arrays of a space. */
    static DistributedPass of(ComplexStencil stencil, DistributedSpace from) {
        Layout layout = from.layout();
        if (layout.isReplicated()) return new Apart(new StencilPass(stencil, from.dtype(), null));
        int axis = layout.axis();
        if (!stencil.leavesAlone(axis)) return new Across(stencil, from);
        long rows = layout.block(from.ranks().rank());
        return new Apart(new StencilPass(stencil.withExtent(axis, rows), from.dtype(), null));
    }

    /** Every rank computes its part from its part; nothing is sent. */
    record Apart(StencilPass pass) implements DistributedPass {
        @Override
        public void apply(DistributedArray from, DistributedArray to) {
            pass.onContiguous(from.local(), to.local(), (x, y, imaginary) -> {
                pass.run(x, y, imaginary);
                pass.combine(y, imaginary);
            });
        }
    }

    /**
     * The ranks exchange rows: at most one message from one rank to another, with the rows that the stencil needs of it. Rows
     * that depend on own rows only are computed meanwhile; the others then, from short slabs that join own and received rows.
     */
    final class Across implements DistributedPass {
        private final int axis;
        private final long start;
        private final long end;
        private final Halo halo;
        private final StencilPass interior;
        private final List<Slab> slabs = new ArrayList<>();

        /** Rows that are computed from a slab in which own and received rows are joined. */
        private record Slab(long from, long to, NDArray rows, StencilPass pass) {}

        Across(ComplexStencil stencil, DistributedSpace space) {
            Layout layout = space.layout();
            axis = layout.axis();
            int me = space.ranks().rank();
            start = layout.start(me);
            end = layout.end(me);
            Reach reach = stencil.reach(axis);
            long[] from = new long[layout.ranks()];
            long[] to = new long[layout.ranks()];
            for (int r = 0; r < from.length; r++) {
                from[r] = reach.firstNeeded(layout.start(r), layout.end(r));
                to[r] = reach.endNeeded(layout.start(r), layout.end(r));
            }
            halo = Halo.of(space, from, to);
            long first = reach.selfContainedFrom(start, end);
            long last = Math.max(first, reach.selfContainedTo(start, end));
            interior = new StencilPass(stencil, space.dtype(), window(start, end, first, last));
            if (first == last) addSlab(stencil, space, from[me], to[me], start, end);
            else {
                addSlab(stencil, space, from[me], reach.endNeeded(start, first), start, first);
                addSlab(stencil, space, reach.firstNeeded(last, end), to[me], last, end);
            }
        }

        private Sweep.Window window(long inFrom, long inTo, long from, long to) {
            return new Sweep.Window(axis, inFrom, inTo, start, end, from, to);
        }

        /** Rows {@code first} to {@code last} are computed from rows {@code from} to {@code to}. */
        private void addSlab(
                ComplexStencil stencil, DistributedSpace space, long from, long to, long first, long last) {
            if (first == last) return;
            long[] shape = space.layout().dims();
            shape[axis] = to - from;
            slabs.add(new Slab(
                    from,
                    to,
                    NDArray.empty(space.dtype(), shape),
                    new StencilPass(stencil, space.dtype(), window(from, to, first, last))));
        }

        @Override
        public void apply(DistributedArray from, DistributedArray to) {
            halo.start(from);
            interior.onContiguous(from.local(), to.local(), this::compute);
        }

        private void compute(NDArray x, NDArray y, @Nullable NDArray imaginary) {
            interior.run(x, y, imaginary);
            halo.finish();
            for (Slab slab : slabs) {
                copy(halo.before(), start - halo.before().dim(axis), slab);
                copy(x, start, slab);
                copy(halo.after(), end, slab);
                slab.pass.run(slab.rows, y, imaginary);
            }
            interior.combine(y, imaginary);
        }

        /** Copies what a slab has of {@code rows}, the first of which is {@code first}. */
        private void copy(NDArray rows, long first, Slab slab) {
            long from = Math.max(first, slab.from);
            long to = Math.min(first + rows.dim(axis), slab.to);
            if (from < to)
                slab.rows
                        .slice(axis, from - slab.from, to - slab.from)
                        .assign(rows.slice(axis, from - first, to - first));
        }
    }
}
