package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.VectorSpace;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.RankDevice;
import io.penstock.distributed.StackedArray;
import io.penstock.testing.Oracle;
import io.penstock.testing.RankCounts;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Stencil operators against recorded results of other programs. */
class StencilOracleTest {
    private static final Set<String> STENCILS = Set.of(
            "FirstDerivative",
            "SecondDerivative",
            "Laplacian",
            "Gradient",
            "Convolve1D",
            "Convolve2D",
            "ConvolveND",
            "PoststackLinearModelling");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local_FirstDerivative",
                "local_SecondDerivative",
                "local_Laplacian",
                "local_Gradient",
                "local_Convolve1D",
                "local_ConvolveND",
                "local_AVO"
            })
    @Tag("threads") // has no ranks
    void localOperators(String family) {
        for (Oracle.Case c : Oracle.recorded().family(family)) {
            if (!STENCILS.contains(c.op())) continue;
            LinearOperator<NDArray, NDArray> a = local(c);
            check(c, "y", a.forward(whole(c, "x", a.domain())));
            check(c, "v", a.adjoint(whole(c, "u", a.range())));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local_FirstDerivative",
                "local_SecondDerivative",
                "local_Laplacian",
                "local_Gradient",
                "local_Convolve1D",
                "local_ConvolveND",
                "local_AVO"
            })
    @Tag("threads") // has no ranks
    void localOperatorsOnOpenCl(String family) {
        Devices.first("opencl").queue().during(() -> localOperators(family));
    }

    @Tag("gpu")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "local_FirstDerivative",
                "local_SecondDerivative",
                "local_Laplacian",
                "local_Gradient",
                "local_Convolve1D",
                "local_ConvolveND",
                "local_AVO"
            })
    @Tag("threads") // has no ranks
    void localOperatorsOnCuda(String family) {
        Devices.first("cuda").queue().during(() -> localOperators(family));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mpi_FirstDerivative", "mpi_SecondDerivative", "mpi_Laplacian"})
    void distributedOperators(String family) {
        distributedOperators(family, "jvm", 1, 2, 3, 5);
    }

    @Test
    void distributedOperatorsOnOpenCl() {
        Devices.first("opencl");
        distributedOperators("mpi_SecondDerivative", "opencl", 1, 3);
    }

    @Tag("gpu")
    @ParameterizedTest
    @ValueSource(strings = {"mpi_FirstDerivative", "mpi_SecondDerivative", "mpi_Laplacian"})
    void distributedOperatorsOnCuda(String family) {
        Devices.first("cuda");
        distributedOperators(family, "cuda", 1, 2, 3, 5);
    }

    private static void distributedOperators(String family, String devices, int... sizes) {
        for (Oracle.Case c : Oracle.recorded().family(family))
            for (int size : RankCounts.of(sizes))
                Ranks.run(size, ranks -> {
                    DistributedSpace space = space(c, ranks).on(RankDevice.of(ranks, devices));
                    LinearOperator<DistributedArray, DistributedArray> a = distributed(c, space);
                    check(c, "y", 0, a.forward(part(c, "x", 0, space)));
                    check(c, "v", 0, a.adjoint(part(c, "u", 0, space)));
                });
    }

    @Test
    void distributedGradients() {
        for (Oracle.Case c : Oracle.recorded().family("mpi_Gradient"))
            for (int size : RankCounts.of(1, 2, 3, 5))
                Ranks.run(size, ranks -> {
                    DistributedSpace space = space(c, ranks);
                    LinearOperator<DistributedArray, StackedArray> a =
                            gradient(c).on(space);
                    int n = space.layout().ndim();
                    StackedArray y = a.forward(part(c, "x", 0, space));
                    DistributedArray[] u = new DistributedArray[n];
                    for (int k = 0; k < n; k++) {
                        check(c, "y", k, y.part(k, DistributedArray.class));
                        u[k] = part(c, "u", k, space);
                    }
                    check(c, "v", 0, a.adjoint(StackedArray.of(u)));
                });
    }

    @Test
    void wavelets() {
        int found = 0;
        for (Oracle.Case c : Oracle.recorded().family("local_functions")) {
            if (!c.op().equals("ricker") && !c.op().equals("ormsby")) continue;
            found++;
            NDArray expected = RecordedArrays.array(c, "out_wav");
            NDArray t = RecordedArrays.array(c, "t");
            int samples = (int) expected.size();
            double dt = t.get(1);
            double[] f = RecordedArrays.doubles(c.params().path("f"));
            double[] got = c.op().equals("ricker")
                    ? Wavelets.ricker(c.params().path("f0").asDouble(), dt, samples)
                    : Wavelets.ormsby(f[0], f[1], f[2], f[3], dt, samples);
            check(c, "out_wav", NDArray.of(got));
        }
        assertThat(found).isEqualTo(4);
    }

    // What the recorder's names mean --------------------------------------------------------------------------------

    private static LinearOperator<NDArray, NDArray> local(Oracle.Case c) {
        JsonNode p = c.params();
        ArraySpace space = new ArraySpace(
                Arrays.stream(RecordedArrays.longs(p.path("dims"))).boxed().toList(), RecordedArrays.dtype(c.dtype()));
        return switch (c.op()) {
            case "FirstDerivative" -> first(c).on(space);
            case "SecondDerivative" -> second(c).on(space);
            case "Laplacian" -> laplacian(c).on(space);
            case "Gradient" -> gradient(c).intoOneArray(space);
            case "PoststackLinearModelling" -> poststack(c);
            case "Convolve1D" -> {
                NDArray h = RecordedArrays.array(c, "h");
                int axis = p.path("axis").asInt();
                Convolution convolution =
                        Convolution.along(axis, h).origin(p.path("offset").asLong());
                long n = space.dims()[axis < 0 ? axis + space.dims().length : axis];
                yield (h.size() > n ? convolution.results(h.size()) : convolution).on(space);
            }
            default ->
                Convolution.along(
                                Arrays.stream(RecordedArrays.longs(p.path("axes")))
                                        .mapToInt(Math::toIntExact)
                                        .toArray(),
                                RecordedArrays.array(c, "h"))
                        .origin(RecordedArrays.longs(p.path("offset")))
                        .on(space);
        };
    }

    private static LinearOperator<NDArray, NDArray> poststack(Oracle.Case c) {
        long[] spatial = RecordedArrays.longs(c.params().path("spatdims"));
        long[] shape = new long[spatial.length + 1];
        shape[0] = c.params().path("nt0").asLong();
        System.arraycopy(spatial, 0, shape, 1, spatial.length);
        NDArray wavelet = RecordedArrays.array(c, "wav");
        PoststackModelling modelling;
        if (wavelet.ndim() == 1) modelling = PoststackModelling.along(0, wavelet.toDoubles());
        else {
            double[][] wavelets = new double[(int) wavelet.dim(0)][];
            for (int i = 0; i < wavelets.length; i++)
                wavelets[i] = wavelet.slice(0, i, i + 1).toDoubles();
            modelling = PoststackModelling.along(0, wavelets);
        }
        return modelling.kind(kind(c)).on(ArraySpace.of(shape));
    }

    private static LinearOperator<DistributedArray, DistributedArray> distributed(
            Oracle.Case c, DistributedSpace space) {
        return switch (c.op()) {
            case "MPIFirstDerivative" -> first(c).on(space);
            case "MPISecondDerivative" -> second(c).on(space);
            default -> laplacian(c).on(space);
        };
    }

    private static Difference kind(Oracle.Case c) {
        return Difference.valueOf(c.params().path("kind").asString().toUpperCase(Locale.ROOT));
    }

    private static FirstDerivative first(Oracle.Case c) {
        JsonNode p = c.params();
        return new FirstDerivative(
                p.path("axis").asInt(0),
                p.path("sampling").asDouble(),
                kind(c),
                p.path("order").asInt(),
                p.path("edge").asBoolean());
    }

    private static SecondDerivative second(Oracle.Case c) {
        JsonNode p = c.params();
        return new SecondDerivative(
                p.path("axis").asInt(0),
                p.path("sampling").asDouble(),
                kind(c),
                p.path("edge").asBoolean());
    }

    private static Laplacian laplacian(Oracle.Case c) {
        JsonNode p = c.params();
        int[] axes = Arrays.stream(RecordedArrays.longs(p.path("axes")))
                .mapToInt(Math::toIntExact)
                .toArray();
        return Laplacian.along(axes)
                .weights(RecordedArrays.doubles(p.path("weights")))
                .sampling(RecordedArrays.doubles(p.path("sampling")))
                .kind(kind(c))
                .edge(p.path("edge").asBoolean());
    }

    private static Gradient gradient(Oracle.Case c) {
        JsonNode p = c.params();
        return Gradient.sampled(RecordedArrays.doubles(p.path("sampling")))
                .kind(kind(c))
                .edge(p.path("edge").asBoolean());
    }

    // Arrays --------------------------------------------------------------------------------------------------------

    private static NDArray whole(Oracle.Case c, String name, VectorSpace<NDArray> space) {
        return RecordedArrays.array(c, name).reshape(((ArraySpace) space).dims());
    }

    private static DistributedSpace space(Oracle.Case c, Communicator ranks) {
        long[] dims = RecordedArrays.longs(c.params().path("dims"));
        DType dtype = RecordedArrays.dtype(c.dtype());
        return new DistributedSpace(ranks, Layout.rows(ranks.size(), dims), dtype);
    }

    private static NDArray component(NDArray all, int k, DistributedSpace space) {
        return all.slice(0, k * space.size(), (k + 1) * space.size())
                .reshape(space.layout().dims());
    }

    private static DistributedArray part(Oracle.Case c, String name, int k, DistributedSpace space) {
        return DistributedArray.ofGlobal(space, component(RecordedArrays.array(c, name), k, space));
    }

    private static void check(Oracle.Case c, String name, NDArray got) {
        NDArray expected = RecordedArrays.array(c, name);
        assertClose(c, name, got.reshape(got.size()), expected.reshape(expected.size()), largest(expected));
    }

    private static void check(Oracle.Case c, String name, int k, DistributedArray got) {
        NDArray expected = RecordedArrays.array(c, name);
        int me = got.space().ranks().rank();
        Layout layout = got.space().layout();
        NDArray part = component(expected, k, got.space()).slice(0, layout.start(me), layout.end(me));
        NDArray own = got.toHost().local();
        assertClose(c, name, own.reshape(own.size()), part.reshape(part.size()), largest(expected));
    }

    private static double largest(NDArray array) {
        NDArray flat = array.reshape(array.size());
        double largest = 0;
        for (int i = 0; i < flat.size(); i++)
            largest = Math.max(largest, flat.getComplex(i).abs());
        return largest;
    }

    private static void assertClose(Oracle.Case c, String name, NDArray got, NDArray expected, double scale) {
        assertThat(got.size()).as("%s, size of %s", c, name).isEqualTo(expected.size());
        Oracle.Tolerance tolerance = c.tolerance(name);
        for (int i = 0; i < got.size(); i++)
            assertThat(got.getComplex(i).minus(expected.getComplex(i)).abs())
                    .as("%s, element %d of %s", c, i, name)
                    .isLessThanOrEqualTo(tolerance.rtol() * scale + tolerance.atol());
    }
}
