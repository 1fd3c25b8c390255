package io.penstock.solver;

/** Why a solver stopped. What is an error (NaN, divergence) is not here: it is thrown. */
public enum Stop {
    /** The iterations allowed were used up. */
    ITERATION_LIMIT,
    /** The norm that the solver watches came to the absolute tolerance; also when it is exactly zero, at the start included. */
    ABSOLUTE_TOLERANCE,
    /** The norm that the solver watches came to the relative tolerance times its value at the start. */
    RELATIVE_TOLERANCE,
    /** What is left is rounding error: the search direction has no positive curvature in this precision. */
    ROUNDING,
    /** An observer asked for it, on any rank. */
    CANCELLED;

    /** Whether the tolerances asked for, or all that the precision can give, were reached. */
    public boolean isConverged() {
        return this == ABSOLUTE_TOLERANCE || this == RELATIVE_TOLERANCE || this == ROUNDING;
    }
}
