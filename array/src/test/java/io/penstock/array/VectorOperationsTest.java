package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.testing.Seeded;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vector operations on views of all kinds, against plain loops over single elements. */
class VectorOperationsTest {
    private static final DType[] TYPES = {DType.F32, DType.F64, DType.C64, DType.C128};

    @Test
    void combinationsMatchSingleElements() {
        Seeded.cases(300, random -> {
            DType dtype = TYPES[random.nextInt(4)];
            long[] shape = Cases.shape(random, 4, 6);
            NDArray x = Cases.view(random, dtype, shape);
            NDArray y = Cases.view(random, dtype, shape);
            double alpha = random.nextInt(4) == 0 ? 1 : random.nextDouble(-2, 2);
            double beta = random.nextInt(3) == 0 ? random.nextInt(2) : random.nextDouble(-2, 2);
            Complex factor = new Complex(alpha, dtype.isComplex() ? beta : 0);
            List<Complex> a = Cases.elements(x);
            List<Complex> b = Cases.elements(y);
            switch (random.nextInt(6)) {
                case 0 -> {
                    y.axpby(alpha, x, beta);
                    expect(y, a, b, (p, q) -> p.times(alpha).plus(q.times(beta)));
                }
                case 1 -> {
                    y.axpy(factor, x);
                    expect(y, a, b, (p, q) -> p.times(factor).plus(q));
                }
                case 2 -> {
                    y.scale(factor);
                    expect(y, a, b, (p, q) -> q.times(factor));
                }
                case 3 -> {
                    y.assign(x);
                    expect(y, a, b, (p, q) -> p);
                }
                case 4 -> {
                    y.conjugate();
                    expect(y, a, b, (p, q) -> q.conjugate());
                }
                default -> {
                    y.fill(alpha);
                    expect(y, a, b, (p, q) -> Complex.of(dtype.real() == DType.F32 ? (float) alpha : alpha));
                }
            }
            assertThat(Cases.elements(x)).as("x is only read").isEqualTo(a);
        });
    }

    private interface Expected {
        Complex of(Complex x, Complex y);
    }

    private static void expect(NDArray y, List<Complex> a, List<Complex> b, Expected expected) {
        double tolerance = y.dtype().real() == DType.F32 ? 1e-5 : 1e-13;
        List<Complex> got = Cases.elements(y);
        for (int i = 0; i < got.size(); i++)
            assertThat(got.get(i).minus(expected.of(a.get(i), b.get(i))).abs()).isLessThan(tolerance);
    }

    @Test
    void innerProductsMatchSingleElements() {
        Seeded.cases(200, random -> {
            DType dtype = TYPES[random.nextInt(4)];
            long[] shape = Cases.shape(random, 4, 6);
            NDArray x = Cases.view(random, dtype, shape);
            NDArray y = random.nextInt(4) == 0 ? x : Cases.view(random, dtype, shape);
            List<Complex> a = Cases.elements(x);
            List<Complex> b = Cases.elements(y);
            Complex sum = Complex.ZERO;
            for (int i = 0; i < a.size(); i++)
                sum = sum.plus(a.get(i).conjugate().times(b.get(i)));
            double tolerance = (dtype.real() == DType.F32 ? 1e-6 : 1e-14) * (10 + a.size());
            assertThat(x.dot(y).complex().minus(sum).abs()).isLessThan(tolerance);
            assertThat(x.norm())
                    .isCloseTo(
                            Math.sqrt(a.stream()
                                    .mapToDouble(z -> z.abs() * z.abs())
                                    .sum()),
                            within(tolerance));
        });
    }

    @Test
    void longVectorsAreSplitWithoutChangingAnElement() {
        long n = 300_001;
        NDArray x = NDArray.random(1, DType.F64, n);
        NDArray y = NDArray.random(2, DType.F64, n);
        NDArray z = y.copy();
        z.axpby(0.5, x, -2);
        double dot = 0;
        for (long i = 0; i < n; i++) {
            assertThat(z.get(i)).isEqualTo(0.5 * x.get(i) + -2 * y.get(i));
            dot += x.get(i) * y.get(i);
        }
        assertThat(x.dot(y).value())
                .isCloseTo(dot, within(1e-8))
                .isEqualTo(x.dot(y).value());
    }

    @Test
    void aZeroBetaForgetsWhatWasThere() {
        for (DType dtype : TYPES) {
            NDArray y = NDArray.full(Double.NaN, dtype, 5, 2);
            NDArray x = NDArray.full(3, dtype, 5, 2);
            y.axpby(2, x, 0);
            assertThat(y.toDoubles()).containsOnly(6);
            y.fill(Double.NaN);
            y.transpose().axpby(2, x.transpose(), 0);
            assertThat(y.toDoubles()).containsOnly(6);
        }
    }

    @Test
    void spacesMustMatch() {
        NDArray x = NDArray.zeros(DType.F64, 2, 3);
        assertThatThrownBy(() -> x.axpy(1, NDArray.zeros(DType.F64, 3, 2)))
                .hasMessage(
                        "x lies in arrays of shape (3, 2) and type F64; expected arrays of shape (2, 3) and type F64");
        assertThatThrownBy(() -> x.scale(Complex.I)).hasMessageContaining("alpha is 0.0+1.0i; expected a real number");
    }

    @Test
    void overlapIsOfRangesNotOfAllocations() {
        NDArray x = NDArray.zeros(DType.F32, 10, 4);
        assertThat(x.slice(0, 0, 5).overlaps(x.slice(0, 5, 10))).isFalse();
        assertThat(x.slice(0, 0, 6).overlaps(x.slice(0, 5, 10))).isTrue();
        assertThat(x.overlaps(NDArray.zeros(DType.F32, 10, 4))).isFalse();
        assertThat(x.overlaps(x.slice(1, 2, 2))).isFalse();
    }
}
