package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CgTest {
    @Test
    void aDiagonalOfTwoValuesTakesTwoIterations() {
        Dense d = Dense.diagonal(1, 2, 1, 2, 1, 2);
        NDArray y = NDArray.of(1, 2, 1, 2, 1, 2);
        Solution<NDArray> found =
                Cg.of(d, y).iterations(10).absoluteTolerance(1e-12).solve();
        assertThat(found.iterations()).isEqualTo(2);
        assertThat(found.stop()).isEqualTo(Stop.ABSOLUTE_TOLERANCE);
        assertThat(found.history().residualNorms()).hasSize(3);
        assertThat(found.history().residualNorms().getFirst()).isEqualTo(Math.sqrt(15));
        assertThat(found.x().toDoubles()).containsExactly(new double[] {1, 1, 1, 1, 1, 1}, within(1e-14));
        assertThat(found.residualNorm()).isLessThan(1e-14);
    }

    @Test
    void solvesRandomSystemsFromAnyStart() {
        Seeded.cases(20, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            int n = random.nextInt(1, 15);
            Dense a = Dense.random(random, dtype, n + 3, n).gram(0.5);
            NDArray y = NDArray.random(random.nextLong(), dtype, n);
            NDArray x0 = NDArray.random(random.nextLong(), dtype, n);
            NDArray start = x0.copy();
            Solution<NDArray> found = Cg.of(a, y)
                    .start(x0)
                    .iterations(20 * n)
                    .relativeTolerance(1e-13)
                    .solve();
            assertThat(found.stop().isConverged()).isTrue();
            assertClose(found.x(), a.solve(y), 1e-9);
            assertClose(x0, start, 0);
            assertThat(found.residualNorm()).isLessThan(1e-9 * y.norm());
        });
    }

    @Test
    void relativeToleranceIsOfTheFirstResidual() {
        Dense a = Dense.diagonal(1, 2, 3, 4, 5, 6, 7, 8);
        NDArray y = NDArray.of(1, 1, 1, 1, 1, 1, 1, 1);
        Solution<NDArray> found = Cg.of(a, y).relativeTolerance(1e-2).solve();
        List<Double> norms = found.history().residualNorms();
        assertThat(found.stop()).isEqualTo(Stop.RELATIVE_TOLERANCE);
        assertThat(norms.getLast()).isLessThanOrEqualTo(1e-2 * norms.getFirst());
        assertThat(norms.get(norms.size() - 2)).isGreaterThan(1e-2 * norms.getFirst());
    }

    @Test
    void nothingIsToBeDoneForZeroDataOrAnExactStart() {
        Dense a = Dense.diagonal(1, 2);
        Solution<NDArray> zero = Cg.of(a, NDArray.of(0, 0)).solve();
        assertThat(zero.iterations()).isZero();
        assertThat(zero.stop()).isEqualTo(Stop.ABSOLUTE_TOLERANCE);
        assertThat(zero.x().toDoubles()).containsExactly(0, 0);
        Solution<NDArray> exact =
                Cg.of(a, NDArray.of(3, 8)).start(NDArray.of(3, 4)).solve();
        assertThat(exact.iterations()).isZero();
        assertThat(exact.x().toDoubles()).containsExactly(3, 4);
    }

    @Test
    void iterationsBeyondTheLastDigitEndInRounding() {
        Dense a =
                Dense.random(new java.util.SplittableRandom(3), DType.F64, 9, 6).gram(0.1);
        Solution<NDArray> found =
                Cg.of(a, NDArray.of(1, 2, 3, 4, 5, 6)).iterations(5000).solve();
        assertThat(found.stop()).isIn(Stop.ROUNDING, Stop.ABSOLUTE_TOLERANCE);
        assertClose(found.x(), a.solve(NDArray.of(1, 2, 3, 4, 5, 6)), 1e-12);
    }

    @Test
    void anIndefiniteOperatorIsAnError() {
        assertThatThrownBy(() -> Cg.of(Dense.diagonal(1, -2), NDArray.of(1, 1)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("iteration 1")
                .hasMessageContaining("p^H A p is -1.0")
                .hasMessageContaining("not positive definite");
    }

    @Test
    void nanIsNamedWithItsIteration() {
        assertThatThrownBy(() ->
                        Cg.of(Dense.diagonal(1, 2), NDArray.of(1, Double.NaN)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("iteration 0: the squared residual norm is NaN");
        assertThatThrownBy(() -> Cg.of(Dense.diagonal(1, 2), NDArray.of(1, 1))
                        .start(NDArray.of(0, Double.POSITIVE_INFINITY))
                        .solve())
                .hasMessageContaining("iteration 0");
        Dense.Poisoned poisoned = new Dense.Poisoned(Dense.diagonal(1, 2, 3, 4), 3);
        assertThatThrownBy(() -> Cg.of(poisoned, NDArray.of(1, 1, 1, 1)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("iteration 3: p^H A p is NaN")
                .extracting("iteration")
                .isEqualTo(3);
    }

    @Test
    void spacesMustFit() {
        assertThatThrownBy(() -> Cg.of(Dense.diagonal(1, 2), NDArray.of(1, 2, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("data");
        Dense tall = Dense.of(NDArray.zeros(DType.F64, 3, 2));
        assertThatThrownBy(() -> Cg.of(tall, NDArray.of(1, 2, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cgls");
        assertThatThrownBy(() -> Cg.of(Dense.diagonal(1), NDArray.of(1)).iterations(-1))
                .hasMessageContaining("iterations is -1");
        assertThatThrownBy(() -> Cg.of(Dense.diagonal(1), NDArray.of(1)).relativeTolerance(Double.NaN))
                .hasMessageContaining("relativeTolerance is NaN");
    }

    @Test
    void resumesWithTheSameBits() {
        Seeded.cases(10, random -> {
            Dense a = Dense.random(random, DType.F64, 15, 12).gram(0.1);
            NDArray y = NDArray.random(random.nextLong(), DType.F64, 12);
            Cg<NDArray> cg = Cg.of(a, y).iterations(9);
            Solution<NDArray> whole = cg.solve();
            int cut = random.nextInt(1, 9);
            CgIteration<NDArray> first = cg.begin();
            for (int i = 0; i < cut; i++) first.step();
            CgState<NDArray> state = first.state();
            first.step();
            for (int again = 0; again < 2; again++) {
                Solution<NDArray> rest = cg.resume(state).run();
                assertThat(rest.x().toDoubles()).isEqualTo(whole.x().toDoubles());
                assertThat(rest.history()).isEqualTo(whole.history());
                assertThat(rest.stop()).isEqualTo(whole.stop());
            }
        });
    }

    @Test
    void observersSeeEveryIterationAndMayCancel() {
        List<Progress<NDArray>> seen = new ArrayList<>();
        List<Double> firstElement = new ArrayList<>();
        Solution<NDArray> found = Cg.of(Dense.diagonal(1, 2, 3, 4, 5), NDArray.of(1, 1, 1, 1, 1))
                .observe(p -> {
                    seen.add(p);
                    firstElement.add(p.x().get(0));
                    return p.iteration() == 3 ? Observer.Verdict.CANCEL : Observer.Verdict.CONTINUE;
                })
                .solve();
        assertThat(found.stop()).isEqualTo(Stop.CANCELLED);
        assertThat(found.stop().isConverged()).isFalse();
        assertThat(found.iterations()).isEqualTo(3);
        assertThat(seen).extracting(Progress::iteration).containsExactly(1, 2, 3);
        assertThat(seen).extracting(Progress::limit).containsOnly(100);
        assertThat(seen)
                .extracting(Progress::residualNorm)
                .isEqualTo(found.history().residualNorms().subList(1, 4));
        assertThat(found.x().get(0)).isEqualTo(firstElement.getLast());
    }

    static void assertClose(NDArray got, NDArray expected, double relative) {
        NDArray difference = got.copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isLessThanOrEqualTo(relative * expected.norm());
    }
}
