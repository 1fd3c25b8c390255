package io.penstock.comm;

import java.time.Duration;
import java.util.Objects;

/**
 * How ranks run.
 *
 * @param deadline how long a rank may wait for others in one call when none of them is at work any more; then all ranks end
 *     with an error that says where each stands. A rank is at work when it computes, or waits for its own queues
 * @param limit how long a rank may wait while others are at work
 * @param onHang what the ranks do when the deadline or the limit has passed
 */
public record RanksOptions(Duration deadline, Duration limit, OnHang onHang) {
    private static final String DEADLINE = "penstock.comm.deadline";
    private static final String LIMIT = "penstock.comm.limit";

    /** Checks the values. */
    public RanksOptions {
        requirePositive(deadline, "deadline");
        requirePositive(limit, "limit");
        Objects.requireNonNull(onHang, "onHang is null");
        if (limit.compareTo(deadline) < 0) limit = deadline;
    }

    private static void requirePositive(Duration value, String name) {
        Objects.requireNonNull(value, name + " is null");
        if (!value.isPositive())
            throw new IllegalArgumentException(name + " is " + value + "; expected more than zero");
    }

    /**
     * The defaults. The system properties {@code penstock.comm.deadline} and {@code penstock.comm.limit} give the times in
     * seconds, 10 and 300 when absent; a limit below the deadline counts as the deadline.
     */
    public static RanksOptions defaults() {
        return new RanksOptions(seconds(DEADLINE, "10"), seconds(LIMIT, "300"), OnHang.END);
    }

    /** The same with another deadline. */
    public RanksOptions withDeadline(Duration other) {
        return new RanksOptions(other, limit, onHang);
    }

    /** The same with another limit. */
    public RanksOptions withLimit(Duration other) {
        return new RanksOptions(deadline, other, onHang);
    }

    /** The same with another answer to a hang. */
    public RanksOptions withOnHang(OnHang other) {
        return new RanksOptions(deadline, limit, other);
    }

    private static Duration seconds(String name, String otherwise) {
        String seconds = System.getProperty(name, otherwise);
        double value;
        try {
            value = Double.parseDouble(seconds);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + seconds + "'; expected a number of seconds", e);
        }
        if (!(value > 0 && value <= 1e9))
            throw new IllegalArgumentException(
                    name + " is " + seconds + "; expected more than 0 and at most 1e9 seconds");
        return Duration.ofNanos((long) (value * 1e9));
    }
}
