package io.penstock.solver;

import static io.penstock.solver.CgTest.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.operator.LinearOperator;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class CglsTest {
    @Test
    void dampingIsSquaredForAnyStart() {
        Solution<NDArray> one = Cgls.of(Dense.diagonal(1), NDArray.of(1))
                .start(NDArray.of(2))
                .damping(3)
                .iterations(1)
                .solve();
        assertThat(one.x().get(0)).isCloseTo(0.1, within(1e-15));
        assertThat(one.history().gradientNorms().getFirst()).isEqualTo(19.0);
        assertThat(one.history().costs().getFirst()).isEqualTo(Math.sqrt(37));
    }

    @Test
    void residualNormsAreResiduals() {
        Seeded.cases(20, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            Dense a = Dense.random(random, dtype, random.nextInt(1, 12), random.nextInt(1, 12));
            NDArray y = a.range().random(random.nextLong());
            NDArray x0 = a.domain().random(random.nextLong());
            double damping = random.nextBoolean() ? 0 : random.nextDouble(2);
            Solution<NDArray> found = Cgls.of(a, y)
                    .start(x0)
                    .damping(damping)
                    .iterations(4)
                    .relativeTolerance(1e-10)
                    .solve();
            NDArray residual = y.copy();
            residual.axpy(-1, a.forward(found.x()));
            double scale = y.norm() + a.forward(x0).norm();
            assertThat(found.history().residualNorms().getLast()).isCloseTo(residual.norm(), within(1e-12 * scale));
            assertThat(found.residualNorm()).isCloseTo(residual.norm(), within(1e-12 * scale));
            assertThat(found.history().costs().getLast())
                    .isCloseTo(Math.hypot(residual.norm(), damping * found.x().norm()), within(1e-12 * scale));
            NDArray gradient = a.adjoint(residual);
            gradient.axpy(-damping * damping, found.x());
            assertThat(found.history().gradientNorms().getLast())
                    .isCloseTo(
                            gradient.norm(),
                            within(1e-11 * found.history().gradientNorms().getFirst()));
        });
    }

    @Test
    void solvesRandomLeastSquaresFromAnyStart() {
        Seeded.cases(20, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            int n = random.nextInt(1, 12);
            Dense a = Dense.random(random, dtype, random.nextInt(1, 20), n);
            NDArray y = a.range().random(random.nextLong());
            double damping = random.nextDouble(0.5, 3);
            Solution<NDArray> found = Cgls.of(a, y)
                    .start(a.domain().random(random.nextLong()))
                    .damping(damping)
                    .iterations(20 * n)
                    .relativeTolerance(1e-13)
                    .solve();
            assertClose(found.x(), a.gram(damping * damping).solve(a.adjoint(y)), 1e-9);
        });
    }

    @Test
    void theCostNeverGrows() {
        Seeded.cases(10, random -> {
            Dense a = Dense.random(random, DType.F64, 14, 9);
            var costs = Cgls.of(a, a.range().random(random.nextLong()))
                    .start(a.domain().random(random.nextLong()))
                    .damping(0.3)
                    .iterations(9)
                    .solve()
                    .history()
                    .costs();
            for (int i = 1; i < costs.size(); i++)
                assertThat(costs.get(i)).isLessThanOrEqualTo(costs.get(i - 1) * (1 + 1e-14));
        });
    }

    @Test
    void nothingIsToBeDoneWithoutAGradient() {
        Dense a = Dense.diagonal(2, 4);
        assertThat(Cgls.of(a, NDArray.of(0, 0)).solve().iterations()).isZero();
        Solution<NDArray> exact =
                Cgls.of(a, NDArray.of(2, 4)).start(NDArray.of(1, 1)).solve();
        assertThat(exact.iterations()).isZero();
        assertThat(exact.x().toDoubles()).containsExactly(1, 1);
        Dense zero = Dense.of(NDArray.zeros(DType.F64, 2, 3));
        Solution<NDArray> orthogonal = Cgls.of(zero, NDArray.of(1, 1)).solve();
        assertThat(orthogonal.iterations()).isZero();
        assertThat(orthogonal.residualNorm()).isEqualTo(Math.sqrt(2));
    }

    @Test
    void aWrongAdjointDivergesWithAnError() {
        LinearOperator<NDArray, NDArray> wrong =
                new LinearOperator<>(
                        Dense.diagonal(1, 1).domain(), Dense.diagonal(1, 1).range()) {
                    @Override
                    protected void applyForward(NDArray x, NDArray y) {
                        y.assign(x);
                    }

                    @Override
                    protected void applyAdjoint(NDArray y, NDArray x) {
                        x.assign(y);
                        x.scale(-3);
                    }
                };
        assertThatThrownBy(() -> Cgls.of(wrong, NDArray.of(1, 2)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("the cost grew")
                .hasMessageContaining("dot test");
    }

    @Test
    void nanIsNamedWithItsIteration() {
        assertThatThrownBy(() ->
                        Cgls.of(Dense.diagonal(1, 2), NDArray.of(Double.NaN, 1)).solve())
                .hasMessageContaining("iteration 0: the squared residual norm is NaN");
        Dense.Poisoned poisoned = new Dense.Poisoned(Dense.diagonal(1, 2, 3, 4), 2);
        assertThatThrownBy(() -> Cgls.of(poisoned, NDArray.of(1, 1, 1, 1)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("iteration 2: |A p|^2 + damping^2 |p|^2 is NaN");
    }

    @Test
    void solutionsAreShortAsText() {
        var found =
                Cgls.of(Dense.diagonal(1, 2), NDArray.of(3, 0)).iterations(1000).solve();
        assertThat(found)
                .hasToString("Solution[x in " + found.x().space() + ", iterations=" + found.iterations() + ", stop="
                        + found.stop() + ", residualNorm=" + found.residualNorm() + "]");
        assertThat(found.history().toString())
                .startsWith("History[iterations=" + found.iterations() + ", residualNorm 3.0 to ");
    }

    @Test
    void resumesWithTheSameBits() {
        Seeded.cases(10, random -> {
            Dense a = Dense.random(random, DType.C128, 15, 12);
            Cgls<NDArray, NDArray> cgls = Cgls.of(a, a.range().random(random.nextLong()))
                    .damping(random.nextInt(2))
                    .iterations(9);
            Solution<NDArray> whole = cgls.solve();
            CglsIteration<NDArray, NDArray> first =
                    cgls.iterations(random.nextInt(1, 9)).begin();
            while (first.step()) {}
            Solution<NDArray> rest = cgls.resume(first.state()).run();
            for (int i = 0; i < 12; i++)
                assertThat(rest.x().getComplex(i)).isEqualTo(whole.x().getComplex(i));
            assertThat(rest.history()).isEqualTo(whole.history());
        });
    }
}
