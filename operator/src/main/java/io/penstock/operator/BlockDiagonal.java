package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.List;

/**
 * Operators side by side on one flat array: {@code y_i = A_i x_i}, where {@code x} and {@code y} are the members'
 * vectors, each in C order, one after the other.
 */
public final class BlockDiagonal extends ArrayOperator {
    private final Members members;

    private BlockDiagonal(Members members, ArraySpace domain, ArraySpace range) {
        super(domain, range);
        members.requireSizes(domain.size(), range.size());
        this.members = members;
    }

    /**
     * The block-diagonal operator of the given ones; real members are extended to complex vectors where another is complex.
     *
     * @throws IllegalArgumentException when there are none, or their precisions differ
     */
    public static BlockDiagonal of(List<? extends LinearOperator<NDArray, NDArray>> operators) {
        Members members = Members.of(operators);
        return new BlockDiagonal(
                members,
                Spaces.flat(operators.getFirst().domain(), members.domainType(), members.domainSize()),
                Spaces.flat(operators.getFirst().range(), members.rangeType(), members.rangeSize()));
    }

    /**
     * The operator of all ranks' operators: each rank applies its own, one after the other, to the elements of its own part in
     * C order. Nothing is sent, neither now nor when it is applied.
     *
     * @param domain the space of the arguments, cut between the ranks
     * @param range the space of the results, cut between the same ranks
     * @param mine this rank's operators, perhaps none; real ones are extended to complex vectors where the spaces are complex
     * @throws IllegalArgumentException when this rank's operators do not have as many elements as its parts
     */
    public static LinearOperator<DistributedArray, DistributedArray> distributed(
            DistributedSpace domain, DistributedSpace range, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        Spaces.requireCut("domain", domain);
        Spaces.requireCut("range", range);
        Members members = Members.of(mine, domain.dtype(), range.dtype());
        return Blockwise.of(domain, range, new BlockDiagonal(members, domain.local(), range.local()));
    }

    /**
     * The operator of all ranks' operators between one-dimensional arrays cut as these operators need it. A collective: in one
     * all-gather the ranks tell each other the sizes and types; use {@link #distributed} where every rank knows them.
     *
     * @param mine this rank's operators, perhaps none
     * @throws IllegalArgumentException on every rank, when precisions differ or no rank has an operator
     */
    public static LinearOperator<DistributedArray, DistributedArray> gathering(
            Communicator ranks, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        RankSizes sizes = RankSizes.gather(ranks, mine, false);
        return distributed(sizes.cutDomain(), sizes.cutRange(), mine);
    }

    @Override
    void ordered(Runnable loops, NDArray given, NDArray result) {
        loops.run();
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        members.forwardEach(x.reshape(x.size()), y.reshape(y.size()));
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        members.adjointEach(y.reshape(y.size()), x.reshape(x.size()));
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain()) ? super.complex() : extended();
    }

    private BlockDiagonal extended() {
        Members complex = members.complex();
        return new BlockDiagonal(
                complex, domainSpace().as(complex.domainType()), rangeSpace().as(complex.rangeType()));
    }

    @Override
    public boolean isComplexLinear() {
        return members.areComplexLinear();
    }

    @Override
    public void close() {
        super.close();
        members.close();
    }
}
