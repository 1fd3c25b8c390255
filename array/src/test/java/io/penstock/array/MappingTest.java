package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions of one's own on arrays of the JVM; {@link DeviceArrays} has those on devices. */
class MappingTest {
    private static final List<Double> TABLE = List.of(3.0, 5.0);

    @Test
    void mapsAgreeWithTheDefinition() {
        Seeded.cases(40, random -> {
            long[] shape = Cases.shape(random, 4, 5);
            DType first = Cases.type(random);
            DType second = Cases.type(random);
            NDArray a = Cases.view(random, first, shape);
            NDArray b = Cases.view(random, second, shape);
            double factor = random.nextInt(5);
            DType promoted = Promotion.of(a, b);
            if (promoted.isComplex()) {
                NDArray got = NDArray.mapComplex((p, q) -> p.times(factor).plus(q), a, b);
                assertThat(got.dtype()).isEqualTo(promoted.complex());
                assertThat(got.as(DType.C128)
                                .allClose(a.as(DType.C128).multiply(factor).add(b.as(DType.C128)), 1e-5, 1e-5))
                        .isTrue();
                return;
            }
            NDArray got = NDArray.map((p, q) -> p * factor + q, a, b);
            assertThat(got.dtype()).isEqualTo(promoted.isInteger() ? DType.F64 : promoted);
            assertThat(got.allClose(a.as(DType.F64).multiply(factor).add(b.as(DType.F64)), 1e-5, 1e-5))
                    .isTrue();
        });
    }

    /** What is remembered of a map is neither what its lambda captured nor where its arrays lay. */
    @Test
    void mapsAreMadeAgainOfOtherNumbersElsewhere() {
        NDArray table = NDArray.random(1, DType.F32, 9, 2, 3, 2, 40).flip(3);
        for (int row = 0; row < 9; row++)
            for (double factor = 1; factor < 4; factor++) {
                double captured = factor;
                NDArray a = table.at(0, row);
                NDArray b = table.at(0, 8 - row);
                assertThat(NDArray.map((p, q) -> captured * p - q, a, b).toDoubles())
                        .containsExactly(a.as(DType.F64)
                                .multiply(factor)
                                .subtract(b.as(DType.F64))
                                .as(DType.F32)
                                .toDoubles());
                assertThat(NDArray.map((p, q) -> p + q, a, b).toDoubles())
                        .containsExactly(a.add(b).toDoubles());
            }
    }

    @Test
    void combinationsAgreeWithTheDefinition() {
        Seeded.cases(20, random -> {
            NDArray a = Cases.view(
                    random, DType.F64, 1 + random.nextInt(9), 1 + random.nextInt(300), 1 + random.nextInt(4));
            int axis = random.nextInt(3);
            assertThat(a.reduce(Double::sum, 0, axis).allClose(a.sum(axis), 1e-12, 1e-12))
                    .isTrue();
            assertThat(NDArray.mapReduce(p -> p * p, Double::sum, 0, a).get())
                    .isCloseTo(a.dot(a).value(), org.assertj.core.data.Percentage.withPercentage(1e-9));
            assertThat(NDArray.mapReduce((p, q) -> p * q, Double::sum, 0, a, a, 0, 1)
                            .allClose(a.multiply(a).sum(0, 1), 1e-12, 1e-12))
                    .isTrue();
            assertThat(a.scan(Double::sum, 0, axis).allClose(a.cumulativeSum(axis), 1e-12, 1e-12))
                    .isTrue();
            NDArray greatest = a.cumulativeMax(axis);
            NDArray least = a.cumulativeMin(axis);
            NDArray product = a.cumulativeProduct(axis);
            NDArray p = a.at(axis, 0).copy();
            for (long i = 0; i < a.dim(axis); i++) {
                NDArray soFar = a.slice(axis, 0, i + 1);
                assertThat(greatest.at(axis, i).allClose(soFar.max(axis), 0, 0)).isTrue();
                assertThat(least.at(axis, i).allClose(soFar.min(axis), 0, 0)).isTrue();
                if (i > 0) p.multiplyInPlace(a.at(axis, i));
                assertThat(product.at(axis, i).allClose(p, 1e-9, 1e-300)).isTrue();
            }
        });
        assertThat(NDArray.zeros(DType.F32, 0, 3).reduce(Double::sum, 7, 0).toFloats())
                .containsExactly(7, 7, 7);
    }

    @Test
    void whatIsNoKernelRunsOnTheJvm() {
        NDArray x = NDArray.ofInts(0, 1, 1);
        assertThat(NDArray.map(p -> TABLE.get((int) p), x).toDoubles()).containsExactly(3, 5, 5);
        assertThat(NDArray.map(Math::hypot, NDArray.of(3), NDArray.of(4)).get(0))
                .isEqualTo(5);
    }

    @Test
    void wrongUseIsNamed() {
        NDArray complex = NDArray.ofComplex(1, 2);
        assertThatThrownBy(() -> NDArray.map(p -> p, complex)).hasMessageContaining("use mapComplex");
        assertThatThrownBy(() -> NDArray.mapLongs(p -> p, NDArray.of(1)))
                .hasMessageContaining("expected whole numbers");
        assertThatThrownBy(() -> NDArray.map((p, q) -> p, NDArray.of(1, 2), NDArray.of(1, 2, 3)))
                .hasMessageContaining("do not broadcast");
        NDArray captured = NDArray.of(1);
        assertThatThrownBy(() -> NDArray.map(p -> p + captured.get(0), captured))
                .hasMessageContaining("expected numbers only");
    }
}
