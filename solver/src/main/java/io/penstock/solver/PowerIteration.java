package io.penstock.solver;

import io.penstock.array.Reductions;
import io.penstock.array.Scalar;
import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.Objects;

/**
 * Power iteration for the eigenvalue of largest modulus: Golub and Van Loan, Matrix Computations (4th edition, 2013), section
 * 7.3.1, with the Rayleigh quotient as the estimate.
 *
 * <p>A value: each setting returns a new configuration. Unless told otherwise it does at most 100 iterations from a random
 * vector of seed 0, and stops when the estimate changes by less than 1e-6 of itself. An iteration applies the operator once
 * and sends one reduction. The start depends on the seed alone, not on the layout or the number of ranks.
 *
 * @param <X> the class of the vectors
 */
public final class PowerIteration<X extends Vector<X>> {
    private final LinearOperator<X, X> operator;
    private final long seed;
    private final int iterations;
    private final double tolerance;

    private PowerIteration(LinearOperator<X, X> operator, long seed, int iterations, double tolerance) {
        this.operator = operator;
        this.seed = seed;
        this.iterations = iterations;
        this.tolerance = tolerance;
    }

    /**
     * Power iteration with an operator.
     *
     * @throws IllegalArgumentException when its domain is not its range
     */
    public static <X extends Vector<X>> PowerIteration<X> of(LinearOperator<X, X> operator) {
        Objects.requireNonNull(operator, "operator is null");
        if (!operator.domain().equals(operator.range()))
            throw new IllegalArgumentException(
                    "operator maps " + operator.domain() + " to " + operator.range() + "; expected one space");
        return new PowerIteration<>(operator, 0, 100, 1e-6);
    }

    /** Starts at the random vector of a seed. */
    public PowerIteration<X> seed(long value) {
        return new PowerIteration<>(operator, value, iterations, tolerance);
    }

    /** Does at most {@code count} iterations, 1 or more. */
    public PowerIteration<X> iterations(int count) {
        if (count < 1) throw new IllegalArgumentException("iterations is " + count + "; expected 1 or more");
        return new PowerIteration<>(operator, seed, count, tolerance);
    }

    /** Stops when the estimate changes by no more than this fraction of itself. */
    public PowerIteration<X> relativeTolerance(double fraction) {
        if (!(fraction >= 0))
            throw new IllegalArgumentException("relativeTolerance is " + fraction + "; expected 0 or more");
        return new PowerIteration<>(operator, seed, iterations, fraction);
    }

    /**
     * Iterates until a limit is reached.
     *
     * @throws SolverException when a number is not finite
     */
    public Eigenpair<X> solve() {
        X b = operator.domain().random(seed);
        b.scale(1 / b.norm());
        X image = operator.range().empty();
        Reductions sums = new Reductions(2);
        double re = 0;
        double im = 0;
        Stop stop = Stop.ITERATION_LIMIT;
        int done = 0;
        // Elements moved per iteration beside the operator's, n unknowns: b.image 2, image.image 1, b 2: 5 n. One
        // message.
        while (done < iterations) {
            done++;
            operator.forward(b, image);
            sums.clear();
            b.dot(image, sums, 0);
            image.dot(image, sums, 1);
            sums.reduce();
            Iteration.requireFinite(sums.re(1), "|A b|^2", done);
            double change = Math.hypot(sums.re(0) - re, sums.im(0) - im);
            re = sums.re(0);
            im = sums.im(0);
            double norm = Math.sqrt(sums.re(1));
            if (norm == 0) {
                stop = Stop.ABSOLUTE_TOLERANCE;
                break;
            }
            b.axpby(1 / norm, image, 0);
            if (done > 1 && change <= tolerance * Math.hypot(re, im)) {
                stop = Stop.RELATIVE_TOLERANCE;
                break;
            }
        }
        image.close();
        Scalar value = operator.domain().dtype().isComplex() ? Scalar.complex(re, im) : Scalar.real(re);
        return new Eigenpair<>(value, b, done, stop);
    }
}
