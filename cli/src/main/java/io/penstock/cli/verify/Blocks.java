package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.Layout;
import io.penstock.operator.Block;
import io.penstock.operator.BlockDiagonal;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.Diagonal;
import io.penstock.operator.HorizontalStack;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.Restriction;
import io.penstock.operator.VerticalStack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Operators made of operators: stacks, block diagonals and expressions. The peer's blocks are recorded as text. */
final class Blocks {
    private static final Pattern MATRIX = Pattern.compile("MatrixMult\\((\\w+)\\)");

    private static final Pattern DERIVATIVE =
            Pattern.compile("(First|Second)Derivative\\(dims=\\((\\d+), (\\d+)\\),axis=(\\d+)(?:,kind=(\\w+))?\\)");

    private static final Pattern PICK =
            Pattern.compile("Restriction\\((\\d+), iava=\\[([\\d, ]+)]\\) @ Diagonal\\((\\w+)\\)");

    private Blocks() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("operator BlockDiag", Operators.local(r -> BlockDiagonal.of(members(r, r.parameter("ops")))));
        mappings.put("operator VStack", Operators.local(r -> VerticalStack.of(members(r, r.parameter("ops")))));
        mappings.put("operator HStack", Operators.local(r -> HorizontalStack.of(members(r, r.parameter("ops")))));
        mappings.put("operator Block", Operators.local(Blocks::block));
        mappings.put("operator algebra", Operators.local(Blocks::algebra));
        mappings.put(
                "operator MPIBlockDiag",
                Operators.distributed((r, ranks) -> BlockDiagonal.gathering(ranks, mine(r, ranks))));
        mappings.put(
                "operator MPIVStack",
                Operators.distributed((r, ranks) -> VerticalStack.gathering(ranks, mine(r, ranks))));
        mappings.put(
                "operator MPIHStack",
                Operators.distributed((r, ranks) -> HorizontalStack.gathering(ranks, mine(r, ranks))));
        mappings.put("distributed operator algebra", Operators.distributed(Blocks::distributedAlgebra));
    }

    /** The block-diagonal operator of the matrices of an array of shape (blocks, rows, columns), cut between the ranks. */
    static LinearOperator<DistributedArray, DistributedArray> matrices(NDArray stacked, Communicator ranks) {
        List<LinearOperator<NDArray, NDArray>> own = new ArrayList<>();
        Layout layout = Layout.rows(ranks.size(), stacked.dim(0));
        for (long i = layout.start(ranks.rank()); i < layout.end(ranks.rank()); i++)
            own.add(DenseMatrix.of(stacked.slice(0, i, i + 1).reshape(stacked.dim(1), stacked.dim(2))));
        return BlockDiagonal.gathering(ranks, own);
    }

    private static LinearOperator<NDArray, NDArray> block(Reference reference) {
        List<List<LinearOperator<NDArray, NDArray>>> rows = new ArrayList<>();
        for (JsonNode row : reference.parameter("ops")) rows.add(members(reference, row));
        return Block.of(rows);
    }

    private static LinearOperator<NDArray, NDArray> algebra(Reference reference) {
        Map<String, LinearOperator<NDArray, NDArray>> names = new LinkedHashMap<>();
        names.put("A", DenseMatrix.of(reference.array("A")));
        names.put("B", DenseMatrix.of(reference.array("B")));
        names.put("D", Diagonal.of(reference.array("d")));
        return Expression.evaluate(reference.text("expression"), names);
    }

    private static LinearOperator<DistributedArray, DistributedArray> distributedAlgebra(
            Reference reference, Communicator ranks) {
        Map<String, LinearOperator<DistributedArray, DistributedArray>> names = new LinkedHashMap<>();
        names.put("A", matrices(reference.array("A"), ranks));
        names.put("B", matrices(reference.array("B"), ranks));
        return Expression.evaluate(reference.text("expression"), names);
    }

    /** This rank's blocks; blocks are dealt out in order, as evenly as can be. */
    private static List<LinearOperator<NDArray, NDArray>> mine(Reference reference, Communicator ranks) {
        List<LinearOperator<NDArray, NDArray>> all = members(reference, reference.parameter("blocks"));
        Layout layout = Layout.rows(ranks.size(), all.size());
        return all.subList((int) layout.start(ranks.rank()), (int) layout.end(ranks.rank()));
    }

    private static List<LinearOperator<NDArray, NDArray>> members(Reference reference, JsonNode texts) {
        List<LinearOperator<NDArray, NDArray>> members = new ArrayList<>();
        for (JsonNode text : texts) members.add(member(reference, text.asString("")));
        return members;
    }

    private static LinearOperator<NDArray, NDArray> member(Reference reference, String text) {
        Matcher matrix = MATRIX.matcher(text);
        if (matrix.matches()) return DenseMatrix.of(reference.array(matrix.group(1)));
        Matcher derivative = DERIVATIVE.matcher(text);
        if (derivative.matches()) {
            ArraySpace space = ArraySpace.of(
                    reference.dtype(), Long.parseLong(derivative.group(2)), Long.parseLong(derivative.group(3)));
            return Stencils.derivative(
                    derivative.group(1), space, Integer.parseInt(derivative.group(4)), derivative.group(5));
        }
        Matcher pick = PICK.matcher(text);
        if (pick.matches()) {
            long[] kept = Arrays.stream(pick.group(2).split(", "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            ArraySpace space = ArraySpace.of(reference.dtype(), Long.parseLong(pick.group(1)));
            return Restriction.of(space, 0, kept).times(Diagonal.of(reference.array(pick.group(3))));
        }
        throw new NotCovered("a block " + text);
    }
}
