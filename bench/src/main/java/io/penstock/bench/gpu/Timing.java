package io.penstock.bench.gpu;

import io.penstock.runtime.Moment;
import io.penstock.runtime.Queue;
import java.util.Arrays;

/** Times what a queue is given by the device's own clock: so many in a row that its beginning and end do not matter. */
record Timing(Queue queue, int rounds) {
    private static final double ROUND_SECONDS = 0.02;
    private static final int WARM_UPS = 3;

    /** The median over the rounds of the seconds of one run. */
    double median(Runnable run) {
        for (int k = 0; k < WARM_UPS; k++) run.run();
        queue.await();
        int runs = (int) Math.clamp(ROUND_SECONDS / seconds(run, 1), 1, 200);
        double[] all = new double[rounds];
        for (int k = 0; k < rounds; k++) all[k] = seconds(run, runs) / runs;
        Arrays.sort(all);
        return all[rounds / 2];
    }

    private double seconds(Runnable run, int runs) {
        Moment begin = queue.moment();
        for (int k = 0; k < runs; k++) run.run();
        Moment end = queue.moment();
        return Math.max(1, end.nanos() - begin.nanos()) * 1e-9;
    }
}
