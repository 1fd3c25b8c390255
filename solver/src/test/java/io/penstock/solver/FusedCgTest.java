package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.List;
import org.junit.jupiter.api.Test;

class FusedCgTest {
    @Test
    void itsIteratesAreThoseOfCg() {
        Seeded.cases(20, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            int n = random.nextInt(2, 15);
            Dense a = Dense.random(random, dtype, n + 3, n).gram(0.5);
            NDArray y = NDArray.random(random.nextLong(), dtype, n);
            NDArray x0 = NDArray.random(random.nextLong(), dtype, n);
            Cg<NDArray> cg = random.nextBoolean() ? Cg.of(a, y) : Cg.of(a, y).start(x0);
            cg = cg.iterations(Math.min(n, 5)).relativeTolerance(1e-8);
            Solution<NDArray> plain = cg.solve();
            Solution<NDArray> fused = cg.fused().solve();
            assertThat(fused.iterations()).isEqualTo(plain.iterations());
            assertThat(fused.stop()).isEqualTo(plain.stop());
            double scale = plain.x().norm();
            for (long i = 0; i < n; i++)
                assertThat(fused.x()
                                .getComplex(i)
                                .minus(plain.x().getComplex(i))
                                .abs())
                        .isLessThan(1e-6 * scale);
            List<Double> norms = plain.history().residualNorms();
            for (int i = 0; i < norms.size(); i++)
                assertThat(fused.history().residualNorms().get(i))
                        .isCloseTo(norms.get(i), within(1e-6 * norms.getFirst()));
        });
    }

    @Test
    void solvesToTheToleranceAskedFor() {
        Dense a = Dense.diagonal(1, 2, 3, 4, 5, 6, 7, 8);
        NDArray y = NDArray.of(1, 1, 1, 1, 1, 1, 1, 1);
        Solution<NDArray> found = Cg.of(a, y).relativeTolerance(1e-10).fused().solve();
        assertThat(found.stop()).isEqualTo(Stop.RELATIVE_TOLERANCE);
        assertThat(found.residualNorm()).isLessThan(1e-9);
        for (int i = 0; i < 8; i++) assertThat(found.x().get(i)).isCloseTo(1.0 / (i + 1), within(1e-9));
    }

    @Test
    void aSolutionAtTheStartIsFoundAtOnce() {
        Dense a = Dense.diagonal(2, 4);
        Solution<NDArray> found =
                Cg.of(a, NDArray.of(2, 4)).start(NDArray.of(1, 1)).fused().solve();
        assertThat(found.iterations()).isZero();
        assertThat(found.stop()).isEqualTo(Stop.ABSOLUTE_TOLERANCE);
    }

    @Test
    void anIndefiniteOperatorIsAnError() {
        Dense a = Dense.diagonal(1, -1, 2);
        assertThatThrownBy(() -> Cg.of(a, NDArray.of(1, 1, 1)).fused().solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("the operator is not positive definite");
    }

    @Test
    void aStateGoesOnWithTheSameBits() {
        Dense a = Dense.diagonal(1, 2, 3, 4, 5, 6);
        FusedCg<NDArray> cg =
                Cg.of(a, NDArray.of(1, 2, 3, 4, 5, 6.5)).iterations(6).fused();
        Solution<NDArray> whole = cg.solve();
        try (FusedCgIteration<NDArray> part = cg.begin()) {
            part.step();
            part.step();
            Solution<NDArray> resumed = cg.resume(part.state()).run();
            assertThat(resumed.x().toDoubles()).isEqualTo(whole.x().toDoubles());
            assertThat(resumed.history()).isEqualTo(whole.history());
        }
    }

    @Test
    void whoCancelsGetsOneMoreIteration() {
        Dense a = Dense.diagonal(1, 2, 3, 4, 5, 6);
        Solution<NDArray> found = Cg.of(a, NDArray.of(1, 2, 3, 4, 5, 6.5))
                .observe(progress -> progress.iteration() == 2 ? Observer.Verdict.CANCEL : Observer.Verdict.CONTINUE)
                .fused()
                .solve();
        assertThat(found.stop()).isEqualTo(Stop.CANCELLED);
        assertThat(found.iterations()).isEqualTo(3);
    }
}
