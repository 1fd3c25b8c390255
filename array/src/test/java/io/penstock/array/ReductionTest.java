package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

class ReductionTest {
    private static int[] someAxes(SplittableRandom random, int dimensions) {
        List<Integer> axes = new ArrayList<>();
        for (int k = 0; k < dimensions; k++)
            if (random.nextBoolean()) axes.add(random.nextBoolean() ? k : k - dimensions);
        return axes.stream().mapToInt(k -> k).toArray();
    }

    /** A reduction by moving single elements into lists, one for each place of the result. */
    private static List<List<Complex>> lanes(NDArray x, int... axes) {
        boolean[] reduced = Shapes.axes(axes, x.ndim());
        long[] shape = x.shape();
        for (int k = 0; k < shape.length; k++) if (reduced[k]) shape[k] = 1;
        List<List<Complex>> lanes = new ArrayList<>();
        for (long i = 0; i < Shapes.size(shape); i++) lanes.add(new ArrayList<>());
        long[] strides = Shapes.rowMajor(shape);
        long[] index = new long[shape.length];
        for (Complex element : Cases.elements(x)) {
            long at = 0;
            for (int k = 0; k < shape.length; k++) at += reduced[k] ? 0 : index[k] * strides[k];
            lanes.get((int) at).add(element);
            for (int k = shape.length - 1; k >= 0 && ++index[k] == x.dim(k); k--) index[k] = 0;
        }
        return lanes;
    }

    @Test
    void sumsProductsAndExtremesMatchSingleElements() {
        Seeded.cases(400, random -> {
            DType dtype = Cases.type(random);
            NDArray x = Cases.small(random, dtype, Cases.shape(random, 4, 5));
            int[] axes = someAxes(random, x.ndim());
            boolean keep = random.nextBoolean();
            int kind = random.nextInt(dtype.isComplex() ? 2 : 4);
            if (kind > 1 && x.size() == 0) return;
            NDArray got = switch (kind) {
                case 0 -> x.sum(keep, axes);
                case 1 -> x.mean(keep, axes);
                case 2 -> x.min(keep, axes);
                default -> x.max(keep, axes);
            };
            BinaryOperator<Complex> both = switch (kind) {
                case 0, 1 -> Complex::plus;
                case 2 -> (a, b) -> a.re() < b.re() ? a : b;
                default -> (a, b) -> a.re() > b.re() ? a : b;
            };
            assertThat(got.ndim()).isEqualTo(keep ? x.ndim() : axes.length == 0 ? 0 : x.ndim() - axes.length);
            List<Complex> elements = Cases.elements(got);
            List<List<Complex>> lanes = lanes(x, axes);
            assertThat(elements).hasSameSizeAs(lanes);
            for (int i = 0; i < elements.size(); i++) {
                Complex e = lanes.get(i).stream().reduce(both).orElse(Complex.ZERO);
                if (kind == 1) e = e.times(1.0 / lanes.get(i).size());
                if (kind == 1 && lanes.get(i).isEmpty()) continue;
                assertThat(elements.get(i).minus(e).abs()).isLessThan(1e-5);
            }
        });
    }

    @Test
    void productsAndTruth() {
        NDArray x = NDArray.ofInts(1, 2, 3, 0, 5, 6).reshape(2, 3);
        assertThat(x.prod(1).toLongs()).containsExactly(6, 0);
        assertThat(x.any(0).toInts()).containsExactly(1, 1, 1);
        assertThat(x.all(0).toInts()).containsExactly(0, 1, 1);
        assertThat(x.all().get()).isZero();
        assertThat(NDArray.zeros(DType.F64, 0, 3).all(0).toInts()).containsExactly(1, 1, 1);
        assertThat(NDArray.zeros(DType.F64, 0, 3).any(0).toInts()).containsExactly(0, 0, 0);
        assertThat(NDArray.zeros(DType.F64, 0, 3).sum(0).toDoubles()).containsExactly(0, 0, 0);
        assertThat(x.sum().dtype()).isEqualTo(DType.I64);
        assertThat(x.mean().dtype()).isEqualTo(DType.F64);
        assertThat(NDArray.ofComplex(1, 1, 0, 2).prod().getComplex()).isEqualTo(new Complex(-2, 2));
    }

    @Test
    void meansOfWholeNumbersDoNotWrap() {
        NDArray large = NDArray.full(0x1p62, DType.I64, 3, 2);
        assertThat(large.mean().get()).isEqualTo(0x1p62);
        assertThat(large.mean(0).toDoubles()).containsExactly(0x1p62, 0x1p62);
        assertThat(NDArray.ofInts(3, 4).mean().get()).isEqualTo(3.5);
    }

    @Test
    void longSumsAreAccurate() {
        long n = 3_000_001;
        NDArray x = NDArray.full(0.1, DType.F32, n);
        assertThat(x.sum().get()).isCloseTo((float) 0.1 * (double) n, within(0.05));
        NDArray y = NDArray.random(1, DType.F64, 1000, 301);
        double[] rows = y.sum(1).toDoubles();
        assertThat(Arrays.stream(rows).sum()).isCloseTo(y.sum().get(), within(1e-9));
        assertThat(y.sum(0).sum().get()).isCloseTo(y.sum().get(), within(1e-9));
    }

    @Test
    void extremesPropagateNotANumberAndNeedElements() {
        NDArray x = NDArray.of(3, Double.NaN, 1);
        assertThat(x.min().get()).isNaN();
        assertThat(x.max().get()).isNaN();
        assertThat(x.argMin()).isEqualTo(1);
        assertThat(x.argMax()).isEqualTo(1);
        assertThatThrownBy(() -> NDArray.zeros(DType.F64, 2, 0).max(1))
                .hasMessage("MAXIMUM along axis 1 of shape (2, 0) has no elements to choose from");
        assertThat(NDArray.ofLongs(Long.MIN_VALUE + 1, Long.MIN_VALUE).argMin()).isEqualTo(1);
    }

    @Test
    void positionsOfExtremesAreThoseOfTheFirst() {
        NDArray x = NDArray.of(3, 1, 1, 5, 5, 0).reshape(2, 3);
        assertThat(x.argMin(1).toLongs()).containsExactly(1, 2);
        assertThat(x.argMax(0).toLongs()).containsExactly(1, 1, 0);
        assertThat(x.argMax()).isEqualTo(3);
        assertThat(x.transpose().argMax()).isEqualTo(1);
    }

    @Test
    void normsOfEveryOrder() {
        NDArray x = NDArray.of(-3, 0, 4).reshape(1, 3);
        assertThat(x.norm(0).get()).isEqualTo(2);
        assertThat(x.norm(1).get()).isEqualTo(7);
        assertThat(x.norm(2).get()).isEqualTo(5);
        assertThat(x.norm(1.5).get()).isCloseTo(Math.pow(Math.pow(3, 1.5) + 8, 1 / 1.5), within(1e-14));
        assertThat(x.norm(Double.POSITIVE_INFINITY).get()).isEqualTo(4);
        assertThat(x.norm(Double.NEGATIVE_INFINITY).get()).isEqualTo(0);
        assertThat(x.norm(2, true, 0).shape()).containsExactly(1, 3);
        assertThat(NDArray.ofComplex(3, 4, 0, 1).norm(1).get()).isEqualTo(6);
    }

    @Test
    void runningSums() {
        Seeded.cases(100, random -> {
            NDArray x = Cases.small(
                    random, Cases.type(random), random.longs(3, 1, 6).toArray());
            int axis = random.nextInt(3);
            NDArray sums = x.cumulativeSum(axis);
            for (long i = 0; i < x.dim(axis); i++)
                assertThat(sums.at(axis, i).allClose(x.slice(axis, 0, i + 1).sum(axis), 1e-5, 1e-5))
                        .isTrue();
        });
        assertThat(NDArray.zeros(DType.F64, 0).cumulativeSum(0).size()).isZero();
    }
}
