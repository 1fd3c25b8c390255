package io.penstock.solver;

import io.penstock.array.Vector;

/**
 * Where fused conjugate gradients stand between two iterations: a copy, from which {@link FusedCg#resume} goes on with the same
 * bits.
 *
 * @param <X> the class of the unknown
 * @param x the iterate
 * @param residual the residual that goes with it
 * @param image the operator applied to the residual
 * @param direction the last search direction
 * @param directionImage the operator applied to it
 * @param residualSquared the squared norm of the residual
 * @param step the length of the next step
 * @param turn how much of the last direction goes into the next
 * @param history the norms so far
 */
public record FusedCgState<X extends Vector<X>>(
        X x,
        X residual,
        X image,
        X direction,
        X directionImage,
        double residualSquared,
        double step,
        double turn,
        History history)
        implements AutoCloseable {
    /** Frees the vectors. */
    @Override
    public void close() {
        x.close();
        residual.close();
        image.close();
        direction.close();
        directionImage.close();
    }
}
