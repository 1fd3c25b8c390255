package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.ArrayList;
import java.util.List;

/** Operators whose results are added up: {@code y = sum of A_i x_i}, the adjoint of a {@link VerticalStack}. */
public final class HorizontalStack {
    private HorizontalStack() {}

    /**
     * The stack of the given operators, applied to one flat array of their vectors, one after the other.
     *
     * @throws IllegalArgumentException when there are none, or they differ in the size of their ranges or in precision
     */
    public static LinearOperator<NDArray, NDArray> of(List<? extends LinearOperator<NDArray, NDArray>> operators) {
        return VerticalStack.of(adjoints(operators)).adjoint();
    }

    /**
     * The stack of all ranks' operators: each rank applies its own to its own part, and all results are added up. Forward takes
     * one all-reduce of a vector of the range; the adjoint sends nothing.
     *
     * @param domain the space of the arguments, cut between the ranks
     * @param range the space of the results, which every rank of the same group holds whole
     * @param mine this rank's operators, perhaps none; real ones are extended to complex vectors where the spaces are complex
     * @throws IllegalArgumentException when this rank's operators do not have as many elements as its parts
     */
    public static LinearOperator<DistributedArray, DistributedArray> distributed(
            DistributedSpace domain, DistributedSpace range, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        return VerticalStack.distributed(/* domain= */ range, /* range= */ domain, adjoints(mine))
                .adjoint();
    }

    /**
     * The stack of all ranks' operators, from a one-dimensional array cut as these operators need it to one that every rank holds
     * whole. A collective: in one all-gather the ranks tell each other the sizes and types; use {@link #distributed} where every
     * rank knows them.
     *
     * @param mine this rank's operators, perhaps none
     * @throws IllegalArgumentException on every rank, when sizes or precisions do not go together or no rank has an operator
     */
    public static LinearOperator<DistributedArray, DistributedArray> gathering(
            Communicator ranks, List<? extends LinearOperator<NDArray, NDArray>> mine) {
        return VerticalStack.gathering(ranks, adjoints(mine)).adjoint();
    }

    private static List<LinearOperator<NDArray, NDArray>> adjoints(
            List<? extends LinearOperator<NDArray, NDArray>> operators) {
        List<LinearOperator<NDArray, NDArray>> adjoints = new ArrayList<>(operators.size());
        for (LinearOperator<NDArray, NDArray> operator : operators) adjoints.add(operator.adjoint());
        return adjoints;
    }
}
