package io.penstock.solver;

import io.penstock.array.Vector;

/**
 * Where CGLS stands between two iterations: a copy, from which {@link Cgls#resume} goes on with the same bits.
 *
 * @param <X> the class of the unknown
 * @param <Y> the class of the data
 * @param x the iterate
 * @param residual the residual {@code y - A x} that goes with it
 * @param direction the next search direction
 * @param gradientSquared the squared norm of the gradient
 * @param history the norms so far
 */
public record CglsState<X extends Vector<X>, Y extends Vector<Y>>(
        X x, Y residual, X direction, double gradientSquared, History history) implements AutoCloseable {
    /** Frees the vectors. */
    @Override
    public void close() {
        x.close();
        residual.close();
        direction.close();
    }
}
