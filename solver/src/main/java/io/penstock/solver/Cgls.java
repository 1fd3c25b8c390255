package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients for least squares: the {@code x} that minimises {@code |y - A x|^2 + damping^2 |x|^2}, for any linear
 * operator. Björck, Numerical Methods for Least Squares Problems (SIAM, 1996), algorithm 7.4.1, with damping.
 *
 * <p>A value: each setting returns a new configuration, and {@link #solve} may be called again and again. Unless told
 * otherwise it starts at zero, without damping, and does 100 iterations, or fewer when the gradient becomes exactly zero. An
 * iteration applies the operator and its adjoint once each and sends two reductions.
 *
 * @param <X> the class of the unknown
 * @param <Y> the class of the data
 */
public final class Cgls<X extends Vector<X>, Y extends Vector<Y>> {
    private final LinearOperator<X, Y> operator;
    private final Y data;
    private final double damping;
    private final @Nullable X start;
    private final Settings<X> settings;

    private Cgls(LinearOperator<X, Y> operator, Y data, double damping, @Nullable X start, Settings<X> settings) {
        this.operator = operator;
        this.data = data;
        this.damping = damping;
        this.start = start;
        this.settings = settings;
    }

    /**
     * CGLS for {@code operator x = data}.
     *
     * @throws IllegalArgumentException when {@code data} does not lie in the operator's range
     */
    public static <X extends Vector<X>, Y extends Vector<Y>> Cgls<X, Y> of(LinearOperator<X, Y> operator, Y data) {
        Objects.requireNonNull(operator, "operator is null");
        operator.range().check(data, "data");
        return new Cgls<>(operator, data, 0, null, Settings.defaults());
    }

    /** Starts at {@code x0}, which stays as it is. */
    public Cgls<X, Y> start(X x0) {
        operator.domain().check(x0, "x0");
        return new Cgls<>(operator, data, damping, x0, settings);
    }

    /** Adds {@code value^2 |x|^2} to what is minimised. */
    public Cgls<X, Y> damping(double value) {
        if (!Double.isFinite(value))
            throw new IllegalArgumentException("damping is " + value + "; expected a finite number");
        return new Cgls<>(operator, data, value, start, settings);
    }

    /** Does at most {@code count} iterations, those before a resume included. */
    public Cgls<X, Y> iterations(int count) {
        return new Cgls<>(
                operator, data, damping, start, settings.with(settings.limits().withIterations(count)));
    }

    /** Stops when {@code |A^H (y - A x) - damping^2 x| <= norm}: the norm itself, not its square. */
    public Cgls<X, Y> absoluteTolerance(double norm) {
        return new Cgls<>(
                operator, data, damping, start, settings.with(settings.limits().withAbsolute(norm)));
    }

    /** Stops when the norm of the gradient {@code A^H (y - A x) - damping^2 x} is this fraction of that at the start. */
    public Cgls<X, Y> relativeTolerance(double fraction) {
        return new Cgls<>(
                operator, data, damping, start, settings.with(settings.limits().withRelative(fraction)));
    }

    /** Shows every iteration to {@code observer} as well. */
    public Cgls<X, Y> observe(Observer<X> observer) {
        return new Cgls<>(operator, data, damping, start, settings.with(observer));
    }

    /**
     * Saves the state every {@code every} iterations, and where the solver stops; {@link #resume(Checkpoints)} goes on from there.
     */
    public Cgls<X, Y> checkpoints(Checkpoints files, int every) {
        return new Cgls<>(operator, data, damping, start, settings.with(new Saving(files, every)));
    }

    /** The iteration at its start, to be stepped by the caller. */
    public CglsIteration<X, Y> begin() {
        X x = start == null ? operator.domain().zeros() : start.copy();
        return new CglsIteration<>(operator, data, damping, x, start == null, settings);
    }

    /** The iteration at a state taken earlier, of the same operator, data and damping; the state stays as it is. */
    public CglsIteration<X, Y> resume(CglsState<X, Y> state) {
        operator.domain().check(state.x(), "state");
        return new CglsIteration<>(operator, data, damping, state, settings);
    }

    /**
     * The iteration at the newest checkpoint, of the same operator and data; empty when there is none. Goes on with the same
     * bits when it is read on as many ranks as wrote it.
     *
     * @throws CheckpointException when there is a checkpoint that cannot be read, or is of another problem
     */
    public Optional<CglsIteration<X, Y>> resume(Checkpoints files) {
        X x = operator.domain().empty();
        Y residual = operator.range().empty();
        X direction = operator.domain().empty();
        try {
            return files.load(CglsIteration.SOLVER, List.of(x, residual, direction))
                    .map(saved -> {
                        if (saved.numbers()[1] != damping)
                            throw new CheckpointException(
                                    "the checkpoint in " + files.folder() + " is of a damping of " + saved.numbers()[1]
                                            + "; expected " + damping,
                                    null);
                        return resume(new CglsState<>(x, residual, direction, saved.numbers()[0], saved.history()));
                    });
        } finally {
            x.close();
            residual.close();
            direction.close();
        }
    }

    /**
     * Iterates until a limit is reached.
     *
     * @throws SolverException when a number is not finite, or the adjoint turns out not to be the operator's
     */
    public Solution<X> solve() {
        return begin().run();
    }
}
