package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.StackedArray;
import java.util.Arrays;
import java.util.List;

/**
 * Operators of any kind applied to one vector, each giving one part of a stack: {@code y_i = A_i x}; the adjoint adds up,
 * {@code x = sum of A_i^H y_i}.
 *
 * @param <X> the class of the vectors that it is applied to
 */
public final class StackedVerticalStack<X extends Vector<X>> extends LinearOperator<X, StackedArray> {
    private final List<LinearOperator<X, ?>> members;
    private final Workspace<X> term;

    private StackedVerticalStack(VectorSpace<X> domain, List<LinearOperator<X, ?>> members) {
        super(domain, StackedMembers.ranges(members));
        this.members = members;
        this.term = new Workspace<>(domain);
        for (int i = 0; i < members.size(); i++)
            Operands.requireSame("the domain of operator " + i, members.get(i).domain(), domain);
    }

    /** The stack of the given operators, as {@link #of(List)}. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <X extends Vector<X>> StackedVerticalStack<X> of(LinearOperator<X, ?>... operators) {
        return of(Arrays.asList(operators));
    }

    /**
     * The stack of the given operators; real ones are extended to complex vectors where another is complex.
     *
     * @throws IllegalArgumentException when there are none, or their domains or precisions differ
     */
    @SuppressWarnings("unchecked")
    public static <X extends Vector<X>> StackedVerticalStack<X> of(List<? extends LinearOperator<X, ?>> operators) {
        // Extending an operator keeps the class of its vectors.
        List<LinearOperator<X, ?>> members = StackedMembers.alike(operators).stream()
                .<LinearOperator<X, ?>>map(a -> (LinearOperator<X, ?>) a)
                .toList();
        return new StackedVerticalStack<>(members.getFirst().domain(), members);
    }

    @Override
    protected void applyForward(X x, StackedArray y) {
        for (int i = 0; i < members.size(); i++) StackedMembers.forward(members.get(i), x, y.part(i));
    }

    @Override
    protected void applyAdjoint(StackedArray y, X x) {
        StackedMembers.adjoint(members.getFirst(), y.part(0), x);
        for (int i = 1; i < members.size(); i++) {
            X another = term.get();
            StackedMembers.adjoint(members.get(i), y.part(i), another);
            x.axpy(1, another);
        }
    }

    @Override
    public LinearOperator<X, StackedArray> complex() {
        return of(members.stream()
                .<LinearOperator<X, ?>>map(LinearOperator::complex)
                .toList());
    }

    @Override
    public boolean isComplexLinear() {
        return members.stream().allMatch(LinearOperator::isComplexLinear);
    }

    @Override
    public void close() {
        term.close();
        members.forEach(LinearOperator::close);
    }
}
