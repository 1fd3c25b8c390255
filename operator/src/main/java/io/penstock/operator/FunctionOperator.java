package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import java.util.Objects;
import java.util.function.BiConsumer;

/** An operator made of two functions. */
final class FunctionOperator<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private final BiConsumer<X, Y> forward;
    private final BiConsumer<Y, X> adjoint;

    FunctionOperator(VectorSpace<X> domain, VectorSpace<Y> range, BiConsumer<X, Y> forward, BiConsumer<Y, X> adjoint) {
        super(domain, range);
        this.forward = Objects.requireNonNull(forward, "forward is null");
        this.adjoint = Objects.requireNonNull(adjoint, "adjoint is null");
    }

    @Override
    protected void applyForward(X x, Y y) {
        forward.accept(x, y);
    }

    @Override
    protected void applyAdjoint(Y y, X x) {
        adjoint.accept(y, x);
    }
}
