package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import org.junit.jupiter.api.Test;

class PowerIterationTest {
    @Test
    void findsTheLargestOfADiagonal() {
        Eigenpair<NDArray> found = PowerIteration.of(Dense.diagonal(1, 2, 3, 4, 5))
                .iterations(500)
                .relativeTolerance(1e-14)
                .solve();
        assertThat(found.value().value()).isCloseTo(5, within(1e-10));
        assertThat(Math.abs(found.vector().get(4))).isCloseTo(1, within(1e-6));
        assertThat(found.stop()).isEqualTo(Stop.RELATIVE_TOLERANCE);
    }

    @Test
    void keepsTheSignAndTheSeedDecides() {
        PowerIteration<NDArray> power =
                PowerIteration.of(Dense.diagonal(-7, 2, 3)).iterations(5).relativeTolerance(0);
        assertThat(power.iterations(300).solve().value().value()).isCloseTo(-7, within(1e-12));
        double[] one = power.seed(1).solve().vector().toDoubles();
        assertThat(power.seed(1).solve().vector().toDoubles()).isEqualTo(one);
        assertThat(power.seed(2).solve().vector().toDoubles()).isNotEqualTo(one);
    }

    @Test
    void zeroHasTheEigenvalueZero() {
        Eigenpair<NDArray> found = PowerIteration.of(Dense.diagonal(0, 0)).solve();
        assertThat(found.value().value()).isZero();
        assertThat(found.iterations()).isEqualTo(1);
        assertThat(found.vector().norm()).isCloseTo(1, within(1e-15));
    }

    @Test
    void nanIsAnError() {
        assertThatThrownBy(
                        () -> PowerIteration.of(Dense.diagonal(1, Double.NaN)).solve())
                .isInstanceOf(SolverException.class)
                .hasMessageContaining("iteration 1: |A b|^2 is NaN");
        Dense wide = Dense.of(NDArray.zeros(DType.F64, 2, 3));
        assertThatThrownBy(() -> PowerIteration.of(wide)).hasMessageContaining("expected one space");
    }
}
