package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.Convolution;
import io.penstock.operator.Difference;
import io.penstock.operator.FirstDerivative;
import io.penstock.operator.Gradient;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.SecondDerivative;
import io.penstock.operator.StackedBlockDiagonal;
import io.penstock.operator.StackedVerticalStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Derivatives and convolutions along axes, local and distributed, and the stacks that are made of them. */
final class Stencils {
    private static final Pattern STACKED =
            Pattern.compile("(?:([\\d.]+)\\*)?MPI(\\w+)\\(dims(?:,kind=(\\w+))?(,edge=True)?\\)");

    private Stencils() {}

    static void register(Map<String, Mapping> mappings) {
        local(mappings);
        mappings.put(
                "operator MPIFirstDerivative",
                Operators.distributed((r, ranks) -> first(r).on(Operators.domain(r, ranks))));
        mappings.put(
                "operator MPISecondDerivative",
                Operators.distributed((r, ranks) -> second(r).on(Operators.domain(r, ranks))));
        mappings.put(
                "operator MPILaplacian",
                Operators.distributed((r, ranks) -> laplacian(r).on(Operators.domain(r, ranks))));
        mappings.put(
                "operator MPIGradient",
                Operators.distributed((r, ranks) -> gradient(r).on(Operators.domain(r, ranks))));
        mappings.put(
                "operator MPIStackedBlockDiag",
                Operators.distributed((r, ranks) -> StackedBlockDiagonal.of(stacked(r, ranks))));
        mappings.put(
                "operator MPIStackedVStack",
                Operators.distributed((r, ranks) -> StackedVerticalStack.of(stacked(r, ranks))));
    }

    private static void local(Map<String, Mapping> mappings) {
        mappings.put("operator FirstDerivative", Operators.local(r -> first(r).on(Operators.domain(r))));
        mappings.put("operator SecondDerivative", Operators.local(r -> second(r).on(Operators.domain(r))));
        mappings.put("operator Laplacian", Operators.local(r -> laplacian(r).on(Operators.domain(r))));
        mappings.put("operator Gradient", Operators.local(r -> gradient(r).intoOneArray(Operators.domain(r))));
        for (String name : List.of("Convolve1D", "Convolve2D", "ConvolveND"))
            mappings.put("operator " + name, Operators.local(Stencils::convolution));
        mappings.put("operator PoststackLinearModelling", Operators.local(Stencils::poststack));
    }

    /**
     * The derivative that a block of the peer's stacks names. The text leaves out what the numbers show: centered first
     * derivatives have formulas of their own at the ends.
     */
    static LinearOperator<NDArray, NDArray> derivative(
            String order, ArraySpace space, int axis, @Nullable String kind) {
        Difference difference = difference(kind == null ? "centered" : kind);
        return order.equals("First")
                ? FirstDerivative.along(axis)
                        .kind(difference)
                        .edge(kind == null)
                        .on(space)
                : SecondDerivative.along(axis).kind(difference).on(space);
    }

    /** The peer's distributed derivatives are along the first axis and name none. */
    private static FirstDerivative first(Reference r) {
        return FirstDerivative.along(r.hasParameter("axis") ? r.whole("axis") : 0)
                .sampling(r.number("sampling"))
                .kind(difference(r.text("kind")))
                .points(r.whole("order"))
                .edge(r.flag("edge"));
    }

    private static SecondDerivative second(Reference r) {
        return SecondDerivative.along(r.hasParameter("axis") ? r.whole("axis") : 0)
                .sampling(r.number("sampling"))
                .kind(difference(r.text("kind")))
                .edge(r.flag("edge"));
    }

    private static Laplacian laplacian(Reference r) {
        return Laplacian.along(r.axes("axes"))
                .weights(r.doubles("weights"))
                .sampling(r.doubles("sampling"))
                .kind(difference(r.text("kind")))
                .edge(r.flag("edge"));
    }

    private static Gradient gradient(Reference r) {
        return Gradient.sampled(r.doubles("sampling"))
                .kind(difference(r.text("kind")))
                .edge(r.flag("edge"));
    }

    private static LinearOperator<NDArray, NDArray> convolution(Reference r) {
        int[] axes = r.axes(r.hasParameter("axes") ? "axes" : "axis");
        Convolution convolution = Convolution.along(axes, r.array(r.text("h"))).origin(r.longs("offset"));
        long[] data = r.dims("dimsd");
        long[] results = new long[axes.length];
        for (int i = 0; i < axes.length; i++) results[i] = data[axes[i]];
        return convolution.results(results).on(Operators.domain(r));
    }

    private static LinearOperator<NDArray, NDArray> poststack(Reference r) {
        NDArray wavelet = r.array(r.text("wav"));
        PoststackModelling modelling = wavelet.ndim() == 1
                ? PoststackModelling.along(0, wavelet.toDoubles())
                : PoststackModelling.along(0, rows(wavelet));
        return modelling.kind(difference(r.text("kind"))).on(Operators.domain(r));
    }

    private static double[][] rows(NDArray matrix) {
        double[][] rows = new double[Math.toIntExact(matrix.dim(0))][];
        for (int i = 0; i < rows.length; i++)
            rows[i] = matrix.slice(0, i, i + 1).toDoubles();
        return rows;
    }

    private static List<LinearOperator<DistributedArray, DistributedArray>> stacked(Reference r, Communicator ranks) {
        DistributedSpace space = Operators.domain(r, ranks);
        List<LinearOperator<DistributedArray, DistributedArray>> operators = new ArrayList<>();
        for (String text : r.texts("ops")) {
            Matcher member = STACKED.matcher(text);
            if (!member.matches()) throw new NotCovered("a member " + text);
            Difference kind = difference(member.group(3) == null ? "centered" : member.group(3));
            boolean edge = member.group(4) != null;
            LinearOperator<DistributedArray, DistributedArray> operator = switch (member.group(2)) {
                case "FirstDerivative" ->
                    FirstDerivative.along(0).kind(kind).edge(edge).on(space);
                case "SecondDerivative" ->
                    SecondDerivative.along(0).kind(kind).edge(edge).on(space);
                case "Laplacian" -> Laplacian.of(space);
                default -> throw new NotCovered("a member " + text);
            };
            operators.add(member.group(1) == null ? operator : operator.scaled(Double.parseDouble(member.group(1))));
        }
        return operators;
    }

    private static Difference difference(String name) {
        return Difference.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
