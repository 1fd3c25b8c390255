package io.penstock.comm;

import java.time.Duration;
import java.util.Objects;

/**
 * How ranks run.
 *
 * @param deadline how long a rank may wait for others in one call before all ranks end with an error that says where each stands
 */
public record RanksOptions(Duration deadline) {
    private static final String DEADLINE = "penstock.comm.deadline";

    /** Checks the values. */
    public RanksOptions {
        Objects.requireNonNull(deadline, "deadline is null");
        if (!deadline.isPositive())
            throw new IllegalArgumentException("deadline is " + deadline + "; expected more than zero");
    }

    /** The defaults; the system property {@code penstock.comm.deadline} gives the deadline in seconds, 300 when absent. */
    public static RanksOptions defaults() {
        return new RanksOptions(deadline(System.getProperty(DEADLINE, "300")));
    }

    /** The same with another deadline. */
    public RanksOptions withDeadline(Duration other) {
        return new RanksOptions(other);
    }

    private static Duration deadline(String seconds) {
        double value;
        try {
            value = Double.parseDouble(seconds);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(DEADLINE + " is '" + seconds + "'; expected a number of seconds", e);
        }
        if (!(value > 0 && value <= 1e9))
            throw new IllegalArgumentException(
                    DEADLINE + " is " + seconds + "; expected more than 0 and at most 1e9 seconds");
        return Duration.ofNanos((long) (value * 1e9));
    }
}
