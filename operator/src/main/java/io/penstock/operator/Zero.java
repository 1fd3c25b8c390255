package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/**
 * The operator whose results are zero.
 *
 * @param <X> the class of the vectors that it is applied to
 * @param <Y> the class of its results
 */
public final class Zero<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private Zero(VectorSpace<X> domain, VectorSpace<Y> range) {
        super(domain, range);
    }

    /** The zero operator between two spaces of any kind. */
    public static <X extends Vector<X>, Y extends Vector<Y>> Zero<X, Y> of(
            VectorSpace<X> domain, VectorSpace<Y> range) {
        return new Zero<>(domain, range);
    }

    @Override
    protected void applyForward(X x, Y y) {
        y.fill(0);
    }

    @Override
    protected void applyAdjoint(Y y, X x) {
        x.fill(0);
    }

    @Override
    public LinearOperator<X, Y> complex() {
        return Operands.isComplex(domain())
                ? this
                : new Zero<>(domain().as(Operands.complexOf(domain())), range().as(Operands.complexOf(range())));
    }
}
