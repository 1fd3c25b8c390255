package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.array.Scalar;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.testing.Oracle;
import io.penstock.testing.RankCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the peer recorded of its arrays. */
class RecordedValuesTest {
    private static final Pattern GHOST = Pattern.compile("P(\\d+)_ghost_f(\\d+)_b(\\d+)_r(\\d+)");

    /** The arrays of a case, and the comparison with them. */
    private record Recorded(Oracle.Case recorded, Map<String, NDArray> arrays) {
        static Recorded of(Oracle.Case recorded) {
            Map<String, NDArray> arrays = new HashMap<>();
            try (Npz archive = Npz.open(recorded.archive())) {
                for (String name : recorded.json().path("arrays").propertyNames())
                    arrays.put(name, archive.get(recorded.key(name)));
            }
            return new Recorded(recorded, arrays);
        }

        NDArray array(String name) {
            NDArray array = arrays.get(name);
            if (array == null) throw new IllegalArgumentException(recorded.id() + " has no array " + name);
            return array;
        }

        boolean expects(String output) {
            return recorded.outputs().contains(output);
        }

        /** Compares the elements in order; the peer flattens some results. */
        void check(String output, NDArray got) {
            NDArray expected = array("out_" + output);
            assertThat(got.size()).as("size of %s of %s", output, recorded.id()).isEqualTo(expected.size());
            NDArray a = got.reshape(got.size());
            NDArray b = expected.reshape(expected.size());
            Oracle.Tolerance tolerance = recorded.tolerance(output);
            double largest = 0;
            double difference = 0;
            for (long i = 0; i < a.size(); i++) {
                difference = Math.max(
                        difference,
                        a.getComplex(i).plus(b.getComplex(i).negate()).abs());
                largest = Math.max(largest, b.getComplex(i).abs());
            }
            assertThat(difference)
                    .as("%s of %s", output, recorded.id())
                    .isLessThanOrEqualTo(tolerance.rtol() * largest + tolerance.atol());
        }

        void check(String output, double got) {
            check(output, NDArray.of(got));
        }

        void check(String output, Scalar got) {
            check(output, NDArray.ofComplex(got.re(), got.im()));
        }
    }

    @Test
    void arrays() {
        for (Oracle.Case recorded : Oracle.recorded().family("mpi_DistributedArray")) {
            Recorded values = Recorded.of(recorded);
            List<Long> shape = new ArrayList<>();
            for (JsonNode extent : recorded.params().path("shape")) shape.add(extent.asLong());
            long[] dims = shape.stream().mapToLong(Long::longValue).toArray();
            int axis = recorded.params().path("axis").asInt();
            for (int size : RankCounts.of(1, 2, 3, 4, 7)) {
                Ranks.run(size, ranks -> {
                    DistributedSpace space = DistributedSpace.split(ranks, axis, dims)
                            .as(values.array("a").dtype());
                    DistributedArray a = DistributedArray.ofGlobal(space, values.array("a"));
                    DistributedArray b = DistributedArray.ofGlobal(space, values.array("b"));
                    checkArithmetic(values, a, b);
                    checkReductions(values, a, b);
                    checkReplicated(values, a, b);
                    checkLayout(values, space, axis);
                    checkGhosts(values, a);
                    checkGroups(values, a, b);
                });
            }
        }
    }

    private static void checkArithmetic(Recorded values, DistributedArray a, DistributedArray b) {
        values.check("add", a.add(b).allGather());
        values.check("sub", a.subtract(b).allGather());
        values.check("mul", a.multiply(b).allGather());
        values.check("neg", a.negate().allGather());
        values.check("conj", a.conj().allGather());
        JsonNode scalar = values.recorded().params().path("scalar");
        NDArray scaled = scalar.isNumber()
                ? a.multiply(scalar.asDouble()).allGather()
                : a.multiply(new Complex(
                                scalar.path("re").asDouble(), scalar.path("im").asDouble()))
                        .allGather();
        values.check("scale", scaled);
        DistributedArray c = a.copy();
        c.addInPlace(b);
        values.check("iadd", c.allGather());
        c = a.copy();
        c.subtractInPlace(b);
        values.check("isub", c.allGather());
    }

    private static void checkReductions(Recorded values, DistributedArray a, DistributedArray b) {
        values.check("dot", a.bilinear(b));
        values.check("vdot", a.dot(b));
        values.check("norm", a.norm());
        values.check("norm0", a.norm(0));
        values.check("norm1", a.norm(1));
        values.check("norm2", a.norm(2));
        values.check("norm3", a.norm(3));
        values.check("norminf", a.norm(Double.POSITIVE_INFINITY));
        values.check("normminf", a.norm(Double.NEGATIVE_INFINITY));
        for (int k = 0; k < a.shape().length && a.shape().length > 1; k++) {
            values.check("norm1_axis" + k, a.norm(1, k).allGather());
            values.check("norm2_axis" + k, a.norm(2, k).allGather());
            values.check("norminf_axis" + k, a.norm(Double.POSITIVE_INFINITY, k).allGather());
        }
    }

    private static void checkReplicated(Recorded values, DistributedArray a, DistributedArray b) {
        Layout everywhere = a.space().layout().asReplicated();
        DistributedArray x = a.redistribute(everywhere);
        values.check("bcast_dot", x.bilinear(b.redistribute(everywhere)));
        values.check("bcast_norm", x.norm());
        if (values.expects("redistribute"))
            values.check(
                    "redistribute",
                    a.redistribute((a.space().layout().axis() + 1) % a.shape().length)
                            .allGather());
    }

    private static void checkLayout(Recorded values, DistributedSpace space, int axis) {
        int size = space.ranks().size();
        if (!values.expects("P" + size + "_local_shapes")) return;
        NDArray shapes = values.array("out_P" + size + "_local_shapes");
        for (int r = 0; r < size; r++)
            assertThat((double) space.layout().localShape(r)[axis]).isEqualTo(shapes.get(r, axis));
    }

    private static void checkGhosts(Recorded values, DistributedArray a) {
        Communicator ranks = a.space().ranks();
        for (String output : values.recorded().outputs()) {
            Matcher ghost = GHOST.matcher(output);
            if (!ghost.matches() || Integer.parseInt(ghost.group(1)) != ranks.size()) continue;
            if (!ghost.group(4).equals("0")) continue;
            String stem = output.substring(0, output.length() - 1);
            NDArray part = a.withGhostCells(Integer.parseInt(ghost.group(2)), Integer.parseInt(ghost.group(3)));
            values.check(stem + ranks.rank(), part);
        }
    }

    /** The peer's masks: ranks of one colour sum over their own blocks. */
    private static void checkGroups(Recorded values, DistributedArray a, DistributedArray b) {
        Communicator ranks = a.space().ranks();
        String mask = "P" + ranks.size() + "_mask";
        if (!values.expects(mask)) return;
        int rank = ranks.rank();
        NDArray colours = values.array("out_" + mask);
        Communicator group = ranks.split((int) colours.get(rank), 0);
        List<Long> blocks = new ArrayList<>();
        for (int r = 0; r < ranks.size(); r++)
            if (colours.get(r) == colours.get(rank))
                blocks.add(a.space().layout().block(r));
        long[] own = blocks.stream().mapToLong(Long::longValue).toArray();
        Layout layout =
                Layout.blocks(0, own, blocks.stream().mapToLong(Long::longValue).sum());
        DistributedSpace space = new DistributedSpace(group, layout, a.dtype());
        DistributedArray x = DistributedArray.ofLocal(space, a.local());
        NDArray dots = values.array("out_" + mask + "_dot_per_rank");
        NDArray norms = values.array("out_" + mask + "_norm_per_rank");
        Scalar dot = x.bilinear(DistributedArray.ofLocal(space, b.local()));
        double rtol = Math.max(1e-13, values.recorded().tolerance(mask).rtol());
        assertThat(dot.complex().plus(dots.getComplex(rank).negate()).abs()).isLessThan(10 * rtol);
        assertThat(x.norm()).isCloseTo(norms.get(rank), within(rtol * norms.get(rank)));
    }

    @Test
    void stacks() {
        for (Oracle.Case recorded : Oracle.recorded().family("mpi_StackedDistributedArray")) {
            Recorded values = Recorded.of(recorded);
            for (int size : RankCounts.of(1, 2, 3, 5, 16)) {
                Ranks.run(size, ranks -> {
                    StackedArray a = stack(ranks, values, "a");
                    StackedArray b = stack(ranks, values, "b");
                    values.check("dot", a.bilinear(b));
                    values.check("vdot", a.dot(b));
                    values.check("norm", a.norm());
                    values.check("norm0", a.norm(0));
                    values.check("norm1", a.norm(1));
                    values.check("norm2", a.norm(2));
                    values.check("norminf", a.norm(Double.POSITIVE_INFINITY));
                    values.check("normminf", a.norm(Double.NEGATIVE_INFINITY));
                    values.check("add", flat(a.add(b)));
                    values.check("sub", flat(a.subtract(b)));
                    values.check("mul", flat(a.multiply(b)));
                    values.check("neg", flat(a.negate()));
                    values.check("conj", flat(a.conj()));
                });
            }
        }
    }

    private static StackedArray stack(Communicator ranks, Recorded values, String name) {
        List<DistributedArray> parts = new ArrayList<>();
        for (NDArray part : List.of(values.array(name + "1"), values.array(name + "2")))
            parts.add(DistributedArray.ofGlobal(
                    DistributedSpace.rows(ranks, part.shape()).as(part.dtype()), part));
        return StackedArray.of(parts);
    }

    private static NDArray flat(StackedArray x) {
        return NDArray.concatenate(
                0,
                x.part(0, DistributedArray.class).allGather(),
                x.part(1, DistributedArray.class).allGather());
    }
}
