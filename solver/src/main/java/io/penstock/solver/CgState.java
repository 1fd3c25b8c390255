package io.penstock.solver;

import io.penstock.array.Vector;

/**
 * Where conjugate gradients stand between two iterations: a copy, from which {@link Cg#resume} goes on with the same bits.
 *
 * @param <X> the class of the unknown
 * @param x the iterate
 * @param residual the residual that goes with it
 * @param direction the next search direction
 * @param residualSquared the squared norm of the residual
 * @param history the norms so far
 */
public record CgState<X extends Vector<X>>(X x, X residual, X direction, double residualSquared, History history)
        implements AutoCloseable {
    /** Frees the vectors. */
    @Override
    public void close() {
        x.close();
        residual.close();
        direction.close();
    }
}
