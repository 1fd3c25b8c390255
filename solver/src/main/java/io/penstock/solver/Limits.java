package io.penstock.solver;

import org.jspecify.annotations.Nullable;

/**
 * When an iteration ends well.
 *
 * @param iterations how many iterations are allowed
 * @param absolute the norm at which to stop
 * @param relative the fraction of the first norm at which to stop
 */
record Limits(int iterations, double absolute, double relative) {
    static final Limits DEFAULT = new Limits(100, 0, 0);

    Limits {
        if (iterations < 0) throw new IllegalArgumentException("iterations is " + iterations + "; expected 0 or more");
        requireTolerance(absolute, "absoluteTolerance");
        requireTolerance(relative, "relativeTolerance");
    }

    private static void requireTolerance(double value, String name) {
        if (!(value >= 0) || value == Double.POSITIVE_INFINITY)
            throw new IllegalArgumentException(name + " is " + value + "; expected a finite number, 0 or more");
    }

    Limits withIterations(int value) {
        return new Limits(value, absolute, relative);
    }

    Limits withAbsolute(double value) {
        return new Limits(iterations, value, relative);
    }

    Limits withRelative(double value) {
        return new Limits(iterations, absolute, value);
    }

    /** Why to stop after {@code iteration} iterations, or null to go on. */
    @Nullable
    Stop stop(int iteration, double norm, double first) {
        if (norm <= absolute) return Stop.ABSOLUTE_TOLERANCE;
        if (relative > 0 && norm <= relative * first) return Stop.RELATIVE_TOLERANCE;
        return iteration >= iterations ? Stop.ITERATION_LIMIT : null;
    }
}
