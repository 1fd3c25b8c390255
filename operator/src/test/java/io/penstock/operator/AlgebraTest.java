package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.StackedArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class AlgebraTest {
    private static final List<DType> TYPES = List.of(DType.F64, DType.F32, DType.C128, DType.C64);

    private static DenseMatrix matrix(SplittableRandom random, DType type, long n, long k) {
        return DenseMatrix.of(NDArray.random(random.nextLong(), type, n, k));
    }

    private static double tolerance(DType type) {
        return type.real() == DType.F32 ? 1e-5 : 1e-12;
    }

    /** Requires that an operator's matrix is the one that {@code element} computes, and that its adjoint is true. */
    private static void check(
            LinearOperator<?, ?> a, long rows, long columns, BiFunction<Integer, Integer, Complex> element) {
        NDArray dense = a.denseMatrix();
        double tolerance = 50 * tolerance(dense.dtype());
        assertThat(dense.shape()).containsExactly(rows, columns);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                assertThat(dense.getComplex(i, j).minus(element.apply(i, j)).abs())
                        .as("element (%s, %s)", i, j)
                        .isLessThan(tolerance);
        a.dotTest(1, tolerance(dense.dtype()));
        a.adjoint().dotTest(2, tolerance(dense.dtype()));
    }

    private static Complex entry(NDArray a, int i, int j) {
        return a.getComplex(i, j);
    }

    @Test
    void derivedOperatorsHaveTheMatricesOfTheirNames() {
        Seeded.cases(12, random -> {
            DType type = TYPES.get(random.nextInt(TYPES.size()));
            int n = random.nextInt(1, 6);
            int k = random.nextInt(1, 6);
            NDArray ma = NDArray.random(random.nextLong(), type, n, k);
            NDArray mb = NDArray.random(random.nextLong(), type, n, k);
            DenseMatrix a = DenseMatrix.of(ma);
            DenseMatrix b = DenseMatrix.of(mb);
            check(a, n, k, (i, j) -> entry(ma, i, j));
            check(a.adjoint(), k, n, (i, j) -> entry(ma, j, i).conjugate());
            check(a.transpose(), k, n, (i, j) -> entry(ma, j, i));
            check(a.conjugate(), n, k, (i, j) -> entry(ma, i, j).conjugate());
            check(a.plus(b), n, k, (i, j) -> entry(ma, i, j).plus(entry(mb, i, j)));
            check(
                    a.minus(b.scaled(0.5)),
                    n,
                    k,
                    (i, j) -> entry(ma, i, j).minus(entry(mb, i, j).times(0.5)));
            check(a.negate(), n, k, (i, j) -> entry(ma, i, j).negate());
            Complex factor = new Complex(1.5, -0.5);
            check(a.scaled(factor), n, k, (i, j) -> entry(ma, i, j).times(factor));
            check(
                    a.scaled(factor).adjoint(),
                    k,
                    n,
                    (i, j) -> entry(ma, j, i).times(factor).conjugate());
            check(a.times(b.adjoint()), n, n, (i, j) -> {
                Complex sum = Complex.ZERO;
                for (int l = 0; l < k; l++)
                    sum = sum.plus(entry(ma, i, l).times(entry(mb, j, l).conjugate()));
                return sum;
            });
        });
    }

    @Test
    void powersArePowers() {
        NDArray m = NDArray.of(1, 1, 0, 2).reshape(2, 2);
        DenseMatrix a = DenseMatrix.of(m);
        assertThat(a.power(0).denseMatrix().toDoubles()).containsExactly(1, 0, 0, 1);
        assertThat(a.power(1).denseMatrix().toDoubles()).containsExactly(1, 1, 0, 2);
        assertThat(a.power(3).denseMatrix().toDoubles()).containsExactly(1, 7, 0, 8);
        a.power(5).dotTest(3, 1e-12);
        assertThatThrownBy(() -> a.power(-1)).hasMessageContaining("exponent is -1");
        assertThatThrownBy(() -> DenseMatrix.of(NDArray.zeros(DType.F64, 2, 3)).power(2))
                .hasMessageContaining("expected one space");
    }

    @Test
    void powersOfStackedOperatorsArePowers() {
        ArraySpace space = ArraySpace.of(3);
        LinearOperator<NDArray, NDArray> twice =
                LinearOperator.of(space, space, (x, y) -> y.axpby(2, x, 0), (y, x) -> x.axpby(2, y, 0));
        StackedBlockDiagonal a = StackedBlockDiagonal.of(twice, twice.scaled(2));
        StackedArray ones = a.domain().empty();
        ones.fill(1);
        StackedArray y = a.power(3).forward(ones);
        assertThat(y.part(0, NDArray.class).toDoubles()).containsExactly(8, 8, 8);
        assertThat(y.part(1, NDArray.class).toDoubles()).containsExactly(64, 64, 64);
        assertThat(a.power(3).denseMatrix().get(5, 5)).isEqualTo(64);
    }

    @Test
    void imaginaryPartsAreNeverLost() {
        DenseMatrix real = DenseMatrix.of(NDArray.of(2).reshape(1, 1));
        NDArray i = NDArray.zeros(DType.C128, 1, 1);
        i.set(new Complex(3, 4), 0, 0);
        DenseMatrix complex = DenseMatrix.of(i);
        assertThat(real.plus(complex).denseMatrix().getComplex(0, 0)).isEqualTo(new Complex(5, 4));
        assertThat(complex.minus(real).denseMatrix().getComplex(0, 0)).isEqualTo(new Complex(1, 4));
        assertThat(real.times(complex).denseMatrix().getComplex(0, 0)).isEqualTo(new Complex(6, 8));
        assertThat(complex.times(real).denseMatrix().getComplex(0, 0)).isEqualTo(new Complex(6, 8));
        LinearOperator<NDArray, NDArray> turned = real.scaled(new Complex(0, 2));
        assertThat(turned.domain().dtype()).isEqualTo(DType.C128);
        assertThat(turned.denseMatrix().getComplex(0, 0)).isEqualTo(new Complex(0, 4));
        assertThatThrownBy(() -> real.plus(DenseMatrix.of(NDArray.zeros(DType.F32, 1, 1))))
                .hasMessageContaining("one precision");
        ArraySpace whole = ArraySpace.of(DType.I64, 2);
        LinearOperator<NDArray, NDArray> integers =
                LinearOperator.of(whole, whole, (x, y) -> y.assign(x), (y, x) -> x.assign(y));
        assertThatThrownBy(() -> integers.scaled(0.5)).hasMessageContaining("alpha is 0.5");
        assertThat(integers.scaled(3).denseMatrix().toDoubles()).containsExactly(3, 0, 0, 3);
        for (double alpha : new double[] {Double.NaN, Double.POSITIVE_INFINITY})
            assertThatThrownBy(() -> integers.scaled(alpha)).hasMessageContaining("expected a finite number");
        assertThatThrownBy(() -> integers.scaled(0x1p600).scaled(0x1p600)).hasMessageContaining("alpha is Infinity");
    }

    @Test
    void anOperatorOfTwoFunctionsExtendsToComplexVectors() {
        ArraySpace space = ArraySpace.of(DType.F32, 2, 3);
        LinearOperator<NDArray, NDArray> a =
                LinearOperator.of(space, space, (x, y) -> y.axpby(3, x, 0), (y, x) -> x.axpby(3, y, 0));
        LinearOperator<NDArray, NDArray> c = a.complex();
        NDArray x = c.domain().random(4);
        NDArray y = c.forward(x);
        assertThat(y.dtype()).isEqualTo(DType.C64);
        assertThat(y.getComplex(1, 2).im()).isCloseTo(3 * x.getComplex(1, 2).im(), within(1e-6));
        c.dotTest(5, 1e-6);
        a.scaled(Complex.I).dotTest(6, 1e-6);
    }

    @Test
    void spacesMustFit() {
        DenseMatrix a = DenseMatrix.of(NDArray.zeros(DType.F64, 2, 3));
        DenseMatrix b = DenseMatrix.of(NDArray.zeros(DType.F64, 3, 3));
        assertThatThrownBy(() -> a.plus(b))
                .hasMessageContaining("range of the second term")
                .hasMessageContaining("(3,)");
        assertThatThrownBy(() -> a.times(a)).hasMessageContaining("(2,)").hasMessageContaining("(3,)");
        assertThatThrownBy(() -> a.forward(NDArray.zeros(DType.F64, 3, 1))).hasMessageContaining("x lies in");
    }

    @Test
    void aWrongAdjointFailsTheDotTest() {
        ArraySpace space = ArraySpace.of(4);
        LinearOperator<NDArray, NDArray> wrong =
                LinearOperator.of(space, space, (x, y) -> y.axpby(2, x, 0), (y, x) -> x.axpby(3, y, 0));
        assertThat(wrong.dotTest(1).passes(1e-3)).isFalse();
        assertThatThrownBy(() -> wrong.dotTest(1, 1e-3)).hasMessageContaining("dot test");
        LinearOperator<NDArray, NDArray> broken =
                LinearOperator.of(space, space, (x, y) -> y.fill(Double.NaN), (y, x) -> x.fill(Double.NaN));
        assertThatThrownBy(() -> broken.dotTest(1, 1)).hasMessageContaining("NaN");
    }

    @Test
    void workspacesOutliveTheScopesTheyAreUsedIn() {
        LinearOperator<NDArray, NDArray> a = matrix(new SplittableRandom(1), DType.C128, 4, 4);
        LinearOperator<NDArray, NDArray> b =
                a.adjoint().times(a).plus(a.transpose()).power(3);
        NDArray x = b.domain().random(3);
        NDArray first;
        try (Scope scope = Scope.open()) {
            first = scope.keep(b.forward(x));
        }
        try (Scope _ = Scope.open()) {
            NDArray again = b.forward(x);
            again.axpy(-1, first);
            assertThat(again.norm()).isZero();
            assertThat(b.adjoint(x).norm()).isPositive();
        }
        b.close();
        NDArray afterClosing = b.forward(x);
        afterClosing.axpy(-1, first);
        assertThat(afterClosing.norm()).isZero();
    }

    @Test
    void applyingAgainAllocatesNothing() {
        LinearOperator<NDArray, NDArray> a = matrix(new SplittableRandom(1), DType.F64, 4, 4);
        LinearOperator<NDArray, NDArray> b =
                a.adjoint().times(a).plus(a.scaled(Complex.I)).power(3);
        NDArray x = b.domain().random(3);
        NDArray y = b.range().empty();
        b.forward(x, y);
        b.adjoint(y, x);
        long before = Device.jvm().memoryUse().buffers();
        b.forward(x, y);
        b.adjoint(y, x);
        assertThat(Device.jvm().memoryUse().buffers()).isEqualTo(before);
    }

    @Test
    void argumentAndResultMayBeOneVector() {
        LinearOperator<NDArray, NDArray> a = matrix(new SplittableRandom(7), DType.F64, 5, 5);
        NDArray x = a.domain().random(3);
        NDArray expected = a.forward(x);
        a.forward(x, x);
        assertThat(x.toDoubles()).containsExactly(expected.toDoubles());
        expected = a.adjoint(x);
        a.adjoint(x, x);
        assertThat(x.toDoubles()).containsExactly(expected.toDoubles());
    }
}
