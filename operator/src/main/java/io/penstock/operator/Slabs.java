package io.penstock.operator;

import io.penstock.array.NDArray;

/** Copies and sums of parts of arrays along one axis. */
final class Slabs {
    private Slabs() {}

    /** What a run takes, in the order of its targets. */
    static NDArray source(NDArray x, int axis, AxisMap.Run run) {
        NDArray slab = x.slice(axis, run.source(), run.source() + run.length());
        return run.reversed() ? slab.flip(axis) : slab;
    }

    /** What a run fills. */
    static NDArray target(NDArray y, int axis, AxisMap.Run run) {
        return y.slice(axis, run.target(), run.target() + run.length());
    }

    /** {@code shape} with another extent along an axis. */
    static long[] with(long[] shape, int axis, long extent) {
        long[] other = shape.clone();
        other[axis] = extent;
        return other;
    }
}
