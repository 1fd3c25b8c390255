package io.penstock.array;

import java.util.Arrays;

/**
 * How the elements of arrays of one shape are walked together: extents, and the bytes that each array advances along each of them.
 *
 * <p>Axes along which all arrays go on as they would along the one before are merged, so contiguous arrays have one axis. There is
 * always at least one.
 */
final class Walk {
    private long[] shape;
    private long[][] steps;
    private final long[] start;

    private Walk(long[] shape, long[][] steps, long[] start) {
        this.shape = shape;
        this.steps = steps;
        this.start = start;
    }

    /** The walk in C order. */
    static Walk inOrder(NDArray... arrays) {
        Walk walk = of(arrays);
        walk.merge();
        return walk;
    }

    /** The walk in whichever order of the axes suits the first array's memory best. */
    static Walk sorted(NDArray... arrays) {
        Walk walk = of(arrays);
        walk.sortAxes();
        walk.merge();
        return walk;
    }

    /**
     * The sorted walk in whichever direction along each axis suits the first array's memory best, for work that does not care
     * which element comes first.
     */
    static Walk forward(NDArray... arrays) {
        Walk walk = of(arrays);
        for (int k = 0; k < walk.shape.length; k++) if (walk.shape[k] > 0) walk.turn(k);
        walk.sortAxes();
        walk.merge();
        return walk;
    }

    private static Walk of(NDArray... arrays) {
        long[] shape = arrays[0].shape();
        long[][] steps = new long[shape.length][arrays.length];
        long[] start = new long[arrays.length];
        for (int a = 0; a < arrays.length; a++) {
            NDArray array = arrays[a];
            int bytes = array.dtype().bytes();
            start[a] = array.startByte();
            long[] strides = array.steps();
            for (int k = 0; k < shape.length; k++) steps[k][a] = strides[k] * bytes;
        }
        return new Walk(shape, steps, start);
    }

    /** Walks an axis from its other end when the first array that moves along it moves backwards. */
    private void turn(int k) {
        for (long step : steps[k]) {
            if (step > 0) return;
            if (step < 0) break;
        }
        for (int a = 0; a < start.length; a++) {
            start[a] += (shape[k] - 1) * steps[k][a];
            steps[k][a] = -steps[k][a];
        }
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

    /** The number of axes, at least one. */
    int axes() {
        return shape.length;
    }

    long extent(int axis) {
        return shape[axis];
    }

    /** The bytes that an array advances along an axis. */
    long step(int axis, int array) {
        return steps[axis][array];
    }

    /** The extents; not to be changed. */
    long[] shape() {
        return shape;
    }

    /** For each axis the bytes that each array advances; not to be changed. */
    long[][] steps() {
        return steps;
    }

    /** Where an array's first element lies, in bytes from the beginning of its buffer. */
    long start(int array) {
        return start[array];
    }

    /** The walk over the elements at one index along the first axis; of one axis, an axis of extent 1 is left. */
    Walk at(long index) {
        long[] first = start.clone();
        for (int a = 0; a < first.length; a++) first[a] += index * steps[0][a];
        if (shape.length == 1) return new Walk(new long[] {1}, new long[][] {new long[first.length]}, first);
        return new Walk(Arrays.copyOfRange(shape, 1, shape.length), Arrays.copyOfRange(steps, 1, steps.length), first);
    }
}
