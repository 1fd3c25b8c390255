package io.penstock.array;

import static io.penstock.array.DType.C128;
import static io.penstock.array.DType.C64;
import static io.penstock.array.DType.F32;
import static io.penstock.array.DType.F64;
import static io.penstock.array.DType.I32;
import static io.penstock.array.DType.I64;
import static io.penstock.array.DType.U8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ArithmeticTest {
    private static final List<DType> TYPES = List.of(U8, I32, I64, F32, F64, C64, C128);

    /** NumPy's result_type of two arrays, rows and columns in the order of the enum. */
    private static final DType[][] PROMOTED = {
        {U8, I32, I64, F32, F64, C64, C128},
        {I32, I32, I64, F64, F64, C128, C128},
        {I64, I64, I64, F64, F64, C128, C128},
        {F32, F64, F64, F32, F64, C64, C128},
        {F64, F64, F64, F64, F64, C128, C128},
        {C64, C128, C128, C64, C128, C64, C128},
        {C128, C128, C128, C128, C128, C128, C128}
    };

    /** NumPy's type of an array combined with a Python int, float and complex number. */
    private static final DType[][] WEAK = {
        {U8, F64, C128},
        {I32, F64, C128},
        {I64, F64, C128},
        {F32, F32, C64},
        {F64, F64, C128},
        {C64, C64, C64},
        {C128, C128, C128}
    };

    @Test
    void typesPromoteAsInNumPy() {
        for (DType a : TYPES) {
            NDArray x = NDArray.full(1, a, 2);
            for (DType b : TYPES)
                assertThat(x.add(NDArray.full(1, b, 2)).dtype())
                        .as("%s + %s", a, b)
                        .isEqualTo(PROMOTED[TYPES.indexOf(a)][TYPES.indexOf(b)]);
            DType[] weak = WEAK[TYPES.indexOf(a)];
            assertThat(x.add(1).dtype()).isEqualTo(weak[0]);
            assertThat(x.add(1.5).dtype()).isEqualTo(weak[1]);
            assertThat(x.add(Complex.I).dtype()).isEqualTo(weak[2]);
            assertThat(x.add(NDArray.full(1, I64)).dtype())
                    .as("a 0-d array is weak")
                    .isEqualTo(weak[0]);
            assertThat(NDArray.full(1, F64).add(x).dtype()).isEqualTo(weak[1]);
            assertThat(x.add(NDArray.full(1, C128)).dtype()).isEqualTo(weak[2]);
            assertThat(x.divide(x).dtype()).isEqualTo(a.isInteger() ? F64 : a);
            assertThat(x.equal(x).dtype()).isEqualTo(U8);
        }
        assertThat(NDArray.full(1, F32).add(NDArray.full(1, F64)).dtype()).isEqualTo(F64);
        assertThat(NDArray.full(1, F32).add(2.5).dtype()).isEqualTo(F32);
    }

    @Test
    void weakWholeNumbersMustFit() {
        assertThatThrownBy(() -> NDArray.zeros(U8, 2).add(300))
                .hasMessage("the number 300 does not fit U8; convert the array with as(DType.I64) first");
        assertThat(NDArray.full(200, U8, 2).less(300).toInts()).containsExactly(1, 1);
        assertThat(NDArray.full(200, U8, 1).add(NDArray.full(100, U8, 1)).toInts())
                .containsExactly(44);
        assertThat(NDArray.full(2_000_000_000, I32, 1).multiply(2).toInts()).containsExactly(-294967296);
    }

    private interface Op {
        NDArray run(NDArray x, NDArray y);
    }

    private static final List<Op> OPS = List.of(
            NDArray::add, NDArray::subtract, NDArray::multiply, NDArray::divide, NDArray::equal, NDArray::notEqual);
    private static final List<BinaryOperator<Complex>> EXPECTED = List.of(
            Complex::plus,
            Complex::minus,
            Complex::times,
            Complex::over,
            (a, b) -> yes(a.re() == b.re() && a.im() == b.im()),
            (a, b) -> yes(a.re() != b.re() || a.im() != b.im()));
    private static final List<Op> ORDERED = List.of(
            NDArray::minimum,
            NDArray::maximum,
            NDArray::less,
            NDArray::lessEqual,
            NDArray::greater,
            NDArray::greaterEqual);
    private static final List<BinaryOperator<Complex>> EXPECTED_ORDERED = List.of(
            (a, b) -> Complex.of(Math.min(a.re(), b.re())),
            (a, b) -> Complex.of(Math.max(a.re(), b.re())),
            (a, b) -> yes(a.re() < b.re()),
            (a, b) -> yes(a.re() <= b.re()),
            (a, b) -> yes(a.re() > b.re()),
            (a, b) -> yes(a.re() >= b.re()));

    private static Complex yes(boolean test) {
        return Complex.of(test ? 1 : 0);
    }

    @Test
    void operationsOnAllTypesStridesAndBroadcastsMatchSingleElements() {
        Seeded.cases(600, random -> {
            long[] shape = Cases.shape(random, 3, 5);
            NDArray x = Cases.small(random, Cases.type(random), Cases.broadcastable(random, shape));
            NDArray y = Cases.small(random, Cases.type(random), Cases.broadcastable(random, shape));
            boolean ordered =
                    random.nextBoolean() && !x.dtype().isComplex() && !y.dtype().isComplex();
            int op = random.nextInt(6);
            NDArray z = (ordered ? ORDERED : OPS).get(op).run(x, y);
            BinaryOperator<Complex> expected = (ordered ? EXPECTED_ORDERED : EXPECTED).get(op);
            long[] common = Shapes.broadcast(x.shape(), y.shape());
            assertThat(z.shape()).isEqualTo(common);
            List<Complex> a = Cases.elements(x.broadcastTo(common));
            List<Complex> b = Cases.elements(y.broadcastTo(common));
            List<Complex> c = Cases.elements(z);
            for (int i = 0; i < c.size(); i++) {
                Complex e = expected.apply(a.get(i), b.get(i));
                if (z.dtype() == U8 && !ordered && op < 3) e = Complex.of((int) e.re() & 0xff);
                if (op == 3 && !ordered && b.get(i).abs() == 0) continue;
                assertThat(c.get(i).minus(e).abs())
                        .as("operation %d on %s and %s at %d", op, x.dtype(), y.dtype(), i)
                        .isLessThanOrEqualTo(1e-6 * (1 + e.abs()));
            }
        });
    }

    @Test
    void functionsMatchSingleElements() {
        List<UnaryOperator<NDArray>> functions = List.of(
                NDArray::negate,
                NDArray::abs,
                NDArray::sqrt,
                NDArray::exp,
                NDArray::log,
                NDArray::sin,
                NDArray::cos,
                NDArray::tanh,
                NDArray::sign,
                NDArray::floor,
                NDArray::ceil,
                NDArray::round);
        List<UnaryOperator<Double>> expected = List.of(
                a -> -a,
                Math::abs,
                Math::sqrt,
                Math::exp,
                Math::log,
                Math::sin,
                Math::cos,
                Math::tanh,
                Math::signum,
                Math::floor,
                Math::ceil,
                Math::rint);
        Seeded.cases(200, random -> {
            DType dtype = new DType[] {I32, I64, F32, F64}[random.nextInt(4)];
            NDArray x = Cases.small(random, dtype, Cases.shape(random, 3, 5));
            int f = random.nextInt(functions.size());
            NDArray y = functions.get(f).apply(x);
            List<Complex> a = Cases.elements(x);
            List<Complex> b = Cases.elements(y);
            for (int i = 0; i < a.size(); i++) {
                double e = expected.get(f).apply(a.get(i).re());
                double rounded = dtype == F32 ? (float) e : e;
                assertThat(b.get(i).re()).as("function %d", f).isEqualTo(dtype.isInteger() ? rounded + 0.0 : rounded);
            }
        });
    }

    @Test
    void complexFunctionsInvertEachOther() {
        NDArray z = NDArray.random(5, C128, 50);
        assertThat(z.log().exp().allClose(z, 1e-13, 1e-14)).isTrue();
        assertThat(z.sqrt().multiply(z.sqrt()).allClose(z, 1e-13, 1e-14)).isTrue();
        assertThat(z.sqrt().real().min().get()).isGreaterThanOrEqualTo(0);
        NDArray one = z.sin().power(2).add(z.cos().multiply(z.cos()));
        assertThat(one.allClose(NDArray.full(1, C128, 50), 1e-11, 1e-11)).isTrue();
        NDArray e = z.exp();
        NDArray tanh = e.subtract(e.power(-1)).divide(e.add(e.power(-1)));
        assertThat(z.tanh().allClose(tanh, 1e-10, 1e-10)).isTrue();
        assertThat(z.power(0.5).allClose(z.sqrt(), 1e-13, 1e-14)).isTrue();
        assertThat(z.abs().multiply(z.sign()).allClose(z, 1e-13, 1e-14)).isTrue();
        assertThat(z.abs().dtype()).isEqualTo(F64);
    }

    @Test
    void operationsInPlaceKeepTheType() {
        NDArray x = NDArray.ofFloats(1, 2, 3);
        x.addInPlace(NDArray.of(0.5, 0.5, 0.5));
        x.multiplyInPlace(2);
        x.subtractInPlace(NDArray.of(1));
        x.divideInPlace(2);
        assertThat(x.dtype()).isEqualTo(F32);
        assertThat(x.toDoubles()).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> NDArray.arange(3).divideInPlace(2))
                .hasMessage(
                        "the result is of type F64, which an array of I64 cannot hold; use the form that gives a new array");
    }

    @Test
    void operandsThatShareMemoryAreReadBeforeTheyAreWritten() {
        NDArray a = NDArray.arange(0, 1000, 1);
        NDArray reversed = a.flip(0);
        a.assign(reversed);
        assertThat(a.get(0)).isEqualTo(999);
        assertThat(a.get(999)).isEqualTo(0);
        NDArray b = NDArray.arange(0, 5000, 1);
        b.slice(0, 1, 5000).addInPlace(b.slice(0, 0, 4999));
        for (int i = 1; i < 5000; i++) assertThat(b.get(i)).isEqualTo(2 * i - 1);
        NDArray c = NDArray.arange(0, 3000, 1);
        c.slice(0, 1, 3000).axpy(1, c.slice(0, 0, 2999));
        assertThat(c.get(2999)).isEqualTo(2 * 2999 - 1);
    }

    @Test
    void remaindersHaveTheSignOfTheDivisor() {
        assertThat(NDArray.of(7, -7, 7, -7, 6)
                        .remainder(NDArray.of(3, 3, -3, -3, 3))
                        .toDoubles())
                .containsExactly(1, 2, -2, -1, 0);
        assertThat(NDArray.ofInts(7, -7, 7, -7)
                        .remainder(NDArray.ofInts(3, 3, -3, -3))
                        .toInts())
                .containsExactly(1, 2, -2, -1);
    }

    @Test
    void wholeNumbersHaveNoRemainderByZero() {
        for (DType dtype : List.of(U8, I32, I64))
            assertThatThrownBy(() -> NDArray.full(7, dtype, 3).remainder(NDArray.zeros(dtype, 3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("divisor is 0");
        assertThat(NDArray.of(7).remainder(0.0).get(0)).isNaN();
    }

    @Test
    void quotientsOfWholeNumbersTakeAnyWholeNumber() {
        assertThat(NDArray.full(3, U8, 1).divide(300).get(0)).isEqualTo(0.01);
        assertThat(NDArray.full(3, U8, 1).divide(NDArray.full(-300, I64)).get(0))
                .isEqualTo(-0.01);
    }

    @Test
    void powersOfOneAreOne() {
        double[] exponents = {0, 2.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (DType dtype : List.of(F32, F64)) {
            NDArray ones = NDArray.full(1, dtype, exponents.length);
            assertThat(ones.power(NDArray.of(exponents)).toDoubles()).containsOnly(1);
            assertThat(NDArray.full(-1, dtype, 1)
                            .power(Double.NEGATIVE_INFINITY)
                            .get(0))
                    .isEqualTo(1);
        }
    }

    @Test
    void closenessIsThatOfNumbersWhateverTheType() {
        NDArray one = NDArray.full(1, U8, 1);
        NDArray two = NDArray.full(2, U8, 1);
        assertThat(one.allClose(two, 0, 1)).isTrue();
        assertThat(one.allClose(two, 0, 0.5)).isFalse();
        assertThat(NDArray.ofInts(Integer.MIN_VALUE).allClose(NDArray.ofInts(Integer.MAX_VALUE), 0, 1))
                .isFalse();
        NDArray least = NDArray.ofLongs(Long.MIN_VALUE);
        assertThat(least.allClose(NDArray.ofLongs(Long.MAX_VALUE), 0, 1)).isFalse();
        assertThat(least.allClose(NDArray.ofLongs(Long.MIN_VALUE + 1), 0, 0)).isFalse();
        assertThat(least.allClose(NDArray.ofLongs(0), 0, 1e18)).isFalse();
        assertThat(NDArray.of(1).allClose(NDArray.ofComplex(1, 1e-9), 0, 1e-8)).isTrue();
        assertThat(NDArray.of(1).allClose(NDArray.ofComplex(1, 1), 0, 0.5)).isFalse();
        assertThat(NDArray.zeros(F64, 2, 0).allClose(NDArray.zeros(F64, 2, 0), 0, 0))
                .isTrue();
    }

    @Test
    void infinityIsCloseToItselfOnlyAndNotANumberToNothing() {
        NDArray infinite = NDArray.of(Double.POSITIVE_INFINITY);
        assertThat(infinite.allClose(infinite.copy(), 0, 0)).isTrue();
        assertThat(NDArray.of(1).allClose(infinite, 1e-5, 1e-8)).isFalse();
        assertThat(infinite.allClose(NDArray.of(1), 1e-5, 1e-8)).isFalse();
        assertThat(infinite.negate().allClose(infinite, 1e-5, 1e-8)).isFalse();
        NDArray nan = NDArray.of(Double.NaN);
        assertThat(nan.allClose(nan, 1, 1)).isFalse();
        NDArray large = NDArray.zeros(F64, 300_000);
        NDArray other = large.copy();
        other.set(1, 250_000);
        assertThat(large.allClose(other, 0, 0.5)).isFalse();
        assertThat(large.allClose(other, 0, 1)).isTrue();
    }

    @Test
    void powersOfWholeNumbersAreWhole() {
        assertThat(NDArray.ofLongs(2, 3, -3).power(3).toLongs()).containsExactly(8, 27, -27);
        assertThatThrownBy(() -> NDArray.ofLongs(2).power(-1))
                .hasMessageContaining("exponent is -1; expected 0 or more");
    }

    @Test
    void notANumberPropagates() {
        NDArray x = NDArray.of(1, Double.NaN, 3);
        assertThat(x.maximum(2).toDoubles()).containsExactly(2, Double.NaN, 3);
        assertThat(x.minimum(2).toDoubles()).containsExactly(1, Double.NaN, 2);
        assertThat(x.clip(1.5, 2.5).toDoubles()).containsExactly(1.5, Double.NaN, 2.5);
        assertThat(x.equal(x).toInts()).containsExactly(1, 0, 1);
        assertThat(x.allClose(x, 1, 1)).isFalse();
    }

    @Test
    void whereChooses() {
        NDArray condition = NDArray.ofInts(1, 0, 2).reshape(3, 1);
        NDArray z = NDArray.where(condition, NDArray.ofFloats(1, 2), NDArray.full(-1, F64, 1));
        assertThat(z.dtype()).isEqualTo(F64);
        assertThat(z.shape()).containsExactly(3, 2);
        assertThat(z.toDoubles()).containsExactly(1, 2, -1, -1, 1, 2);
    }

    @Test
    void complexNumbersHaveNoOrder() {
        NDArray z = NDArray.zeros(C64, 2);
        assertThatThrownBy(() -> z.less(z)).hasMessage("LESS needs an order, which C64 does not have");
        assertThatThrownBy(z::min).hasMessage("MINIMUM needs an order, which C64 does not have");
        assertThatThrownBy(z::floor).hasMessage("FLOOR needs an order, which C64 does not have");
    }

    @Test
    void shapesThatDoNotBroadcastAreNamed() {
        assertThatThrownBy(() -> NDArray.zeros(F64, 2, 3).add(NDArray.zeros(F64, 2)))
                .hasMessage(
                        "shapes (2, 3) and (2,) do not broadcast; expected extents that are equal or 1, counted from the last");
    }

    @Test
    void conversionsSaturateAndWrapAsDocumented() {
        NDArray x = NDArray.of(1e30, -1e30, Double.NaN, 2.9, -2.9, 300);
        assertThat(x.as(I32).toInts()).containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, 0, 2, -2, 300);
        assertThat(x.as(I64).toLongs()).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 0, 2, -2, 300);
        assertThat(x.as(U8).toInts()).containsExactly(255, 0, 0, 2, 0, 255);
        assertThat(NDArray.ofLongs(-1, 257, 1L << 40).as(U8).toInts()).containsExactly(255, 1, 0);
        assertThat(NDArray.ofLongs(1L << 62 | 1).as(I64).toLongs()).containsExactly(1L << 62 | 1);
        assertThat(NDArray.ofLongs(1L << 32 | 7).as(I32).toInts()).containsExactly(7);
        assertThat(NDArray.ofComplex(1, 2).as(F32).toDoubles()).containsExactly(1);
        assertThat(NDArray.ofComplex(1, 2).as(C64).getComplex(0)).isEqualTo(new Complex(1, 2));
        assertThat(NDArray.ofInts(3).as(C128).getComplex(0)).isEqualTo(new Complex(3, 0));
    }
}
