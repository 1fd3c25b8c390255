package io.penstock.array;

import io.penstock.runtime.Device;

/**
 * Arrays of one shape walked together, as runs: stretches along which each array advances by a constant number of bytes.
 *
 * <p>Dimensions that lie next to each other in every array are merged, so contiguous arrays are one run.
 */
final class Runs {
    /** The fewest elements worth a core of their own. */
    static final long GRAIN = 1 << 16;

    private final long[] start;
    private final long[] shape;
    private final long[][] steps;
    private final long size;

    /** Work on one run. */
    interface Body {
        /**
         * Works on {@code n} elements.
         *
         * @param at the address of the first element in each array; not to be changed
         * @param step the bytes from one element to the next in each array; not to be changed
         */
        void run(long[] at, long[] step, long n);
    }

    private Runs(Walk walk, NDArray[] arrays, boolean reading) {
        this.shape = walk.shape();
        this.steps = walk.steps();
        this.size = arrays[0].size();
        this.start = new long[arrays.length];
        for (int a = 0; a < arrays.length; a++) start[a] = reading ? arrays[a].addressToRead() : arrays[a].address();
    }

    /** Walks the arrays in whichever order of the axes suits the first one's memory best. */
    static Runs of(NDArray... arrays) {
        return new Runs(Walk.sorted(arrays), arrays, false);
    }

    /** As {@link #of}, for a walk that only reads. */
    static Runs toRead(NDArray... arrays) {
        return new Runs(Walk.sorted(arrays), arrays, true);
    }

    /** Walks the arrays in C order. */
    static Runs inOrder(NDArray... arrays) {
        return new Runs(Walk.inOrder(arrays), arrays, false);
    }

    /** How many elements each array has. */
    long size() {
        return size;
    }

    /** Walks all elements on the calling thread. */
    void forEach(Body body) {
        walk(0, size, body);
    }

    /** Walks all elements on as many cores as are free; the body must not care how runs are cut. */
    void parallel(Body body) {
        if (size <= GRAIN) walk(0, size, body);
        else Device.jvm().queue().parallel(size, GRAIN, (from, to) -> walk(from, to, body));
    }

    /** Walks the elements from {@code from} to {@code to}, counted in the order of the walk. */
    void walk(long from, long to, Body body) {
        if (from >= to) return;
        int last = shape.length - 1;
        long inner = shape[last];
        long[] index = new long[last];
        long[] at = start.clone();
        long[] step = steps[last];
        long rest = from / inner;
        for (int k = last - 1; k >= 0; k--) {
            index[k] = rest % shape[k];
            rest /= shape[k];
            for (int a = 0; a < at.length; a++) at[a] += index[k] * steps[k][a];
        }
        long skip = from % inner;
        for (int a = 0; a < at.length; a++) at[a] += skip * step[a];
        long left = to - from;
        long n = Math.min(inner - skip, left);
        while (true) {
            body.run(at, step, n);
            left -= n;
            if (left == 0) return;
            for (int a = 0; a < at.length; a++) at[a] -= skip * step[a];
            skip = 0;
            advance(at, index);
            n = Math.min(inner, left);
        }
    }

    private void advance(long[] at, long[] index) {
        for (int k = index.length - 1; k >= 0; k--) {
            long[] step = steps[k];
            if (++index[k] < shape[k]) {
                for (int a = 0; a < at.length; a++) at[a] += step[a];
                return;
            }
            index[k] = 0;
            for (int a = 0; a < at.length; a++) at[a] -= (shape[k] - 1) * step[a];
        }
    }
}
