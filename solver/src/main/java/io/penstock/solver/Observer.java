package io.penstock.solver;

import io.penstock.array.Vector;

/**
 * Something that watches a solver. It is called on every rank after every iteration and may call the collectives of {@code x},
 * unless it is wrapped by {@link #onRoot}.
 *
 * <p>A verdict travels with the solver's next sums. Where every rank holds all vectors whole no sum is sent, so there all ranks
 * must come to the same verdict.
 *
 * @param <X> the class of the unknown
 */
@FunctionalInterface
public interface Observer<X extends Vector<X>> {
    /** What a solver does after an observation. */
    enum Verdict {
        /** Goes on. */
        CONTINUE,
        /** Stops on all ranks, without another change of {@code x}; one rank's verdict is enough. */
        CANCEL
    }

    /** Looks at the iteration just done. */
    Verdict observe(Progress<X> progress);

    /**
     * An observer that runs on rank 0 alone; its verdict reaches the other ranks.
     *
     * @param rank this rank's number
     */
    static <X extends Vector<X>> Observer<X> onRoot(int rank, Observer<X> observer) {
        return rank == 0 ? observer : progress -> Verdict.CONTINUE;
    }
}
