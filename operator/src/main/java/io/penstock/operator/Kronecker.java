package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import java.util.Collections;
import java.util.List;

/**
 * The Kronecker product of two local operators: on a flat array {@code x} that is the matrix {@code X} in C order, {@code y} is
 * {@code A X B^T}; {@code B} works on the rows and {@code A} on the columns.
 */
public final class Kronecker {
    private Kronecker() {}

    /**
     * The Kronecker product of two operators.
     *
     * @throws IllegalArgumentException when their precisions differ
     */
    public static LinearOperator<NDArray, NDArray> of(
            LinearOperator<NDArray, NDArray> a, LinearOperator<NDArray, NDArray> b) {
        if (Operands.isComplex(a.domain()) != Operands.isComplex(b.domain())) {
            a = Operands.complex(a);
            b = Operands.complex(b);
        }
        long rows = a.domain().size();
        LinearOperator<NDArray, NDArray> alongRows = repeated(b, rows);
        LinearOperator<NDArray, NDArray> alongColumns = repeated(a, b.range().size());
        LinearOperator<NDArray, NDArray> turn =
                turned(alongRows, rows, b.range().size());
        LinearOperator<NDArray, NDArray> back =
                turned(alongColumns, b.range().size(), a.range().size());
        return back.times(alongColumns).times(turn).times(alongRows);
    }

    private static LinearOperator<NDArray, NDArray> repeated(LinearOperator<NDArray, NDArray> a, long times) {
        return BlockDiagonal.of(Collections.nCopies(Math.toIntExact(times), a));
    }

    /** Transposes the flat results of an operator, seen as a matrix. */
    private static LinearOperator<NDArray, NDArray> turned(
            LinearOperator<NDArray, NDArray> a, long rows, long columns) {
        Transpose transpose = Transpose.of(((ArraySpace) a.range()).reshape(rows, columns));
        return BlockDiagonal.of(List.of(transpose));
    }
}
