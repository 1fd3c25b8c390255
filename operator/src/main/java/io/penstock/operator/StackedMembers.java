package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.StackedSpace;
import java.util.ArrayList;
import java.util.List;

/** Operators of any kind that work on the parts of stacks. */
final class StackedMembers {
    private StackedMembers() {}

    /** The operators, those over real vectors extended to complex ones when another is complex. */
    static <A extends LinearOperator<?, ?>> List<LinearOperator<?, ?>> alike(List<A> operators) {
        if (operators.isEmpty())
            throw new IllegalArgumentException("operators is empty; expected one operator or more");
        boolean complex = operators.stream().anyMatch(a -> Operands.isComplex(a.domain()));
        List<LinearOperator<?, ?>> alike = new ArrayList<>(operators.size());
        for (A a : operators) alike.add(complex && !Operands.isComplex(a.domain()) ? a.complex() : a);
        DType precision = alike.getFirst().domain().dtype().real();
        for (int i = 0; i < alike.size(); i++)
            if (alike.get(i).domain().dtype().real() != precision)
                throw new IllegalArgumentException(
                        "operator " + i + " is applied to " + alike.get(i).domain()
                                + "; expected the precision of operator 0, which is applied to "
                                + alike.getFirst().domain());
        return List.copyOf(alike);
    }

    static StackedSpace domains(List<LinearOperator<?, ?>> operators) {
        List<VectorSpace<?>> spaces = new ArrayList<>(operators.size());
        for (LinearOperator<?, ?> a : operators) spaces.add(a.domain());
        return new StackedSpace(spaces);
    }

    static StackedSpace ranges(List<? extends LinearOperator<?, ?>> operators) {
        List<VectorSpace<?>> spaces = new ArrayList<>(operators.size());
        for (LinearOperator<?, ?> a : operators) spaces.add(a.range());
        return new StackedSpace(spaces);
    }

    /** {@code y = A x}; the vectors are of the operator's spaces, and thus of its classes. */
    @SuppressWarnings("unchecked")
    static <X extends Vector<X>, Y extends Vector<Y>> void forward(LinearOperator<X, Y> a, Vector<?> x, Vector<?> y) {
        a.applyForward((X) x, (Y) y);
    }

    /** {@code x = A^H y}; the vectors are of the operator's spaces, and thus of its classes. */
    @SuppressWarnings("unchecked")
    static <X extends Vector<X>, Y extends Vector<Y>> void adjoint(LinearOperator<X, Y> a, Vector<?> y, Vector<?> x) {
        a.applyAdjoint((Y) y, (X) x);
    }
}
