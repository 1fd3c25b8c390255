package io.penstock.cli.verify;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.array.Scalar;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What distributed and stacked arrays compute. The peer's {@code dot} does not conjugate, its {@code vdot} does; outputs whose
 * names begin with {@code P2_} belong to a run on two ranks.
 */
final class ArrayValues {
    private static final Pattern GHOST = Pattern.compile("P(\\d+)_ghost_f(\\d+)_b(\\d+)_r0");
    /** What recorded stacks are scaled by, which the recording leaves out. */
    private static final double STACK_FACTOR = 2.5;

    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private ArrayValues() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("values DistributedArray", ArrayValues::distributed);
        mappings.put("values StackedDistributedArray", ArrayValues::stacked);
    }

    private static Map<String, Values> distributed(Reference r, Communicator ranks) {
        NDArray whole = r.array("a");
        DistributedSpace space =
                DistributedSpace.split(ranks, r.whole("axis"), r.longs("shape")).as(whole.dtype());
        DistributedArray a = DistributedArray.ofGlobal(space, whole);
        DistributedArray b = DistributedArray.ofGlobal(space, r.array("b"));
        Map<String, Values> results = new LinkedHashMap<>();
        arithmetic(r, a, b, results);
        reductions(a, b, results);
        layouts(a, b, results);
        ghosts(r, a, results);
        groups(r, a, b, results);
        results.keySet().removeIf(output -> !r.has("out_" + output));
        return results;
    }

    private static void arithmetic(Reference r, DistributedArray a, DistributedArray b, Map<String, Values> results) {
        Complex scalar = r.scalar("scalar");
        DistributedArray sum = a.copy();
        sum.addInPlace(b);
        DistributedArray difference = a.copy();
        difference.subtractInPlace(b);
        results.put("add", Vectors.values(a.add(b)));
        results.put("sub", Vectors.values(a.subtract(b)));
        results.put("mul", Vectors.values(a.multiply(b)));
        results.put("neg", Vectors.values(a.negate()));
        results.put("conj", Vectors.values(a.conj()));
        results.put("scale", Vectors.values(scalar.isReal() ? a.multiply(scalar.re()) : a.multiply(scalar)));
        results.put("iadd", Vectors.values(sum));
        results.put("isub", Vectors.values(difference));
    }

    private static void reductions(DistributedArray a, DistributedArray b, Map<String, Values> results) {
        results.put("dot", values(a.bilinear(b)));
        results.put("vdot", values(a.dot(b)));
        results.put("norm", Values.of(a.norm()));
        for (int order = 0; order <= 3; order++) results.put("norm" + order, Values.of(a.norm(order)));
        results.put("norminf", Values.of(a.norm(INFINITY)));
        results.put("normminf", Values.of(a.norm(-INFINITY)));
        if (a.shape().length == 1) return;
        for (int axis = 0; axis < a.shape().length; axis++) {
            results.put("norm1_axis" + axis, Vectors.values(a.norm(1, axis)));
            results.put("norm2_axis" + axis, Vectors.values(a.norm(2, axis)));
            results.put("norminf_axis" + axis, Vectors.values(a.norm(INFINITY, axis)));
        }
    }

    private static void layouts(DistributedArray a, DistributedArray b, Map<String, Values> results) {
        Layout layout = a.space().layout();
        DistributedArray everywhere = a.redistribute(layout.asReplicated());
        results.put("bcast_dot", values(everywhere.bilinear(b.redistribute(layout.asReplicated()))));
        results.put("bcast_norm", Values.of(everywhere.norm()));
        results.put("redistribute", Vectors.values(a.redistribute((layout.axis() + 1) % a.shape().length)));
        results.put(
                "P" + layout.ranks() + "_local_shapes",
                Values.of(IntStream.range(0, layout.ranks())
                        .mapToObj(layout::localShape)
                        .flatMapToLong(Arrays::stream)
                        .asDoubleStream()
                        .toArray()));
    }

    /** Each rank's block with cells of its neighbours; an output of its own for each rank. */
    private static void ghosts(Reference r, DistributedArray a, Map<String, Values> results) {
        Communicator ranks = a.space().ranks();
        for (String output : r.keys().keySet()) {
            Matcher ghost = GHOST.matcher(output.replaceFirst("^out_", ""));
            if (!ghost.matches() || Integer.parseInt(ghost.group(1)) != ranks.size()) continue;
            NDArray own = a.withGhostCells(Integer.parseInt(ghost.group(2)), Integer.parseInt(ghost.group(3)));
            String stem = ghost.group().substring(0, ghost.group().length() - 1);
            for (int rank = 0; rank < ranks.size(); rank++) {
                NDArray part = rank == ranks.rank() ? own : NDArray.zeros(a.dtype(), shape(r, stem + rank));
                NDArray sent = part.copy();
                ranks.broadcast(sent, rank);
                results.put(stem + rank, Values.of(sent));
            }
        }
    }

    private static long[] shape(Reference r, String output) {
        return r.array("out_" + output).shape();
    }

    /** The peer's masks: ranks of one colour sum over their own blocks alone, which here are arrays of a group of their own. */
    private static void groups(Reference r, DistributedArray a, DistributedArray b, Map<String, Values> results) {
        Communicator ranks = a.space().ranks();
        String mask = "P" + ranks.size() + "_mask";
        if (!r.has("out_" + mask)) return;
        NDArray colours = r.array("out_" + mask);
        int rank = ranks.rank();
        Layout all = a.space().layout();
        long[] blocks = IntStream.range(0, ranks.size())
                .filter(other -> colours.get(other) == colours.get(rank))
                .mapToLong(all::block)
                .toArray();
        long[] dims = all.dims();
        dims[all.axis()] = Arrays.stream(blocks).sum();
        try (Communicator group = ranks.split((int) colours.get(rank), rank)) {
            DistributedSpace space = new DistributedSpace(group, Layout.blocks(all.axis(), blocks, dims), a.dtype());
            DistributedArray x = DistributedArray.ofLocal(space, a.local());
            Complex dot = x.bilinear(DistributedArray.ofLocal(space, b.local())).complex();
            results.put(mask + "_norm_per_rank", Values.of(perRank(ranks, x.norm())));
            double[] re = perRank(ranks, dot.re());
            double[] im = perRank(ranks, dot.im());
            results.put(mask + "_dot_per_rank", Values.of(re, im));
        }
    }

    private static double[] perRank(Communicator ranks, double own) {
        double[] values = new double[ranks.size()];
        values[ranks.rank()] = own;
        ranks.allReduce(values, values.length, ReduceOp.SUM);
        return values;
    }

    private static Map<String, Values> stacked(Reference r, Communicator ranks) {
        StackedArray a = stack(r, ranks, "a");
        StackedArray b = stack(r, ranks, "b");
        Map<String, Values> results = new LinkedHashMap<>();
        results.put("add", Vectors.values(a.add(b)));
        results.put("sub", Vectors.values(a.subtract(b)));
        results.put("mul", Vectors.values(a.multiply(b)));
        results.put("scale", Vectors.values(a.multiply(STACK_FACTOR)));
        results.put("neg", Vectors.values(a.negate()));
        results.put("conj", Vectors.values(a.conj()));
        results.put("dot", values(a.bilinear(b)));
        results.put("vdot", values(a.dot(b)));
        results.put("norm", Values.of(a.norm()));
        for (int order = 0; order <= 2; order++) results.put("norm" + order, Values.of(a.norm(order)));
        results.put("norminf", Values.of(a.norm(INFINITY)));
        results.put("normminf", Values.of(a.norm(-INFINITY)));
        return results;
    }

    private static StackedArray stack(Reference r, Communicator ranks, String name) {
        return StackedArray.of(List.of(r.array(name + "1"), r.array(name + "2")).stream()
                .map(part -> DistributedArray.ofGlobal(
                        DistributedSpace.rows(ranks, part.shape()).as(part.dtype()), part))
                .toList());
    }

    private static Values values(Scalar scalar) {
        return Values.of(scalar.complex());
    }
}
