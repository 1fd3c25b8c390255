package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Halo;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Device;
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
        if (layout.isReplicated()) return new Apart(StencilPass.of(stencil, from.local()));
        int axis = layout.axis();
        if (!stencil.leavesAlone(axis)) return new Across(stencil, from);
        long rows = layout.block(from.ranks().rank());
        return new Apart(StencilPass.of(stencil.withExtent(axis, rows), from.local()));
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
     *
     * <p>On a device the rows set out first, then the kernels of the interior are launched, and while they run this thread sees to the
     * messages; the kernels of the borders follow what was received, by the ledger. In the JVM the messages are under way while
     * this thread computes.
     */
    final class Across implements DistributedPass {
        private final DistributedSpace space;
        private final int axis;
        private final long start;
        private final long end;
        private final long[] neededFrom;
        private final long[] neededTo;
        private final boolean launches;
        private final long first;
        private final long last;
        private final StencilPass interior;
        private final List<Border> borders = new ArrayList<>();
        private @Nullable Exchange exchange;

        /**
         * Rows {@code from} to {@code to}, which are computed from a slab of rows {@code inFrom} to {@code inTo}, in which own and
         * received rows are joined.
         */
        private record Border(long inFrom, long inTo, long from, long to, StencilPass pass) {}

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
            launches = !space.device().equals(Device.jvm());
            first = reach.selfContainedFrom(start, end);
            last = Math.max(first, reach.selfContainedTo(start, end));
            interior = pass(stencil, start, end, first, last);
            if (first == last) addBorder(stencil, neededFrom[me], neededTo[me], start, end);
            else {
                addBorder(stencil, neededFrom[me], reach.endNeeded(start, first), start, first);
                addBorder(stencil, reach.firstNeeded(last, end), neededTo[me], last, end);
            }
        }

        /** What computes rows {@code from} to {@code to}: in the JVM in place, on a device into an array of these rows alone. */
        private StencilPass pass(ComplexStencil stencil, long inFrom, long inTo, long from, long to) {
            if (launches) return StencilPass.of(stencil.window(axis, inFrom, inTo, from, to), space.local());
            return new StencilPass(stencil, space.dtype(), new Sweep.Window(axis, inFrom, inTo, start, end, from, to));
        }

        private void addBorder(ComplexStencil stencil, long inFrom, long inTo, long from, long to) {
            if (from < to) borders.add(new Border(inFrom, inTo, from, to, pass(stencil, inFrom, inTo, from, to)));
        }

        private NDArray rows(NDArray y, long from, long to) {
            return y.slice(axis, from - start, to - start);
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
                    shape[axis] = border.inTo - border.inFrom;
                    slabs.add(space.local().reshape(shape).empty());
                }
            }

            void apply(DistributedArray from, DistributedArray to, boolean accumulate) {
                halo.start(from);
                if (launches) launch(from.local(), to.local(), accumulate);
                else compute(from.local(), to.local(), accumulate);
            }

            private void launch(NDArray x, NDArray y, boolean accumulate) {
                if (first < last) interior.apply(x, rows(y, first, last), accumulate);
                halo.finish();
                for (int b = 0; b < slabs.size(); b++) {
                    Border border = borders.get(b);
                    border.pass.apply(joined(b, x), rows(y, border.from, border.to), accumulate);
                }
            }

            private void compute(NDArray given, NDArray result, boolean accumulate) {
                interior.onContiguous(given, result, accumulate, (x, y, imaginary) -> {
                    interior.run(x, y, imaginary, accumulate);
                    halo.finish();
                    for (int b = 0; b < slabs.size(); b++)
                        borders.get(b).pass.run(joined(b, x), y, imaginary, accumulate);
                });
            }

            /** The rows that a border needs, of the halo and of the own part. */
            private NDArray joined(int b, NDArray x) {
                NDArray slab = slabs.get(b);
                long slabFirst = borders.get(b).inFrom;
                copy(halo.before(), start - halo.before().dim(axis), slabFirst, slab);
                copy(x, start, slabFirst, slab);
                copy(halo.after(), end, slabFirst, slab);
                return slab;
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
