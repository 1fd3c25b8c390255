package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.kernel.KernelTiers;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations on elements give the same bits as kernels, in plain Java and in vectors, and as loops. */
class HostKernelsTest {
    private static final DType[] REAL = {DType.U8, DType.I32, DType.I64, DType.F32, DType.F64};

    private static final double[] SPECIAL = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        0.1,
        2.5,
        255,
        256,
        -129,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Float.MIN_VALUE,
        Float.MAX_VALUE,
        -Double.MAX_VALUE,
        1e-300,
        1 << 24,
        (1 << 24) + 1,
        0x1p53 + 2,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0x1p31,
        0x1p63,
        -0x1p63,
        0x1p64
    };

    private static final long[] EXTREME = {
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE + 1,
        (1L << 53) + 1,
        (1L << 24) + 1,
        (1L << 60) + (1L << 36) + 1,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE
    };

    @AfterEach
    void asBefore() {
        KernelTiers.measured();
    }

    private static NDArray values(SplittableRandom random, DType dtype, long... shape) {
        NDArray values = Cases.view(random, dtype, shape);
        int n = Math.toIntExact(values.size());
        NDArray special;
        if (dtype == DType.I64) {
            long[] some = new long[n];
            for (int k = 0; k < n; k++)
                some[k] = random.nextBoolean() ? EXTREME[random.nextInt(EXTREME.length)] : random.nextInt(-9, 9);
            special = NDArray.ofLongs(some);
        } else {
            double[] some = new double[n];
            for (int k = 0; k < n; k++)
                some[k] = random.nextBoolean() ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextInt(-9, 9);
            special = NDArray.of(some);
        }
        loop(values, special.reshape(shape));
        if (dtype.isComplex()) loop(values.imaginary(), special.flip(0).reshape(shape));
        return values;
    }

    /** What {@link Elementwise#assign} does for few elements. */
    private static void loop(NDArray y, NDArray x) {
        Runs.of(y, x).forEach((at, step, n) -> Convert.run(x.dtype(), at[1], step[1], y.dtype(), at[0], step[0], n));
    }

    /** The bits of all elements, of which NaN has the usual ones: Java leaves open which they are. */
    private static long[] bits(NDArray x) {
        return Cases.elements(x).stream()
                .flatMap(z -> java.util.stream.Stream.of(z.re(), z.im()))
                .mapToLong(Double::doubleToLongBits)
                .toArray();
    }

    private static void assertSame(String what, NDArray byKernel, NDArray byLoop) {
        if (byLoop.dtype() == DType.I64) assertThat(byKernel.toLongs()).as(what).isEqualTo(byLoop.toLongs());
        else assertThat(bits(byKernel)).as(what).isEqualTo(bits(byLoop));
    }

    private static DType real(SplittableRandom random) {
        return REAL[random.nextInt(REAL.length)];
    }

    private static long[] shape(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> new long[] {300};
            case 1 -> new long[] {13, 23};
            default -> new long[] {5, 3, 19};
        };
    }

    private static NDArray broadcast(SplittableRandom random, DType dtype, long[] shape) {
        return values(random, dtype, Cases.broadcastable(random, shape)).broadcastTo(shape);
    }

    private static void chooseTier(SplittableRandom random) {
        if (random.nextInt(3) == 0) KernelTiers.vector();
        else KernelTiers.plain();
    }

    @Test
    void operationsOnTwoElementsAreTheSame() {
        Seeded.cases(150, random -> {
            chooseTier(random);
            BinaryOp op = List.of(BinaryOp.values()).get(random.nextInt(14));
            long[] shape = shape(random);
            NDArray x = broadcast(random, real(random), shape);
            boolean byNumber = random.nextInt(3) == 0;
            Object y = !byNumber
                    ? broadcast(random, real(random), shape)
                    : random.nextBoolean()
                            ? (Object) SPECIAL[random.nextInt(SPECIAL.length)]
                            : (Object) (long) random.nextInt(250);
            NDArray array = y instanceof NDArray a ? a : NDArray.scalar(y);
            DType promoted = byNumber
                    ? Promotion.weak(x.dtype(), array.dtype().kind())
                    : x.dtype().promote(array.dtype());
            DType in = op == BinaryOp.DIVIDE && promoted.isInteger() ? DType.F64 : Arithmetic.working(promoted);
            if (in.isInteger() && (op == BinaryOp.POWER || op == BinaryOp.REMAINDER)) return;
            NDArray byKernel = NDArray.empty(op.result(promoted), shape);
            NDArray byLoop = NDArray.empty(op.result(promoted), shape);
            ElementKernels.binary(op, in, byKernel, x, y);
            Elementwise.binary(
                    byLoop, x, array.broadcastTo(shape), in, op.isComparison() ? DType.U8 : in, BinaryLoops.of(op, in));
            assertSame(op + " of " + x.dtype() + " and " + (byNumber ? y : array.dtype()), byKernel, byLoop);
        });
    }

    @Test
    void operationsOnOneElementAreTheSame() {
        Seeded.cases(80, random -> {
            chooseTier(random);
            UnaryOp op = List.of(UnaryOp.values()).get(random.nextInt(13));
            long[] shape = shape(random);
            NDArray x = broadcast(random, real(random), shape);
            DType result = op.needsReal() && x.dtype().isInteger() ? DType.F64 : x.dtype();
            DType in = Arithmetic.working(result);
            NDArray byKernel = NDArray.empty(result, shape);
            NDArray byLoop = NDArray.empty(result, shape);
            ElementKernels.unary(op, in, byKernel, x);
            Elementwise.unary(byLoop, x, in, in, UnaryLoops.of(op, in));
            assertSame(op + " of " + x.dtype(), byKernel, byLoop);
        });
    }

    @Test
    void conversionsAreTheSame() {
        Seeded.cases(80, random -> {
            chooseTier(random);
            long[] shape = shape(random);
            NDArray x = broadcast(random, Cases.type(random), shape);
            DType other = Cases.type(random);
            NDArray byKernel = NDArray.empty(other, shape);
            NDArray byLoop = NDArray.empty(other, shape);
            ElementKernels.convert(byKernel, x);
            loop(byLoop, x);
            assertSame(x.dtype() + " as " + other, byKernel, byLoop);
        });
    }

    @Test
    void choicesAreTheSame() {
        Seeded.cases(80, random -> {
            chooseTier(random);
            long[] shape = shape(random);
            NDArray condition = broadcast(random, Cases.type(random), shape);
            DType dtype = Cases.type(random);
            NDArray x = broadcast(random, dtype.isComplex() ? dtype : real(random), shape);
            NDArray y = broadcast(random, dtype.isComplex() ? dtype : real(random), shape);
            NDArray byKernel = NDArray.empty(x.dtype().promote(y.dtype()), shape);
            NDArray byLoop = NDArray.empty(byKernel.dtype(), shape);
            ElementKernels.map(
                    OperationFunctions.choice(condition.dtype(), Arithmetic.working(byKernel.dtype())),
                    byKernel,
                    condition,
                    x,
                    y);
            Arithmetic.choose(byLoop, condition, x, y);
            assertSame("choice by " + condition.dtype() + " of " + byKernel.dtype(), byKernel, byLoop);
        });
    }

    private static void await(BooleanSupplier ready) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!ready.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a kernel is made within a minute").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** A large operation is a loop's at first and a kernel's soon, and nobody sees when. */
    @Test
    void loopsGoOnUntilThereIsAKernel() {
        NDArray x = NDArray.random(1, DType.F64, KernelUse.WORTH).multiply(1e5).as(DType.I32);
        Supplier<NDArray> operation = () -> x.minimum(7L);
        NDArray first = operation.get();
        NDArray z = NDArray.empty(DType.I32, x.shape());
        await(() -> ElementKernels.mapIfReady(
                Long.MAX_VALUE, OperationFunctions.of(BinaryOp.MINIMUM, DType.I64), z, x, 7L));
        int[] expected = Arrays.stream(x.toInts()).map(a -> Math.min(a, 7)).toArray();
        for (NDArray result : List.of(first, z, operation.get()))
            assertThat(Arrays.equals(result.toInts(), expected)).isTrue();
    }

    @Test
    void failuresAreThoseOfTheLoops() {
        NDArray many = NDArray.zeros(DType.I32, 2 * KernelUse.WORTH);
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> many.remainder(many))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("divisor is 0");
            assertThatThrownBy(() -> many.power(-1L))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("exponent is -1");
            assertThatThrownBy(() -> many.add(1L << 40)).hasMessageContaining("does not fit I32");
            assertThat(many.divide(many).slice(0, 0, 3).toDoubles()).containsOnly(Double.NaN);
        }
    }

    /** Numbers and arrays of no dimensions count as the elements that they meet, on devices as on the host. */
    @Test
    void weakNumbersAreRoundedFirst() {
        NDArray x = NDArray.ofFloats(0.1f, 1 << 24);
        NDArray test = NDArray.empty(DType.U8, 2);
        ElementKernels.binary(BinaryOp.GREATER, DType.F32, test, x, 0.1);
        assertThat(test.toInts())
                .containsExactly(0, 1)
                .containsExactly(x.greater(0.1).toInts());
        ElementKernels.binary(BinaryOp.EQUAL, DType.F32, test, x, (1L << 24) + 1);
        assertThat(test.toInts())
                .containsExactly(0, 1)
                .containsExactly(x.equal((1L << 24) + 1).toInts());
    }

    /** A small number is not zero, whatever is chosen. */
    @Test
    void smallConditionsHold() {
        NDArray condition = NDArray.of(1e-300, 0, 0.5, Double.NaN);
        for (DType dtype : REAL) {
            NDArray z = NDArray.empty(dtype, 4);
            ElementKernels.map(
                    OperationFunctions.choice(DType.F64, Arithmetic.working(dtype)),
                    z,
                    condition,
                    NDArray.full(1, dtype, 4),
                    NDArray.full(2, dtype, 4));
            assertThat(z.toInts()).as("%s", dtype).containsExactly(1, 2, 1, 1);
        }
    }
}
