package io.penstock.testing;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Property tests on random cases whose seed is printed when one fails.
 *
 * <p>The base seed is taken from the system property {@code penstock.seed} when it is set, so that a failure can be run again
 * alone; otherwise it is fixed, so that a green build stays green.
 */
public final class Seeded {
    private static final long DEFAULT = 20261130L;

    private static final int OF_JOB = 8;

    private Seeded() {}

    /**
     * Runs {@code body} on {@code cases} generators, each with its own seed.
     *
     * @param cases how many cases to run; one when {@code penstock.seed} names the seed of a single case, and an eighth on the ranks of
     *     a {@link RankCounts job}, each of which costs the time of many threads
     * @param body the test of one case
     * @throws AssertionError naming the seed of the first case that fails, with the failure as its cause
     */
    public static void cases(int cases, Consumer<SplittableRandom> body) {
        Long only = Long.getLong("penstock.seed");
        if (only != null) {
            run(only, body);
            return;
        }
        SplittableRandom seeds = new SplittableRandom(DEFAULT);
        int count = RankCounts.isJob() ? Math.ceilDiv(cases, OF_JOB) : cases;
        for (int i = 0; i < count; i++) run(seeds.nextLong(), body);
    }

    private static void run(long seed, Consumer<SplittableRandom> body) {
        try {
            body.accept(new SplittableRandom(seed));
        } catch (Throwable failure) {
            throw new AssertionError("fails with -Dpenstock.seed=" + seed + ": " + failure.getMessage(), failure);
        }
    }
}
