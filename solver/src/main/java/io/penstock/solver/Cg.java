package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    private final Settings<X> settings;

    private Cg(LinearOperator<X, X> operator, X data, @Nullable X start, Settings<X> settings) {
        this.operator = operator;
        this.data = data;
        this.start = start;
        this.settings = settings;
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
        return new Cg<>(operator, data, null, Settings.defaults());
    }

    /** Conjugate gradients for the normal equations of a least-squares problem. */
    public static <X extends Vector<X>> Cg<X> of(NormalEquations<X> equations) {
        return of(equations.operator(), equations.rightHandSide());
    }

    /** Starts at {@code x0}, which stays as it is. */
    public Cg<X> start(X x0) {
        operator.domain().check(x0, "x0");
        return new Cg<>(operator, data, x0, settings);
    }

    /** Does at most {@code count} iterations, those before a resume included. */
    public Cg<X> iterations(int count) {
        return new Cg<>(operator, data, start, settings.with(settings.limits().withIterations(count)));
    }

    /** Stops when {@code |y - A x| <= norm}: the norm itself, not its square. */
    public Cg<X> absoluteTolerance(double norm) {
        return new Cg<>(operator, data, start, settings.with(settings.limits().withAbsolute(norm)));
    }

    /** Stops when {@code |y - A x| <= fraction * |y - A x0|}. */
    public Cg<X> relativeTolerance(double fraction) {
        return new Cg<>(operator, data, start, settings.with(settings.limits().withRelative(fraction)));
    }

    /** Shows every iteration to {@code observer} as well. */
    public Cg<X> observe(Observer<X> observer) {
        return new Cg<>(operator, data, start, settings.with(observer));
    }

    /**
     * Saves the state every {@code every} iterations, and where the solver stops; {@link #resume(Checkpoints)} goes on from there.
     */
    public Cg<X> checkpoints(Checkpoints files, int every) {
        return new Cg<>(operator, data, start, settings.with(new Saving(files, every)));
    }

    /** The same with one reduction an iteration instead of two, for ranks whose reductions take longer than their arithmetic. */
    public FusedCg<X> fused() {
        return new FusedCg<>(operator, data, start, settings);
    }

    /** The iteration at its start, to be stepped by the caller. */
    public CgIteration<X> begin() {
        X x = start == null ? operator.domain().zeros() : start.copy();
        return new CgIteration<>(operator, data, x, start == null, settings);
    }

    /** The iteration at a state taken earlier, of the same operator and data; the state stays as it is. */
    public CgIteration<X> resume(CgState<X> state) {
        operator.domain().check(state.x(), "state");
        return new CgIteration<>(operator, data, state, settings);
    }

    /**
     * The iteration at the newest checkpoint, of the same operator and data; empty when there is none. Goes on with the same
     * bits when it is read on as many ranks as wrote it.
     *
     * @throws CheckpointException when there is a checkpoint that cannot be read, or is of another problem
     */
    public Optional<CgIteration<X>> resume(Checkpoints files) {
        X x = operator.domain().empty();
        X residual = operator.range().empty();
        X direction = operator.domain().empty();
        try {
            return files.load(CgIteration.SOLVER, List.of(x, residual, direction))
                    .map(saved -> resume(new CgState<>(x, residual, direction, saved.numbers()[0], saved.history())));
        } finally {
            x.close();
            residual.close();
            direction.close();
        }
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
