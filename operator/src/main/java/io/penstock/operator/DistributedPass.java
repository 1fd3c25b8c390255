package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Halo;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The application of a {@link ComplexStencil} to distributed arrays, in one direction. */
sealed interface DistributedPass {
    /** {@code y = A x}, or with {@code accumulate} {@code y = y + A x}. */
    void apply(DistributedArray x, DistributedArray y, boolean accumulate);

    /** Frees the memory that is kept between applications. */
    void close();

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
        public void apply(DistributedArray x, DistributedArray y, boolean accumulate) {
            pass.apply(x.local(), y.local(), accumulate);
        }

        @Override
        public void close() {}
    }

    /**
     * The ranks exchange rows: at most one message from one rank to another, with the rows that the stencil needs of it. Rows
     * that depend on own rows only are computed meanwhile; the others then, from short slabs that join own and received rows.
     */
    final class Across implements DistributedPass {
        private final DistributedSpace space;
        private final int axis;
        private final long start;
        private final long end;
        private final long[] neededFrom;
        private final long[] neededTo;
        private final StencilPass interior;
        private final List<Border> borders = new ArrayList<>();
        private @Nullable Exchange exchange;

        /** Rows that are computed from a slab of rows {@code from} to {@code to}, in which own and received rows are joined. */
        private record Border(long from, long to, StencilPass pass) {}

        Across(ComplexStencil stencil, DistributedSpace space) {
            this.space = space;
            Layout layout = space.layout();
            axis = layout.axis();
            int me = space.ranks().rank();
            start = layout.start(me);
            end = layout.end(me);
            Reach reach = stencil.reach(axis);
            neededFrom = new long[layout.ranks()];
            neededTo = new long[layout.ranks()];
            for (int r = 0; r < neededFrom.length; r++) {
                neededFrom[r] = reach.firstNeeded(layout.start(r), layout.end(r));
                neededTo[r] = reach.endNeeded(layout.start(r), layout.end(r));
            }
            long first = reach.selfContainedFrom(start, end);
            long last = Math.max(first, reach.selfContainedTo(start, end));
            interior = new StencilPass(stencil, space.dtype(), window(start, end, first, last));
            if (first == last) addBorder(stencil, neededFrom[me], neededTo[me], start, end);
            else {
                addBorder(stencil, neededFrom[me], reach.endNeeded(start, first), start, first);
                addBorder(stencil, reach.firstNeeded(last, end), neededTo[me], last, end);
            }
        }

        private Sweep.Window window(long inFrom, long inTo, long from, long to) {
            return new Sweep.Window(axis, inFrom, inTo, start, end, from, to);
        }

        /** Rows {@code first} to {@code last} are computed from rows {@code from} to {@code to}. */
        private void addBorder(ComplexStencil stencil, long from, long to, long first, long last) {
            if (first < last)
                borders.add(
                        new Border(from, to, new StencilPass(stencil, space.dtype(), window(from, to, first, last))));
        }

        @Override
        public void apply(DistributedArray from, DistributedArray to, boolean accumulate) {
            Exchange current = exchange;
            if (current == null) exchange = current = Scope.outside(Exchange::new);
            current.apply(from, to, accumulate);
        }

        @Override
        public void close() {
            if (exchange != null) exchange.close();
            exchange = null;
        }

        /** What an application needs memory for. */
        private final class Exchange {
            private final Halo halo = Halo.of(space, neededFrom, neededTo);
            private final List<NDArray> slabs = new ArrayList<>();

            Exchange() {
                for (Border border : borders) {
                    long[] shape = space.layout().dims();
                    shape[axis] = border.to - border.from;
                    slabs.add(space.local().reshape(shape).empty());
                }
            }

            void apply(DistributedArray from, DistributedArray to, boolean accumulate) {
                halo.start(from);
                interior.onContiguous(from.local(), to.local(), accumulate, (x, y, imaginary) -> {
                    interior.run(x, y, imaginary, accumulate);
                    halo.finish();
                    for (int b = 0; b < slabs.size(); b++) {
                        Border border = borders.get(b);
                        NDArray slab = slabs.get(b);
                        copy(halo.before(), start - halo.before().dim(axis), border.from, slab);
                        copy(x, start, border.from, slab);
                        copy(halo.after(), end, border.from, slab);
                        border.pass.run(slab, y, imaginary, accumulate);
                    }
                });
            }

            /** Copies what a slab has of {@code rows}; {@code first} and {@code slabFirst} are the indices of their first rows. */
            private void copy(NDArray rows, long first, long slabFirst, NDArray slab) {
                long from = Math.max(first, slabFirst);
                long to = Math.min(first + rows.dim(axis), slabFirst + slab.dim(axis));
                if (from < to)
                    slab.slice(axis, from - slabFirst, to - slabFirst)
                            .assign(rows.slice(axis, from - first, to - first));
            }

            void close() {
                halo.close();
                slabs.forEach(NDArray::close);
            }
        }
    }
}
