package io.penstock.solver;

/** Thrown, on every rank alike, when an iteration cannot go on: a number is not finite, or the solver diverges. */
public final class SolverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int iteration;

    SolverException(int iteration, String message) {
        super("iteration " + iteration + ": " + message);
        this.iteration = iteration;
    }

    /** The iteration that failed, counted from 1; 0 for what precedes the first. */
    public int iteration() {
        return iteration;
    }
}
