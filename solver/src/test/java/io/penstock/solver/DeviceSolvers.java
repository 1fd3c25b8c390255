package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.operator.Wavelets;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Solvers with arrays on a device other than the JVM; a subclass for each driver says which device. */
@Timeout(300)
abstract class DeviceSolvers {
    /** The device; a test is skipped where there is none. */
    abstract Device device();

    /** Without such a device there is nothing to test; ranks must not find that out one by one. */
    @BeforeEach
    void isThere() {
        assertThat(device()).isNotNull();
    }

    private static double distance(NDArray there, NDArray here) {
        NDArray difference = there.toHost();
        difference.axpy(-1, here);
        return difference.norm() / here.norm();
    }

    @Test
    void poststackInversionEqualsTheJvmsAndStaysOnTheDevice() {
        for (DType dtype : new DType[] {DType.F32, DType.F64})
            try (Scope scope = Scope.open()) {
                double tolerance = dtype == DType.F32 ? 1e-5 : 1e-12;
                ArraySpace here = ArraySpace.of(dtype, 60, 40);
                ArraySpace there = here.on(device());
                double[] wavelet = Wavelets.ricker(15, 0.004, 21);
                LinearOperator<NDArray, NDArray> a = PoststackModelling.of(here, wavelet);
                LinearOperator<NDArray, NDArray> b = PoststackModelling.of(there, wavelet);
                NDArray model = here.random(5);
                NDArray data = a.forward(model);
                NDArray section = b.forward(model.to(device()));
                assertThat(section.device()).isEqualTo(device());
                assertThat(distance(section, data)).isLessThan(tolerance);
                NDArray expected =
                        Cgls.of(a, data).iterations(8).damping(0.5).solve().x();
                Cgls<NDArray, NDArray> solver =
                        Cgls.of(b, section).iterations(8).damping(0.5);
                solver.solve();
                long before = NDArray.movedBytes();
                NDArray found = solver.solve().x();
                assertThat(NDArray.movedBytes() - before)
                        .as("bytes moved: a few numbers an iteration")
                        .isLessThan(10 * 8 * 8);
                assertThat(found.device()).isEqualTo(device());
                assertThat(distance(found, expected)).isLessThan(tolerance);
                assertThat(scope).isNotNull();
            }
    }

    @Test
    void conjugateGradientsWithAMatrix() {
        try (Scope scope = Scope.open()) {
            NDArray root = NDArray.random(1, DType.F64, 30, 30);
            NDArray matrix =
                    root.transpose().matmul(root).add(NDArray.eye(DType.F64, 30).multiply(30.0));
            NDArray y = NDArray.random(2, DType.F64, 30);
            NDArray expected =
                    Cg.of(DenseMatrix.of(matrix), y).iterations(20).solve().x();
            NDArray found = Cg.of(DenseMatrix.of(matrix.to(device())), y.to(device()))
                    .iterations(20)
                    .solve()
                    .x();
            assertThat(found.device()).isEqualTo(device());
            assertThat(distance(found, expected)).isLessThan(1e-10);
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void regularisedInversionOnADeviceARankEqualsTheJvms() {
        Ranks.run(2, ranks -> {
            DistributedSpace here = DistributedSpace.rows(ranks, 14, 40).as(DType.F32);
            DistributedSpace there = here.on(device());
            CglsIteration<DistributedArray, StackedArray> expected = inversion(here);
            CglsIteration<DistributedArray, StackedArray> found = inversion(there);
            Traffic start = ranks.traffic();
            for (int i = 0; i < 6; i++) expected.step();
            Traffic middle = ranks.traffic();
            for (int i = 0; i < 6; i++) found.step();
            assertThat(ranks.traffic().since(middle)).isEqualTo(middle.since(start));
            assertThat(found.x().local().device()).isEqualTo(device());
            assertThat(distance(found.x().local(), expected.x().local())).isLessThan(1e-5);
        });
    }

    private static CglsIteration<DistributedArray, StackedArray> inversion(DistributedSpace space) {
        var modelling =
                PoststackModelling.along(-1, Wavelets.ricker(15, 0.004, 21)).on(space);
        var stack = StackedVerticalStack.of(modelling, Laplacian.of(space).scaled(0.5));
        DistributedArray data = modelling.forward(space.random(5));
        return Cgls.of(stack, StackedArray.of(data, space.zeros()))
                .iterations(20)
                .begin();
    }
}
