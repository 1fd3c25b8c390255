package io.penstock.array;

import io.penstock.runtime.Device;
import java.util.Arrays;

/**
 * Arrays of one shape walked together, as runs: stretches along which each array advances by a constant number of bytes.
 *
 * <p>Dimensions that lie next to each other in every array are merged, so contiguous arrays are one run.
 */
final class Runs {
    /** The fewest elements worth a core of their own. */
    static final long GRAIN = 1 << 16;

    private final long[] start;
    private long[] shape;
    private long[][] steps;
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

    private Runs(long[] shape, NDArray[] arrays, boolean reading) {
        this.shape = shape;
        this.size = Shapes.size(shape);
        this.start = new long[arrays.length];
        this.steps = new long[shape.length][arrays.length];
        for (int a = 0; a < arrays.length; a++) {
            NDArray array = arrays[a];
            start[a] = reading ? array.addressToRead() : array.address();
            long[] strides = array.strides();
            for (int k = 0; k < shape.length; k++)
                steps[k][a] = strides[k] * array.dtype().bytes();
        }
    }

    /** Walks the arrays in whichever order of the axes suits the first one's memory best. */
    static Runs of(NDArray... arrays) {
        return sorted(new Runs(arrays[0].shape(), arrays, false));
    }

    /** As {@link #of}, for a walk that only reads. */
    static Runs toRead(NDArray... arrays) {
        return sorted(new Runs(arrays[0].shape(), arrays, true));
    }

    private static Runs sorted(Runs runs) {
        runs.sortAxes();
        runs.merge();
        return runs;
    }

    /** Walks the arrays in C order. */
    static Runs inOrder(NDArray... arrays) {
        Runs runs = new Runs(arrays[0].shape(), arrays, false);
        runs.merge();
        return runs;
    }

    /** How many elements each array has. */
    long size() {
        return size;
    }

    /** Orders the axes by falling step of the first array, then of the next ones where a step is zero. */
    private void sortAxes() {
        for (int i = 1; i < shape.length; i++)
            for (int k = i; k > 0 && isFiner(k - 1, k); k--) {
                long extent = shape[k];
                shape[k] = shape[k - 1];
                shape[k - 1] = extent;
                long[] step = steps[k];
                steps[k] = steps[k - 1];
                steps[k - 1] = step;
            }
    }

    private boolean isFiner(int outer, int inner) {
        for (int a = 0; a < start.length; a++) {
            long o = Math.abs(steps[outer][a]);
            long i = Math.abs(steps[inner][a]);
            if (o != i && o != 0 && i != 0) return o < i;
        }
        return false;
    }

    private void merge() {
        int kept = 0;
        for (int k = 0; k < shape.length; k++) {
            if (shape[k] == 1) continue;
            if (kept > 0 && follows(steps[kept - 1], steps[k], shape[k])) {
                shape[kept - 1] *= shape[k];
                steps[kept - 1] = steps[k];
            } else {
                shape[kept] = shape[k];
                steps[kept++] = steps[k];
            }
        }
        if (kept == 0) {
            shape = new long[] {1};
            steps = new long[][] {new long[start.length]};
        } else if (kept < shape.length) {
            shape = Arrays.copyOf(shape, kept);
            steps = Arrays.copyOf(steps, kept);
        }
    }

    private static boolean follows(long[] outer, long[] inner, long extent) {
        for (int a = 0; a < outer.length; a++) if (outer[a] != inner[a] * extent) return false;
        return true;
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
