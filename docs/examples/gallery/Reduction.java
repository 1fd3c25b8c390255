package gallery;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Reduction: the sum of an array, as a tree in each group and then a tree of the groups. */
public class Reduction {
    private static final int ITEMS = 256;
    private static final Kernel SUM = Kernel.of(Reduction::sum);

    /** Leaves each group's sum in {@code sums}. Always added in the same order, so always the same bits. */
    static void sum(WorkItem at, Doubles sums, Doubles in) {
        Doubles tree = at.localDoubles(ITEMS);
        double own = 0;
        for (long k = at.x(); k < in.length(); k += at.sizeX()) own += in.get(k);
        long i = at.localX();
        tree.set(i, own);
        at.barrier();
        for (int half = ITEMS / 2; half > 0; half /= 2) {
            if (i < half) tree.set(i, tree.get(i) + tree.get(i + half));
            at.barrier();
        }
        if (i == 0) sums.set(at.groupX(), tree.get(0));
    }

    /**
     * Leaves the sum of {@code in} in the first element of {@code out}.
     *
     * @param sums room for up to 1024 groups' sums
     */
    public static void run(Queue queue, Doubles out, Doubles sums, Doubles in) {
        SUM.over(sums.length() * ITEMS).groups(ITEMS).launch(queue, sums, in);
        SUM.over(ITEMS).groups(ITEMS).launch(queue, out, sums);
    }
}
