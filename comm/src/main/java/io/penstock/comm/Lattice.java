package io.penstock.comm;

import io.penstock.array.NDArray;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The places of an array's elements within an allocation: all sums of multiples of steps. It tells apart what regions cannot, such as two
 * faces of a cube that lie between each other.
 */
final class Lattice {
    private final long base;
    private final int bytes;
    /** From the longest to the shortest. */
    private final long[] steps;

    private final long[] extents;
    /** Whether each step leads behind all that shorter ones lead to, so that a place tells its indices. */
    private final boolean nested;

    private Lattice(NDArray array) {
        long[] shape = array.shape();
        long[] strides = array.strides();
        int[] axes = IntStream.range(0, shape.length)
                .filter(k -> shape[k] > 1 && strides[k] != 0)
                .boxed()
                .sorted(Comparator.comparingLong(k -> -Math.abs(strides[k])))
                .mapToInt(k -> k)
                .toArray();
        base = array.region().offset();
        bytes = array.dtype().bytes();
        steps = new long[axes.length];
        extents = new long[axes.length];
        boolean leads = true;
        long reach = 0;
        for (int k = axes.length - 1; k >= 0; k--) {
            steps[k] = Math.abs(strides[axes[k]]) * bytes;
            extents[k] = shape[axes[k]];
            leads &= steps[k] > reach;
            reach += (extents[k] - 1) * steps[k];
        }
        nested = leads;
    }

    /**
     * Whether two arrays of one allocation, neither empty, have a byte in common; takes as long as a copy of the smaller one at most. Exact, but that
     * arrays of different kinds of elements, and two views whose elements are all windows over each other, count as meeting.
     */
    static boolean meet(NDArray a, NDArray b) {
        Lattice one = new Lattice(a);
        Lattice other = new Lattice(b);
        if (one.bytes != other.bytes || (one.base - other.base) % one.bytes != 0) return true;
        if (!one.nested && !other.nested) return true;
        boolean walksOne = other.nested && (a.size() <= b.size() || !one.nested);
        return walksOne ? one.meets(other, 0, one.base) : other.meets(one, 0, other.base);
    }

    private boolean meets(Lattice other, int axis, long at) {
        if (axis == steps.length) return other.has(at);
        for (long i = 0; i < extents[axis]; i++) if (meets(other, axis + 1, at + i * steps[axis])) return true;
        return false;
    }

    private boolean has(long place) {
        long left = place - base;
        if (left < 0) return false;
        for (int k = 0; k < steps.length; k++) left -= Math.min(left / steps[k], extents[k] - 1) * steps[k];
        return left == 0;
    }
}
