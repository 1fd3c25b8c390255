package io.penstock.distributed;

import io.penstock.array.NDArray;

/** Which parts of two arrays meet on a rank when one of them is replicated, or of fewer or shorter dimensions. */
final class Broadcast {
    private Broadcast() {}

    /** The layout in which two arrays meet without anything being sent. */
    static Layout common(DistributedSpace a, DistributedSpace b) {
        if (!a.ranks().equals(b.ranks()))
            throw new IllegalArgumentException("one array lies on " + a.ranks().name() + ", the other on "
                    + b.ranks().name() + "; expected the same communicator");
        Layout first = a.layout();
        Layout second = b.layout();
        if (first.equals(second)) return first;
        if (second.isReplicated() && stretches(second, first)) return first;
        if (first.isReplicated() && stretches(first, second)) return second;
        throw new IllegalArgumentException("layout " + second + " does not meet " + first
                + "; expected the same layout, or a replicated array that broadcasts to the other's shape");
    }

    /** Whether a shape broadcasts to that of another layout by NumPy's rules. */
    private static boolean stretches(Layout small, Layout large) {
        int missing = large.ndim() - small.ndim();
        if (missing < 0) return false;
        for (int k = 0; k < small.ndim(); k++)
            if (small.dim(k) != 1 && small.dim(k) != large.dim(k + missing)) return false;
        return true;
    }

    /** What meets a rank's part in {@code layout}, which is the array's own or the one that it broadcasts to. */
    static NDArray part(DistributedArray array, Layout layout, int rank) {
        Layout own = array.space().layout();
        if (layout.isReplicated() || !own.isReplicated()) return array.local();
        int axis = layout.axis() - (layout.ndim() - own.ndim());
        if (axis < 0 || (own.dim(axis) == 1 && layout.dim(layout.axis()) != 1)) return array.local();
        return array.local().slice(axis, layout.start(rank), layout.end(rank));
    }
}
