package io.penstock.testing;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * On how many ranks tests run: on threads, as many as a test likes; where the tests are run as a job of processes, as many as that job has,
 * which the system property {@code penstock.test.job.ranks} says.
 */
public final class RankCounts {
    /** The system property that says how many ranks the job has. */
    public static final String JOB = "penstock.test.job.ranks";

    private static final @Nullable Integer OF_JOB = Integer.getInteger(JOB);

    private RankCounts() {}

    /** Whether the tests run as a job of processes. */
    public static boolean isJob() {
        return OF_JOB != null;
    }

    /** All numbers from one to {@code most}. */
    public static int[] upTo(int most) {
        return of(IntStream.rangeClosed(1, most).toArray());
    }

    /** The given numbers. */
    public static int[] of(int... counts) {
        return OF_JOB == null ? counts : new int[] {OF_JOB};
    }

    /** A number from one to {@code most}. */
    public static int any(SplittableRandom random, int most) {
        int any = random.nextInt(1, most + 1);
        return OF_JOB == null ? any : OF_JOB;
    }

    /** One to sixteen, small numbers more often. */
    public static int any(SplittableRandom random) {
        int any = 1 + random.nextInt(1 + random.nextInt(16));
        return OF_JOB == null ? any : OF_JOB;
    }
}
