package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.testing.RankCounts;
import org.junit.jupiter.api.Test;

/** Derivatives of polynomials, for which the quotients are exact, on 1 to 16 ranks. */
class DerivativesTest {
    private interface Formula {
        double at(long i, long j);
    }

    private interface Body {
        void run(Communicator ranks, int cut);
    }

    private static void onAnyRanks(Body body) {
        for (int size : RankCounts.upTo(16))
            for (int axis = 0; axis < 2; axis++) {
                int cut = axis;
                Ranks.run(size, ranks -> body.run(ranks, cut));
            }
    }

    /** The array whose elements a formula gives. */
    private static DistributedArray array(DistributedSpace space, Formula formula) {
        DistributedArray x = space.empty();
        long[] start = new long[2];
        start[space.layout().axis()] = space.layout().start(space.ranks().rank());
        for (long i = 0; i < x.local().dim(0); i++)
            for (long j = 0; j < x.local().dim(1); j++) x.local().set(formula.at(start[0] + i, start[1] + j), i, j);
        return x;
    }

    private static void assertIs(DistributedArray got, Formula formula) {
        DistributedArray expected = array(got.space(), formula);
        assertThat(got.local().toDoubles()).containsExactly(expected.local().toDoubles());
    }

    @Test
    void secondDerivativesOfCubesAreExact() {
        long n = 19;
        onAnyRanks((ranks, cut) -> {
            DistributedSpace space = DistributedSpace.split(ranks, cut, n, 3);
            DistributedArray cubes = array(space, (i, j) -> i * i * i);
            SecondDerivative d = SecondDerivative.along(0);
            assertIs(d.on(space).forward(cubes), (i, j) -> i == 0 || i == n - 1 ? 0 : 6 * i);
            assertIs(d.edge(true).on(space).forward(cubes), (i, j) -> i == 0 ? 6 : i == n - 1 ? 6 * (n - 2) : 6 * i);
            assertIs(d.kind(Difference.FORWARD).on(space).forward(cubes), (i, j) -> i >= n - 2 ? 0 : 6 * (i + 1));
            assertIs(d.kind(Difference.BACKWARD).on(space).forward(cubes), (i, j) -> i < 2 ? 0 : 6 * (i - 1));
            assertIs(d.sampling(0.5).on(space).forward(cubes), (i, j) -> i == 0 || i == n - 1 ? 0 : 24 * i);
        });
    }

    @Test
    void theLaplacianOfAParaboloid() {
        onAnyRanks((ranks, cut) -> {
            DistributedSpace space = DistributedSpace.split(ranks, cut, 12, 7);
            DistributedArray x = array(space, (i, j) -> i * i + 3 * j * j);
            assertIs(
                    Laplacian.of(space).forward(x), (i, j) -> (i == 0 || i == 11 ? 0 : 2) + (j == 0 || j == 6 ? 0 : 6));
            assertIs(
                    Laplacian.along(1, 0)
                            .weights(2, 3)
                            .sampling(1, 0.5)
                            .edge(true)
                            .on(space)
                            .forward(x),
                    (i, j) -> 2 * 6 + 3 * 2 * 4);
        });
    }

    @Test
    void theGradientOfAPlane() {
        onAnyRanks((ranks, cut) -> {
            DistributedSpace space = DistributedSpace.split(ranks, cut, 11, 8);
            LinearOperator<DistributedArray, StackedArray> gradient =
                    Gradient.sampled(1).kind(Difference.FORWARD).on(space);
            StackedArray y = gradient.forward(array(space, (i, j) -> 2 * i + 5 * j));
            assertIs(y.part(0, DistributedArray.class), (i, j) -> i == 10 ? 0 : 2);
            assertIs(y.part(1, DistributedArray.class), (i, j) -> j == 7 ? 0 : 5);
            y.fill(1);
            assertIs(gradient.adjoint(y), (i, j) -> (i == 0 ? -1 : i == 10 ? 1 : 0) + (j == 0 ? -1 : j == 7 ? 1 : 0));
        });
    }

    @Test
    void theGradientIntoOneArrayHoldsTheSameParts() {
        ArraySpace space = ArraySpace.of(5, 1, 6);
        NDArray x = space.random(4);
        Gradient gradient = Gradient.sampled(1, 2, 3).edge(true);
        StackedArray parts = gradient.on(space).forward(x);
        NDArray whole = gradient.intoOneArray(space).forward(x);
        assertThat(whole.shape()).containsExactly(3, 5, 1, 6);
        for (int k = 0; k < 3; k++)
            assertThat(whole.slice(0, k, k + 1).toDoubles())
                    .containsExactly(parts.part(k, NDArray.class).toDoubles());
        NDArray back = gradient.intoOneArray(space).adjoint(whole);
        back.axpy(-1, gradient.on(space).adjoint(parts));
        assertThat(back.norm()).isLessThan(1e-13);
    }

    @Test
    void aLaplacianSendsTheRowsBesideEachCutAndNothingElse() {
        Ranks.run(4, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, 40, 9);
            DistributedArray x = space.random(1);
            long neighbours = ranks.rank() % 3 == 0 ? 1 : 2;
            for (boolean edge : new boolean[] {false, true}) {
                LinearOperator<DistributedArray, DistributedArray> laplacian =
                        Laplacian.along(0, 1).edge(edge).on(space);
                Traffic before = ranks.traffic();
                laplacian.forward(x);
                laplacian.adjoint(x);
                assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(2 * neighbours, 2 * neighbours * 72));
            }
            Traffic before = ranks.traffic();
            Gradient.of(space).forward(x);
            assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(neighbours, neighbours * 72));
        });
    }

    @Test
    void badParametersAreNamed() {
        assertThatThrownBy(() -> Laplacian.along(0, 1).weights(1))
                .hasMessage("weights is [1.0] and sampling [1.0, 1.0]; expected one entry for each of the axes [0, 1]");
        assertThatThrownBy(() -> Laplacian.along(0, -2).on(ArraySpace.of(3, 4)))
                .hasMessage("axes is [0, -2]; expected each axis once");
        assertThatThrownBy(() -> Laplacian.along()).hasMessage("axes is empty; expected one axis or more");
        assertThatThrownBy(() -> Gradient.sampled(1, 2).on(ArraySpace.of(3, 4, 5)))
                .hasMessage("sampling is [1.0, 2.0]; expected one entry or 3, one for each axis");
        assertThatThrownBy(() -> SecondDerivative.along(0).sampling(Double.NaN))
                .hasMessage("sampling is NaN; expected a finite number other than 0");
    }
}
