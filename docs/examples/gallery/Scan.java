package gallery;

import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Scan: the running sum of an array, within groups, of the groups, and then together. */
public class Scan {
    private static final int ITEMS = 256;
    private static final Kernel WITHIN = Kernel.of(Scan::within);
    private static final Kernel RAISE = Kernel.of(Scan::raise);

    /** Running sums within each group (Hillis and Steele, 1986), and the groups' totals. */
    static void within(WorkItem at, Ints sums, Ints totals, Ints in) {
        Ints now = at.localInts(ITEMS);
        long i = at.localX();
        int sum = at.x() < in.length() ? in.get(at.x()) : 0;
        now.set(i, sum);
        at.barrier();
        for (int reach = 1; reach < ITEMS; reach *= 2) {
            if (i >= reach) sum += now.get(i - reach);
            at.barrier(); // all have read
            now.set(i, sum);
            at.barrier(); // all have written
        }
        if (at.x() < sums.length()) sums.set(at.x(), sum);
        if (i == ITEMS - 1) totals.set(at.groupX(), sum);
    }

    /** Raises each group's sums by what comes before the group. */
    static void raise(WorkItem at, Ints sums, Ints totals) {
        long group = at.x() / ITEMS;
        if (group > 0) sums.set(at.x(), sums.get(at.x()) + totals.get(group - 1));
    }

    /**
     * Makes {@code sums[k] = in[0] + ... + in[k]}; both may be the same array.
     *
     * @param spare room for the groups' totals, those of their groups, and so on: {@link #spare} elements
     */
    public static void run(Queue queue, Ints sums, Ints in, Ints spare) {
        long groups = Math.ceilDiv(in.length(), ITEMS);
        Ints totals = Ints.of(spare.buffer().slice(0, 4 * groups), groups);
        WITHIN.over(groups * ITEMS).groups(ITEMS).launch(queue, sums, totals, in);
        if (groups == 1) return;
        Ints rest = Ints.of(spare.buffer().slice(4 * groups, 4 * spare(groups)), spare(groups));
        run(queue, totals, totals, rest);
        RAISE.over(in.length()).launch(queue, sums, totals);
    }

    /** How many spare elements {@code n} elements need. */
    public static long spare(long n) {
        long groups = Math.ceilDiv(n, ITEMS);
        return groups == 1 ? 1 : groups + spare(groups);
    }
}
