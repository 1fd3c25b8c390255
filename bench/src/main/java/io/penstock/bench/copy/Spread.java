package io.penstock.bench.copy;

import java.util.Arrays;

/** How measurements of one thing lie, each in seconds. */
record Spread(double median, double p95, double least, double most) {
    static Spread of(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return new Spread(sorted[n / 2], sorted[Math.min(n - 1, n * 95 / 100)], sorted[0], sorted[n - 1]);
    }

    /** The 95th percentile over the median. */
    double width() {
        return p95 / median;
    }
}
