package io.penstock.operator;

import io.penstock.distributed.StackedArray;
import java.util.Arrays;
import java.util.List;

/** Operators of any kind side by side, each on its own part of a stack: {@code y_i = A_i x_i}. */
public final class StackedBlockDiagonal extends LinearOperator<StackedArray, StackedArray> {
    private final List<LinearOperator<?, ?>> members;

    private StackedBlockDiagonal(List<LinearOperator<?, ?>> members) {
        super(StackedMembers.domains(members), StackedMembers.ranges(members));
        this.members = members;
    }

    /** The operator of the given ones, as {@link #of(List)}. */
    public static StackedBlockDiagonal of(LinearOperator<?, ?>... operators) {
        return of(Arrays.asList(operators));
    }

    /**
     * The operator of the given ones; real members are extended to complex vectors where another is complex.
     *
     * @throws IllegalArgumentException when there are none, or their precisions differ
     */
    public static StackedBlockDiagonal of(List<? extends LinearOperator<?, ?>> operators) {
        return new StackedBlockDiagonal(StackedMembers.alike(operators));
    }

    @Override
    protected void applyForward(StackedArray x, StackedArray y) {
        for (int i = 0; i < members.size(); i++) StackedMembers.forward(members.get(i), x.part(i), y.part(i));
    }

    @Override
    protected void applyAdjoint(StackedArray y, StackedArray x) {
        for (int i = 0; i < members.size(); i++) StackedMembers.adjoint(members.get(i), y.part(i), x.part(i));
    }

    @Override
    public LinearOperator<StackedArray, StackedArray> complex() {
        return new StackedBlockDiagonal(members.stream()
                .<LinearOperator<?, ?>>map(LinearOperator::complex)
                .toList());
    }

    @Override
    public boolean isComplexLinear() {
        return members.stream().allMatch(LinearOperator::isComplexLinear);
    }

    @Override
    public void close() {
        members.forEach(LinearOperator::close);
    }
}
