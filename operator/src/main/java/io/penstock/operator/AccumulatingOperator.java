package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/**
 * An operator from a space to itself, or to one like it, that can add to what its result holds.
 *
 * @param <V> the class of its vectors
 */
abstract class AccumulatingOperator<V extends Vector<V>> extends LinearOperator<V, V> {
    AccumulatingOperator(VectorSpace<V> domain, VectorSpace<V> range) {
        super(domain, range);
    }

    /** {@code y = A x}, or with {@code accumulate} {@code y = y + A x}. */
    abstract void forward(V x, V y, boolean accumulate);

    /** {@code x = A^H y}, or with {@code accumulate} {@code x = x + A^H y}. */
    abstract void adjoint(V y, V x, boolean accumulate);

    @Override
    protected final void applyForward(V x, V y) {
        forward(x, y, false);
    }

    @Override
    protected final void applyAdjoint(V y, V x) {
        adjoint(y, x, false);
    }
}
