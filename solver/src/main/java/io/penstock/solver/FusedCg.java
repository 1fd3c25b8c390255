package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients that send one reduction an iteration instead of two, for ranks whose reductions take longer than their
 * arithmetic: Chronopoulos and Gear, Journal of Computational and Applied Mathematics 25 (1989).
 *
 * <p>The iterates are those of {@link Cg} but for rounding, which the recurrences for the operator's images amplify a little: where
 * the last digits of the residual matter, compare with {@link Solution#residualNorm}. An iteration moves a quarter more memory.
 * When an observer cancels, one more iteration is done, since its verdict travels with that one's sums.
 *
 * @param <X> the class of the unknown
 */
public final class FusedCg<X extends Vector<X>> {
    private final LinearOperator<X, X> operator;
    private final X data;
    private final @Nullable X start;
    private final Settings<X> settings;

    FusedCg(LinearOperator<X, X> operator, X data, @Nullable X start, Settings<X> settings) {
        this.operator = operator;
        this.data = data;
        this.start = start;
        this.settings = settings;
    }

    /** The iteration at its start, to be stepped by the caller. */
    public FusedCgIteration<X> begin() {
        X x = start == null ? operator.domain().zeros() : start.copy();
        return new FusedCgIteration<>(operator, data, x, start == null, settings);
    }

    /** The iteration at a state taken earlier, of the same operator and data; the state stays as it is. */
    public FusedCgIteration<X> resume(FusedCgState<X> state) {
        operator.domain().check(state.x(), "state");
        return new FusedCgIteration<>(operator, data, state, settings);
    }

    /**
     * The iteration at the newest checkpoint, of the same operator and data; empty when there is none. Goes on with the same
     * bits when it is read on as many ranks as wrote it.
     *
     * @throws CheckpointException when there is a checkpoint that cannot be read, or is of another problem
     */
    public Optional<FusedCgIteration<X>> resume(Checkpoints files) {
        X x = operator.domain().empty();
        X residual = operator.domain().empty();
        X image = operator.domain().empty();
        X direction = operator.domain().empty();
        X directionImage = operator.domain().empty();
        try {
            return files.load(FusedCgIteration.SOLVER, List.of(x, residual, image, direction, directionImage))
                    .map(saved -> resume(new FusedCgState<>(
                            x,
                            residual,
                            image,
                            direction,
                            directionImage,
                            saved.numbers()[0],
                            saved.numbers()[1],
                            saved.numbers()[2],
                            saved.history())));
        } finally {
            List.of(x, residual, image, direction, directionImage).forEach(Vector::close);
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
