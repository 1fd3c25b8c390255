package io.penstock.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * Two ways to do the same work, timed in turn: the ratio is formed pair by pair, so it holds when the machine's speed drifts.
 *
 * @param ours the median time of one run of ours, in seconds
 * @param theirs the median time of one run of the peer's, in seconds
 * @param median the median of theirs over ours: above one, ours is faster
 * @param low the tenth percentile of that ratio
 * @param high the ninetieth percentile of that ratio
 */
record Ratio(double ours, double theirs, double median, double low, double high) {
    private static final double BATCH_SECONDS = 2e-3;
    private static final double WARM_UP_SECONDS = 0.4;

    static Ratio of(Runnable ours, Runnable theirs, int pairs) {
        warmUp(ours);
        warmUp(theirs);
        int ourBatch = batch(ours);
        int theirBatch = batch(theirs);
        double[] a = new double[pairs];
        double[] b = new double[pairs];
        double[] ratio = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            a[i] = time(ours, ourBatch);
            b[i] = time(theirs, theirBatch);
            ratio[i] = b[i] / a[i];
        }
        Arrays.sort(ratio);
        return new Ratio(median(a), median(b), ratio[pairs / 2], ratio[pairs / 10], ratio[pairs - 1 - pairs / 10]);
    }

    private static void warmUp(Runnable work) {
        long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
        do work.run();
        while (System.nanoTime() < end);
    }

    private static int batch(Runnable work) {
        return (int) Math.max(1, BATCH_SECONDS / time(work, 3));
    }

    /** Seconds that one run takes, the mean of several in a row. */
    static double time(Runnable work, int runs) {
        long start = System.nanoTime();
        for (int i = 0; i < runs; i++) work.run();
        return (System.nanoTime() - start) * 1e-9 / runs;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    String row(String label) {
        return String.format(
                Locale.ROOT,
                "%-44s %12.2f us %12.2f us %8.2f  [%.2f, %.2f]",
                label,
                ours * 1e6,
                theirs * 1e6,
                median,
                low,
                high);
    }

    static String header(String peer) {
        return String.format(
                Locale.ROOT,
                "%-44s %15s %15s %8s  %s",
                "",
                "penstock",
                peer,
                "ratio",
                "[p10, p90]  (ratio above 1: penstock is faster)");
    }
}
