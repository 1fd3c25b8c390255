package io.penstock.solver;

import static io.penstock.solver.CgTest.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.operator.BlockDiagonal;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.LinearOperator;
import io.penstock.testing.Oracle;
import io.penstock.testing.Oracle.Case;
import io.penstock.testing.Oracle.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The peer's recorded runs with dense matrices: iterates, histories and iteration counts. */
class RecordedSolversTest {
    static Stream<Case> cg() {
        return matrices("local_solver_cg", "mpi_solver_cg");
    }

    static Stream<Case> cgls() {
        return matrices("local_solver_cgls", "mpi_solver_cgls");
    }

    static Stream<Case> power() {
        return matrices("mpi_solver_power_iteration");
    }

    /** The cases with one matrix, or one for each block of a block diagonal. */
    private static Stream<Case> matrices(String... families) {
        return Stream.of(families)
                .flatMap(family -> Oracle.recorded().family(family).stream())
                .filter(c -> c.has("A"));
    }

    @ParameterizedTest
    @MethodSource("cg")
    void conjugateGradients(Case c) {
        try (Npz arrays = Npz.open(c.archive())) {
            Cg<NDArray> cg = Cg.of(operator(arrays, c), read(arrays, c, "y"))
                    .iterations(c.params().path("niter").asInt())
                    .absoluteTolerance(Math.sqrt(c.params().path("tol").asDouble()));
            if (c.has("x0")) cg = cg.start(read(arrays, c, "x0"));
            List<NDArray> iterates = new ArrayList<>();
            Solution<NDArray> found = cg.observe(keep(iterates)).solve();
            compare(arrays, c, found, iterates);
        }
    }

    @ParameterizedTest
    @MethodSource("cgls")
    void leastSquares(Case c) {
        try (Npz arrays = Npz.open(c.archive())) {
            double damping = c.params().path("damp").asDouble();
            Cgls<NDArray, NDArray> cgls = Cgls.of(operator(arrays, c), read(arrays, c, "y"))
                    .damping(damping)
                    .iterations(c.params().path("niter").asInt())
                    .absoluteTolerance(Math.sqrt(c.params().path("tol").asDouble()));
            if (c.has("x0")) cgls = cgls.start(read(arrays, c, "x0"));
            if (c.note().startsWith("PEER QUIRK")) {
                // The peer's first gradient is wrong for a damped problem from this start: compare with the exact
                // solution.
                if (c.has("exact_x"))
                    assertClose(
                            cgls.iterations(200)
                                    .relativeTolerance(1e-13)
                                    .solve()
                                    .x(),
                            read(arrays, c, "exact_x"),
                            c.dtype().equals("float64") || c.dtype().equals("complex128") ? 1e-8 : 1e-4);
                return;
            }
            List<NDArray> iterates = new ArrayList<>();
            Solution<NDArray> found = cgls.observe(keep(iterates)).solve();
            compare(arrays, c, found, iterates);
            List<Double> costs = found.history().costs();
            double r2 = read(arrays, c, "out_r2norm").get();
            Tolerance near = c.tolerance("r2norm");
            assertThat(costs.getLast()).isCloseTo(r2, within(near.rtol() * r2 + near.atol()));
        }
    }

    @ParameterizedTest
    @MethodSource("power")
    void largestEigenvalue(Case c) {
        try (Npz arrays = Npz.open(c.archive())) {
            Eigenpair<NDArray> found = PowerIteration.of(operator(arrays, c))
                    .iterations(c.params().path("niter").asInt())
                    .relativeTolerance(0)
                    .solve();
            double expected = read(arrays, c, "out_maxeig").get();
            assertThat(found.value().re())
                    .isCloseTo(expected, within(c.tolerance("maxeig").rtol() * Math.abs(expected)));
        }
    }

    private static Observer<NDArray> keep(List<NDArray> iterates) {
        return progress -> {
            iterates.add(progress.x().copy());
            return Observer.Verdict.CONTINUE;
        };
    }

    private static LinearOperator<NDArray, NDArray> operator(Npz arrays, Case c) {
        NDArray a = read(arrays, c, "A");
        if (a.ndim() == 2) return Dense.of(a);
        return BlockDiagonal.of(LongStream.range(0, a.dim(0))
                .mapToObj(k -> DenseMatrix.of(a.slice(0, k, k + 1).reshape(a.dim(1), a.dim(2))))
                .toList());
    }

    private static NDArray read(Npz arrays, Case c, String name) {
        return arrays.get(c.key(name));
    }

    private static void compare(Npz arrays, Case c, Solution<NDArray> found, List<NDArray> iterates) {
        assertThat((long) found.iterations())
                .isEqualTo((long) read(arrays, c, "out_iiter").get());
        near(c, "x", found.x(), read(arrays, c, "out_x"));
        double[] norms = found.history().residualNorms().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        double[] costs = doubles(read(arrays, c, "out_cost"));
        Tolerance near = c.tolerance("cost");
        assertThat(norms).containsExactly(costs, within(near.rtol() * max(costs) + near.atol()));
        NDArray first = read(arrays, c, "out_x_iter");
        for (long i = 0; i < first.dim(0) && i < iterates.size(); i++)
            near(c, "x_iter", iterates.get((int) i), first.slice(0, i, i + 1).reshape(first.dim(1)));
    }

    private static void near(Case c, String output, NDArray got, NDArray expected) {
        Tolerance tolerance = c.tolerance(output);
        double scale = 0;
        double worst = 0;
        for (long i = 0; i < expected.size(); i++) {
            scale = Math.max(scale, expected.getComplex(i).abs());
            worst = Math.max(
                    worst, got.getComplex(i).minus(expected.getComplex(i)).abs());
        }
        assertThat(worst).as(output).isLessThanOrEqualTo(tolerance.rtol() * scale + tolerance.atol());
    }

    private static double[] doubles(NDArray array) {
        double[] values = new double[(int) array.size()];
        for (int i = 0; i < values.length; i++) values[i] = array.get(i);
        return values;
    }

    private static double max(double[] values) {
        double max = 0;
        for (double value : values) max = Math.max(max, Math.abs(value));
        return max;
    }
}
