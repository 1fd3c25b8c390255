package io.penstock.solver;

import java.util.Objects;

/**
 * Where and how often a solver saves its state.
 *
 * @param files where
 * @param every after how many iterations
 */
record Saving(Checkpoints files, int every) {
    Saving {
        Objects.requireNonNull(files, "files is null");
        if (every < 1) throw new IllegalArgumentException("every is " + every + "; expected 1 or more");
    }
}
