package io.penstock.operator;

import io.penstock.array.NDArray;
import java.util.List;

/** A matrix of local operators: {@code y_i = sum over j of A_ij x_j} on flat arrays. */
public final class Block {
    private Block() {}

    /**
     * The operator of the given rows of operators.
     *
     * @throws IllegalArgumentException when there are none, or their sizes or precisions do not fit together
     */
    public static LinearOperator<NDArray, NDArray> of(
            List<? extends List<? extends LinearOperator<NDArray, NDArray>>> rows) {
        return VerticalStack.of(rows.stream().map(HorizontalStack::of).toList());
    }
}
