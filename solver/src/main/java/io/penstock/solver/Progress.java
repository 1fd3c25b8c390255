package io.penstock.solver;

import io.penstock.array.Vector;
import java.time.Duration;

/**
 * How far a solver has come: what an observer sees after each iteration.
 *
 * @param <X> the class of the unknown
 * @param iteration the iteration just done, from 1
 * @param limit how many iterations are allowed
 * @param residualNorm the norm of the residual
 * @param gradientNorm the norm of the gradient; for CG the norm of the residual
 * @param elapsed the time since the solver started or resumed
 * @param x the iterate itself, not a copy: valid during the call, and not to be changed
 */
public record Progress<X extends Vector<X>>(
        int iteration, int limit, double residualNorm, double gradientNorm, Duration elapsed, X x) {
    /** One line without the elements of {@code x}. */
    @Override
    public String toString() {
        return "iteration " + iteration + " of " + limit + ": residual norm " + residualNorm + ", gradient norm "
                + gradientNorm + ", after " + elapsed.toMillis() + " ms";
    }
}
