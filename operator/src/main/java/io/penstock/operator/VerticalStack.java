package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.List;

/**
 * Operators applied to one vector: {@code y_i = A_i x}, the results in C order, one after the other in one flat array;
 * the adjoint adds up, {@code x = sum of A_i^H y_i}.
 */
public final class VerticalStack extends ArrayOperator {
    private final Members members;
    private final Workspace<NDArray> term;

    private VerticalStack(Members members, ArraySpace domain, ArraySpace range) {
        super(domain, range);
        members.requireCommonDomain(domain.size());
        members.requireRange(range.size());
        this.members = members;
        this.term = new Workspace<>(domain.reshape(domain.size()));
    }

    /**
     * The stack of the given operators; real ones are extended to complex vectors where another is complex. Its domain has the
     * shape that theirs have, and is flat when they differ in shape.
     *
     * @throws IllegalArgumentException when there are none, or they differ in the size of their domains or in precision
     */
    public static VerticalStack of(List<? extends LinearOperator<NDArray, NDArray>> operators) {
        Members members = Members.of(operators);
        long size = members.requireCommonDomain();
        List<Long> shape = ((ArraySpace) operators.getFirst().domain()).shape();
        for (LinearOperator<NDArray, NDArray> operator : operators)
            if (!((ArraySpace) operator.domain()).shape().equals(shape)) shape = List.of(size);
        return new VerticalStack(
                members,
                new ArraySpace(
                        shape,
                        members.domainType(),
                        ((ArraySpace) operators.getFirst().domain()).device()),
                Spaces.flat(operators.getFirst().range(), members.rangeType(), members.rangeSize()));
    }

    /**
     * The stack of all ranks' operators: each rank applies its own to the vector that all hold, and gets its part of the
     * result. Forward sends nothing; the adjoint takes one all-reduce of a vector of the domain.
     *
     * @param domain the space of the arguments, which every rank holds whole
     * @param range the space of the results, cut between the same ranks
     * @param mine this rank's operators, perhaps none; real ones are extended to complex vectors where the spaces are complex
     * @throws IllegalArgumentException when this rank's operators do not have as many elements as its parts
     */
    public static LinearOperator<DistributedArray, DistributedArray> distributed(
            DistributedSpace domain, DistributedSpace range, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        Members members = Members.of(mine, domain.dtype(), range.dtype());
        return new FromReplicated(domain, range, new VerticalStack(members, domain.local(), range.local()));
    }

    /**
     * The stack of all ranks' operators, from a one-dimensional array that every rank holds whole to one that is cut as these
     * operators need it. A collective: in one all-gather the ranks tell each other the sizes and types; use {@link #distributed}
     * where every rank knows them.
     *
     * @param mine this rank's operators, perhaps none
     * @throws IllegalArgumentException on every rank, when sizes or precisions do not go together or no rank has an operator
     */
    public static LinearOperator<DistributedArray, DistributedArray> gathering(
            Communicator ranks, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        RankSizes sizes = RankSizes.gather(ranks, mine, true);
        return distributed(sizes.replicatedDomain(), sizes.cutRange(), mine);
    }

    @Override
    void ordered(Runnable loops, NDArray given, NDArray result) {
        loops.run();
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        members.forwardAll(x.reshape(x.size()), y.reshape(y.size()));
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        members.adjointSum(y.reshape(y.size()), x.reshape(x.size()), term);
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain()) ? super.complex() : extended();
    }

    private VerticalStack extended() {
        Members complex = members.complex();
        return new VerticalStack(
                complex, domainSpace().as(complex.domainType()), rangeSpace().as(complex.rangeType()));
    }

    @Override
    public boolean isComplexLinear() {
        return members.areComplexLinear();
    }

    @Override
    public void close() {
        super.close();
        term.close();
        members.close();
    }
}
