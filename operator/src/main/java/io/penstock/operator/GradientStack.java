package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.distributed.StackedSpace;
import java.util.List;

/** Derivatives of one array as a stack. The adjoint adds them up where they are computed, without intermediate arrays. */
final class GradientStack<X extends Vector<X>> extends LinearOperator<X, StackedArray> {
    private final Class<X> type;
    private final List<AccumulatingOperator<X>> derivatives;

    GradientStack(Class<X> type, VectorSpace<X> domain, List<AccumulatingOperator<X>> derivatives) {
        super(
                domain,
                new StackedSpace(derivatives.stream()
                        .<VectorSpace<?>>map(LinearOperator::range)
                        .toList()));
        this.type = type;
        this.derivatives = List.copyOf(derivatives);
    }

    @Override
    protected void applyForward(X x, StackedArray y) {
        for (int k = 0; k < derivatives.size(); k++) derivatives.get(k).forward(x, y.part(k, type), false);
    }

    @Override
    protected void applyAdjoint(StackedArray y, X x) {
        for (int k = 0; k < derivatives.size(); k++) derivatives.get(k).adjoint(y.part(k, type), x, k > 0);
    }

    @Override
    public void close() {
        derivatives.forEach(LinearOperator::close);
    }
}
