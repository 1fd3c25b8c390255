package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reaches the local arrays that vectors of every kind are made of. */
final class Leaves {
    private Leaves() {}

    /** One local array of a vector. */
    interface Visitor {
        /**
         * @param offset how many elements of the global vector come before the array's global one
         * @param array the part of it that this rank holds
         * @param owner the distributed array that it is part of, or null
         */
        void visit(long offset, NDArray array, @Nullable DistributedArray owner);
    }

    static void forEach(Vector<?> vector, Visitor visitor) {
        forEach(vector, 0, visitor);
    }

    private static void forEach(Vector<?> vector, long offset, Visitor visitor) {
        switch (vector) {
            case NDArray array -> visitor.visit(offset, array, null);
            case DistributedArray array -> visitor.visit(offset, array.local(), array);
            case StackedArray stack -> {
                long before = offset;
                for (Vector<?> part : stack.parts()) {
                    forEach(part, before, visitor);
                    before += part.space().size();
                }
            }
            default -> throw unknown(vector);
        }
    }

    /** Pairs the local arrays of two vectors of the same structure. */
    static void forEachPair(Vector<?> a, Vector<?> b, BiConsumer<NDArray, NDArray> visitor) {
        switch (a) {
            case NDArray array -> visitor.accept(array, (NDArray) b);
            case DistributedArray array -> visitor.accept(array.local(), ((DistributedArray) b).local());
            case StackedArray stack -> {
                for (int i = 0; i < stack.parts().size(); i++)
                    forEachPair(stack.part(i), ((StackedArray) b).part(i), visitor);
            }
            default -> throw unknown(a);
        }
    }

    /** Sets an element, numbered in C order of the global array, where this rank holds it. */
    static void set(Vector<?> vector, long element, double value) {
        forEach(vector, (offset, array, owner) -> {
            long size = owner == null ? array.size() : owner.space().size();
            if (element < offset || element >= offset + size) return;
            long[] shape =
                    owner == null ? array.shape() : owner.space().layout().dims();
            long[] index = index(element - offset, shape);
            if (owner != null && !owner.space().layout().isReplicated()) {
                Layout layout = owner.space().layout();
                int axis = layout.axis();
                int rank = owner.space().ranks().rank();
                if (index[axis] < layout.start(rank) || index[axis] >= layout.end(rank)) return;
                index[axis] -= layout.start(rank);
            }
            array.set(value, index);
        });
    }

    /** The index of an element numbered in C order. */
    static long[] index(long element, long[] shape) {
        long[] index = new long[shape.length];
        long rest = element;
        for (int k = shape.length - 1; k >= 0; k--) {
            index[k] = rest % shape[k];
            rest /= shape[k];
        }
        return index;
    }

    private static IllegalArgumentException unknown(Vector<?> vector) {
        return new IllegalArgumentException("vector is a " + vector.getClass().getName()
                + "; expected an array, a distributed array or a stack of them");
    }
}
