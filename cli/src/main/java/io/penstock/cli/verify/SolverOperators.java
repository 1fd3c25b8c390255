package io.penstock.cli.verify;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.operator.Blockwise;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.Diagonal;
import io.penstock.operator.FirstDerivative;
import io.penstock.operator.Gradient;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.operator.VerticalStack;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The operators of recorded solver cases, which describe them in words. */
final class SolverOperators {
    private static final String MATRICES = "MPIBlockDiag(MatrixMult(A[i]))";

    private static final Pattern SECTION = Pattern.compile("\\[(\\d+) traces, (\\d+) samples]");

    private SolverOperators() {}

    static LinearOperator<DistributedArray, DistributedArray> square(Reference r, Communicator ranks) {
        String text = r.text("Op");
        if (text.equals(MATRICES)) return Blocks.matrices(r.array("A"), ranks);
        if (text.startsWith("D.H@D + 0.3*L.H@L,")) {
            var d = diagonal(r, ranks);
            var l = Laplacian.of(Operators.domain(r, ranks));
            return d.adjoint().times(d).plus(l.adjoint().times(l).scaled(0.3));
        }
        throw new NotCovered("the operator " + text);
    }

    static LinearOperator<DistributedArray, ?> any(Reference r, Communicator ranks) {
        String text = r.text("Op");
        if (text.startsWith("MPIVStack(MatrixMult(row blocks of A))")) return rows(r, ranks);
        if (text.startsWith("MPIGradient(dims)")) return Gradient.of(Operators.domain(r, ranks));
        if (text.startsWith("MPIStackedVStack([D, 0.8*R])")) {
            DistributedSpace space = Operators.domain(r, ranks);
            var penalty = text.contains("R=MPILaplacian(dims)")
                    ? Laplacian.of(space)
                    : FirstDerivative.along(0).edge(true).on(space);
            return StackedVerticalStack.of(List.of(diagonal(r, ranks), penalty.scaled(0.8)));
        }
        return square(r, ranks);
    }

    /** Traces one below the other, cut between the ranks; with the penalty on roughness where the case has one. */
    static LinearOperator<DistributedArray, ?> poststack(Reference r, Communicator ranks) {
        Matcher size = SECTION.matcher(r.text("model"));
        if (!size.find()) throw new NotCovered("a model " + r.text("model"));
        DistributedSpace space =
                DistributedSpace.rows(ranks, Long.parseLong(size.group(1)), Long.parseLong(size.group(2)));
        var modelling = PoststackModelling.along(1, r.array("wav").toDoubles()).on(space);
        if (!r.hasParameter("regularisation")) return modelling;
        return StackedVerticalStack.of(List.of(modelling, Laplacian.of(space).scaled(0.5)));
    }

    private static LinearOperator<DistributedArray, DistributedArray> diagonal(Reference r, Communicator ranks) {
        DistributedSpace space = Operators.domain(r, ranks);
        NDArray own = Vectors.of(space, r.array("d")).local();
        return Blockwise.of(space, space, Diagonal.of(own));
    }

    private static LinearOperator<DistributedArray, DistributedArray> rows(Reference r, Communicator ranks) {
        long[] rows = r.longs("rows");
        NDArray matrix = r.array("A");
        Layout layout = Layout.rows(ranks.size(), rows.length);
        List<LinearOperator<NDArray, NDArray>> own = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < rows.length; i++) {
            if (i >= layout.start(ranks.rank()) && i < layout.end(ranks.rank()))
                own.add(DenseMatrix.of(matrix.slice(0, from, from + rows[i])));
            from += rows[i];
        }
        return VerticalStack.gathering(ranks, own);
    }
}
