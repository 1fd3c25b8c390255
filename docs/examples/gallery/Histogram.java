package gallery;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Histogram: how often each value occurs, counted by each group for itself and then for all. */
public class Histogram {
    private static final int BINS = 256;
    private static final int ITEMS = 256;
    private static final Kernel COUNT = Kernel.of(Histogram::count);

    /** An item takes every {@code sizeX}-th value, so that neighbouring items read neighbouring bytes. */
    static void count(WorkItem at, Ints counts, Bytes values) {
        Ints own = at.localInts(BINS);
        for (long bin = at.localX(); bin < BINS; bin += at.groupSizeX()) own.set(bin, 0);
        at.barrier();
        for (long k = at.x(); k < values.length(); k += at.sizeX()) own.atomicAdd(values.get(k) & 0xff, 1);
        at.barrier();
        for (long bin = at.localX(); bin < BINS; bin += at.groupSizeX()) counts.atomicAdd(bin, own.get(bin));
    }

    /** Adds to {@code counts[v]} how often the byte {@code v}, taken without sign, occurs. */
    public static void run(Queue queue, Ints counts, Bytes values) {
        long groups = Math.clamp(Math.ceilDiv(values.length(), ITEMS * 16), 1, 1024);
        COUNT.over(groups * ITEMS).groups(ITEMS).launch(queue, counts, values);
    }
}
