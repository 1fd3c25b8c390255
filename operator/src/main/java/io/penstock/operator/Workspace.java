package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.runtime.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A vector that an operator keeps for intermediate results: allocated when first asked for and used again from then on.
 *
 * <p>It belongs to no scope, so that an operator may be applied in one short scope after another; it is freed by
 * {@link #close} or with the operator by the garbage collector.
 */
final class Workspace<V extends Vector<V>> {
    private final VectorSpace<V> space;
    private @Nullable V vector;

    Workspace(VectorSpace<V> space) {
        this.space = space;
    }

    /** The vector, of unspecified content. */
    V get() {
        V kept = vector;
        if (kept == null) vector = kept = Scope.outside(space::empty);
        return kept;
    }

    /** Frees the vector; the next {@link #get} allocates another. */
    void close() {
        if (vector != null) vector.close();
        vector = null;
    }
}
