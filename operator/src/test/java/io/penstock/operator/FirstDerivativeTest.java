package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirstDerivativeTest {
    private static double[] values(int n, IntToDoubleFunction f) {
        return IntStream.range(0, n).mapToDouble(f).toArray();
    }

    private static double[] forward(FirstDerivative d, double... x) {
        return d.on(ArraySpace.of(x.length)).forward(NDArray.of(x)).toDoubles();
    }

    private static double[] adjoint(FirstDerivative d, double... y) {
        return d.on(ArraySpace.of(y.length)).adjoint(NDArray.of(y)).toDoubles();
    }

    @Test
    void differencesOfSquaresAreExact() {
        double[] squares = values(23, i -> i * i);
        FirstDerivative d = FirstDerivative.along(0).sampling(0.5);
        assertThat(forward(d, squares)).containsExactly(values(23, i -> i == 0 || i == 22 ? 0 : 4 * i));
        assertThat(forward(d.edge(true), squares))
                .containsExactly(values(23, i -> i == 0 ? 2 : i == 22 ? 2 * (2 * 23 - 3) : 4 * i));
        assertThat(forward(d.kind(Difference.FORWARD), squares))
                .containsExactly(values(23, i -> i == 22 ? 0 : 2 * (2 * i + 1)));
        assertThat(forward(d.kind(Difference.BACKWARD), squares))
                .containsExactly(values(23, i -> i == 0 ? 0 : 2 * (2 * i - 1)));
    }

    @Test
    void fivePointsAreExactForCubes() {
        int n = 14;
        double[] y = forward(FirstDerivative.along(0).points(5).edge(true), values(n, i -> i * i * i));
        double[] expected = values(n, i -> 3 * i * i);
        expected[0] = 1;
        expected[1] = 4;
        expected[n - 2] += 1;
        expected[n - 1] = Math.pow(n - 1, 3) - Math.pow(n - 2, 3);
        for (int i = 0; i < n; i++) assertThat(y[i]).isCloseTo(expected[i], org.assertj.core.data.Offset.offset(1e-10));
    }

    @Test
    void theAdjointOfOnesShowsTheEnds() {
        double[] ones = values(9, i -> 1);
        assertThat(adjoint(FirstDerivative.along(0), ones)).containsExactly(-0.5, -0.5, 0, 0, 0, 0, 0, 0.5, 0.5);
        assertThat(adjoint(FirstDerivative.along(0).edge(true), ones))
                .containsExactly(-1.5, 0.5, 0, 0, 0, 0, 0, -0.5, 1.5);
    }

    @Test
    void anAxisShorterThanTheFormulaGivesZeros() {
        assertThat(forward(FirstDerivative.along(0), 3, 5)).containsExactly(0, 0);
        assertThat(forward(FirstDerivative.along(0).points(5).edge(true), 3, 5)).containsExactly(2, 2);
        assertThat(forward(FirstDerivative.along(0).kind(Difference.FORWARD), 7))
                .containsExactly(0);
        assertThat(forward(FirstDerivative.along(0).edge(true))).isEmpty();
    }

    @Test
    void badParametersAreNamed() {
        assertThatThrownBy(() -> FirstDerivative.along(0).points(4)).hasMessage("points is 4; expected 3 or 5");
        assertThatThrownBy(() -> FirstDerivative.along(0).sampling(0))
                .hasMessage("sampling is 0.0; expected a finite number other than 0");
        assertThatThrownBy(() -> FirstDerivative.of(ArraySpace.of(3, 4), 2))
                .hasMessage("axis is 2; expected -2 to 1 for arrays of 2 dimensions");
        assertThatThrownBy(() -> FirstDerivative.of(ArraySpace.of(DType.I32, 3), 0))
                .hasMessageContaining("the elements are I32; expected a floating-point type");
    }
}
