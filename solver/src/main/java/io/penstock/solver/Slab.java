package io.penstock.solver;

import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a vector that a rank holds.
 *
 * @param array the elements; the vector's own memory
 * @param cut which part they are
 */
record Slab(NDArray array, Cut cut) {
    /** The slabs of vectors, those of stacks one after the other. */
    static List<Slab> of(List<? extends Vector<?>> vectors) {
        List<Slab> slabs = new ArrayList<>();
        for (Vector<?> vector : vectors)
            switch (vector) {
                case NDArray array ->
                    slabs.add(new Slab(array, new Cut(array.dtype(), array.shape(), Layout.REPLICATED, 0, 0)));
                case DistributedArray array -> slabs.add(of(array));
                case StackedArray stack -> slabs.addAll(of(stack.parts()));
                default ->
                    throw new IllegalArgumentException(
                            "vectors of " + vector.getClass().getName()
                                    + " have no checkpoints; expected arrays, distributed arrays or stacks of them");
            }
        return slabs;
    }

    private static Slab of(DistributedArray array) {
        Layout layout = array.space().layout();
        int rank = array.space().ranks().rank();
        boolean whole = layout.isReplicated();
        long start = whole ? 0 : layout.start(rank);
        long end = whole ? 0 : layout.end(rank);
        return new Slab(array.local(), new Cut(array.dtype(), layout.dims(), layout.axis(), start, end));
    }

    long bytes() {
        return array.size() * array.dtype().bytes();
    }
}
