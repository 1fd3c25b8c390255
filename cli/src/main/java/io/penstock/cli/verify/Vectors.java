package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.distributed.StackedSpace;
import java.util.ArrayList;
import java.util.List;

/** Vectors of any space from recorded arrays, which hold all elements in row-major order, and back. */
final class Vectors {
    private Vectors() {}

    /** The vector of a space with the elements of a whole array, which every rank has. */
    static <V extends Vector<V>> V of(VectorSpace<V> space, NDArray whole) {
        if (whole.size() != space.size())
            throw new IllegalArgumentException("the recorded array has " + whole.size() + " elements; expected "
                    + space.size() + ", those of " + space);
        V vector = space.empty();
        fill(vector, whole.reshape(whole.size()));
        return vector;
    }

    private static void fill(Vector<?> vector, NDArray flat) {
        switch (vector) {
            case NDArray array -> array.assign(convert(flat.reshape(array.shape()), array.space()));
            case DistributedArray array -> {
                DistributedSpace space = array.space();
                NDArray whole = convert(flat.reshape(space.layout().dims()), space.global());
                array.assign(DistributedArray.ofGlobal(space, whole));
            }
            case StackedArray stack -> {
                long from = 0;
                for (Vector<?> part : stack.parts()) {
                    long to = from + part.space().size();
                    fill(part, flat.slice(0, from, to));
                    from = to;
                }
            }
            default -> throw new IllegalArgumentException("no vectors of " + vector.space() + " are recorded");
        }
    }

    /** The peer takes the real parts of complex numbers that are given to a real space. */
    private static NDArray convert(NDArray array, ArraySpace space) {
        NDArray fitting = array.dtype().isComplex() && !space.dtype().isComplex() ? array.real() : array;
        return fitting.dtype() == space.dtype() ? fitting : fitting.as(space.dtype());
    }

    /** All elements of a vector, on every rank. A collective. */
    static Values values(Vector<?> vector) {
        return switch (vector) {
            case NDArray array -> Values.of(array);
            case DistributedArray array -> Values.of(array.allGather());
            case StackedArray stack -> {
                List<Values> parts = new ArrayList<>();
                for (Vector<?> part : stack.parts()) parts.add(values(part));
                yield Values.concatenated(parts);
            }
            default -> throw new IllegalArgumentException("no vectors of " + vector.space() + " are recorded");
        };
    }

    /** Whether the elements of a space are complex; a stack's are where those of one part are. */
    static boolean isComplex(VectorSpace<?> space) {
        return space instanceof StackedSpace stack
                ? stack.parts().stream().anyMatch(Vectors::isComplex)
                : space.dtype().isComplex();
    }
}
