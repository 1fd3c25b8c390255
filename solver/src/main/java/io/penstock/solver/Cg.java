package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients for {@code A x = y} with a positive definite operator that is its own adjoint: Hestenes and Stiefel,
 * Journal of Research of the National Bureau of Standards 49 (1952).
 *
 * <p>A value: each setting returns a new configuration, and {@link #solve} may be called again and again. Unless told
 * otherwise it starts at zero and does 100 iterations, or fewer when the residual becomes exactly zero. An iteration applies
 * the operator once and sends two reductions.
 *
 * @param <X> the class of the unknown
 */
public final class Cg<X extends Vector<X>> {
    private final LinearOperator<X, X> operator;
    private final X data;
    private final @Nullable X start;
    private final Limits limits;
    private final List<Observer<X>> observers;

    private Cg(LinearOperator<X, X> operator, X data, @Nullable X start, Limits limits, List<Observer<X>> observers) {
        this.operator = operator;
        this.data = data;
        this.start = start;
        this.limits = limits;
        this.observers = observers;
    }

    /**
     * Conjugate gradients for {@code operator x = data}.
     *
     * @throws IllegalArgumentException when the operator's domain is not its range, or {@code data} lies elsewhere
     */
    public static <X extends Vector<X>> Cg<X> of(LinearOperator<X, X> operator, X data) {
        Objects.requireNonNull(operator, "operator is null");
        if (!operator.domain().equals(operator.range()))
            throw new IllegalArgumentException("operator maps " + operator.domain() + " to " + operator.range()
                    + "; expected one space: use Cgls for operators that are not square");
        operator.range().check(data, "data");
        return new Cg<>(operator, data, null, Limits.DEFAULT, List.of());
    }

    /** Starts at {@code x0}, which stays as it is. */
    public Cg<X> start(X x0) {
        operator.domain().check(x0, "x0");
        return new Cg<>(operator, data, x0, limits, observers);
    }

    /** Does at most {@code count} iterations, those before a resume included. */
    public Cg<X> iterations(int count) {
        return new Cg<>(operator, data, start, limits.withIterations(count), observers);
    }

    /** Stops when {@code |y - A x| <= norm}: the norm itself, not its square. */
    public Cg<X> absoluteTolerance(double norm) {
        return new Cg<>(operator, data, start, limits.withAbsolute(norm), observers);
    }

    /** Stops when {@code |y - A x| <= fraction * |y - A x0|}. */
    public Cg<X> relativeTolerance(double fraction) {
        return new Cg<>(operator, data, start, limits.withRelative(fraction), observers);
    }

    /** Shows every iteration to {@code observer} as well. */
    public Cg<X> observe(Observer<X> observer) {
        List<Observer<X>> more = new ArrayList<>(observers);
        more.add(Objects.requireNonNull(observer, "observer is null"));
        return new Cg<>(operator, data, start, limits, List.copyOf(more));
    }

    /** The iteration at its start, to be stepped by the caller. */
    public CgIteration<X> begin() {
        X x = start == null ? operator.domain().zeros() : start.copy();
        return new CgIteration<>(operator, data, x, start == null, limits, observers);
    }

    /** The iteration at a state taken earlier, of the same operator and data; the state stays as it is. */
    public CgIteration<X> resume(CgState<X> state) {
        operator.domain().check(state.x(), "state");
        return new CgIteration<>(operator, data, state, limits, observers);
    }

    /**
     * Iterates until a limit is reached.
     *
     * @throws SolverException when the operator turns out not to be positive definite, a number is not finite, or the residual
     *     grows without bound
     */
    public Solution<X> solve() {
        return begin().run();
    }
}
