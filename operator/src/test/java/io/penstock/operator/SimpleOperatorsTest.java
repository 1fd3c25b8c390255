package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

/** Local operators against the matrices of their formulas, on random shapes, axes and types. */
class SimpleOperatorsTest {
    private record Drawn(ArraySpace space, int axis, long n) {}

    private static void onRandomAxes(int cases, BiConsumer<SplittableRandom, Drawn> body) {
        Seeded.cases(cases, random -> {
            long[] shape = Dense.shape(random);
            int axis = random.nextInt(shape.length);
            body.accept(random, new Drawn(ArraySpace.of(Dense.type(random), shape), axis, shape[axis]));
        });
    }

    /** Whether two indices agree on all axes but one. */
    private static boolean sameElsewhere(long[] a, long[] b, int axis) {
        for (int k = 0; k < a.length; k++) if (k != axis && a[k] != b[k]) return false;
        return true;
    }

    private static Dense.Element along(int axis, ToDoubleBiFunction<Long, Long> coefficient) {
        return (row, column) -> sameElsewhere(row, column, axis)
                ? Complex.of(coefficient.applyAsDouble(row[axis], column[axis]))
                : Complex.ZERO;
    }

    private static double one(boolean condition) {
        return condition ? 1 : 0;
    }

    @Test
    void flipReverses() {
        onRandomAxes(
                20,
                (random, a) ->
                        Dense.requireMatrix(Flip.of(a.space, a.axis), along(a.axis, (i, j) -> one(i == a.n - 1 - j))));
    }

    @Test
    void rollMovesAround() {
        onRandomAxes(20, (random, a) -> {
            long shift = random.nextInt(-9, 10);
            Dense.requireMatrix(
                    Roll.of(a.space, a.axis, shift), along(a.axis, (i, j) -> one(i == Math.floorMod(j + shift, a.n))));
        });
    }

    @Test
    void padPutsZerosAround() {
        onRandomAxes(20, (random, a) -> {
            long before = random.nextInt(3);
            Dense.requireMatrix(
                    Pad.of(a.space, a.axis, before, random.nextInt(3)), along(a.axis, (i, j) -> one(i == j + before)));
        });
        LinearOperator<NDArray, NDArray> pad = Pad.of(ArraySpace.of(2, 1), new long[][] {{1, 0}, {2, 1}});
        assertThat(pad.forward(NDArray.of(3, 4).reshape(2, 1)).toDoubles())
                .containsExactly(0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0);
        pad.dotTest(3, 1e-12);
    }

    @Test
    void restrictionTakesElementsInAnyOrderAndRepeatedly() {
        onRandomAxes(30, (random, a) -> {
            long[] indices = new long[a.n == 0 ? 0 : random.nextInt(8)];
            for (int i = 0; i < indices.length; i++) indices[i] = random.nextLong(a.n);
            if (random.nextBoolean()) Arrays.sort(indices);
            Dense.requireMatrix(
                    Restriction.of(a.space, a.axis, indices), along(a.axis, (i, j) -> one(indices[i.intValue()] == j)));
        });
    }

    @Test
    void symmetrizePutsTheMirrorImageInFront() {
        onRandomAxes(
                20,
                (random, a) -> Dense.requireMatrix(
                        Symmetrize.of(a.space, a.axis), along(a.axis, (i, j) -> one(Math.abs(i - (a.n - 1)) == j))));
    }

    @Test
    void identityMayBeRectangular() {
        onRandomAxes(20, (random, a) -> {
            Dense.requireMatrix(Identity.of(a.space, random.nextInt(9)), along(0, (i, j) -> one(i.equals(j))));
            Dense.requireMatrix(Identity.of(a.space), along(0, (i, j) -> one(i.equals(j))));
        });
    }

    @Test
    void zeroIsZero() {
        onRandomAxes(
                5,
                (random, a) -> Dense.requireMatrix(
                        Zero.of(a.space, ArraySpace.of(a.space.dtype(), 3)), (row, column) -> Complex.ZERO));
    }

    @Test
    void diagonalMultiplies() {
        onRandomAxes(20, (random, a) -> {
            NDArray along = NDArray.random(random.nextLong(), a.space.dtype(), a.n);
            Dense.requireMatrix(
                    Diagonal.along(a.space, along, a.axis),
                    (row, column) -> Arrays.equals(row, column) ? along.getComplex(row[a.axis]) : Complex.ZERO);
            NDArray full = a.space.random(random.nextLong());
            Dense.requireMatrix(
                    Diagonal.of(full),
                    (row, column) -> Arrays.equals(row, column) ? full.getComplex(row) : Complex.ZERO);
        });
        Diagonal onComplex = Diagonal.along(ArraySpace.of(DType.C128, 2, 3), NDArray.of(1, 2), 0);
        onComplex.dotTest(1, 1e-12);
    }

    @Test
    void transposePermutesAxes() {
        Seeded.cases(20, random -> {
            long[] shape = Dense.shape(random);
            int[] axes =
                    random.ints(0, shape.length).distinct().limit(shape.length).toArray();
            Dense.requireMatrix(Transpose.of(ArraySpace.of(Dense.type(random), shape), axes), (row, column) -> {
                for (int k = 0; k < axes.length; k++) if (row[k] != column[axes[k]]) return Complex.ZERO;
                return Complex.ONE;
            });
        });
    }

    @Test
    void sumAddsUp() {
        onRandomAxes(
                30,
                (random, a) -> Dense.requireMatrix(Sum.of(a.space, a.axis), (row, column) -> {
                    long[] expanded = new long[column.length];
                    for (int k = 0; k < expanded.length; k++)
                        expanded[k] = k == a.axis ? 0 : row[k < a.axis ? k : k - 1];
                    return Complex.of(one(sameElsewhere(expanded, column, a.axis)));
                }));
        Sum ofIntegers = Sum.of(ArraySpace.of(DType.I64, 3, 2), 0);
        NDArray x = NDArray.zeros(DType.I64, 3, 2);
        x.fill(2);
        assertThat(ofIntegers.forward(x).toDoubles()).containsExactly(6, 6);
        assertThat(Sum.of(ArraySpace.of(70_000), 0)
                        .forward(NDArray.full(1, DType.F64, 70_000))
                        .get())
                .isEqualTo(70_000);
    }

    @Test
    void integrationSumsWhatCameBefore() {
        onRandomAxes(60, (random, a) -> {
            CausalIntegration.Kind kind = Dense.kind(random);
            boolean removeFirst = a.n > 0 && random.nextBoolean();
            double h = 0.25 + random.nextDouble();
            long shift = removeFirst ? 1 : 0;
            Dense.requireMatrix(CausalIntegration.of(a.space, a.axis, h, kind, removeFirst), along(a.axis, (row, j) -> {
                long i = row + shift;
                if (j > i) return 0;
                boolean half = (kind != CausalIntegration.Kind.FULL && j == i)
                        || (kind == CausalIntegration.Kind.TRAPEZOIDAL && j == 0);
                return half ? h / 2 : h;
            }));
        });
    }

    @Test
    void partsOfComplexVectorsAreLinearForRealFactors() {
        ArraySpace space = ArraySpace.of(DType.C64, 2, 3);
        NDArray x = space.random(3);
        assertThat(RealPart.of(space).forward(x).get(1, 2))
                .isEqualTo(x.getComplex(1, 2).re());
        assertThat(ImaginaryPart.of(space).forward(x).get(1, 2))
                .isEqualTo(x.getComplex(1, 2).im());
        assertThat(Conjugation.of(space).forward(x).getComplex(1, 2))
                .isEqualTo(x.getComplex(1, 2).conjugate());
        for (LinearOperator<NDArray, NDArray> a :
                List.of(RealPart.of(space), ImaginaryPart.of(space), Conjugation.of(space))) {
            assertThat(a.isComplexLinear()).isFalse();
            a.dotTest(4, 1e-5);
            a.adjoint().dotTest(4, 1e-5);
        }
        Conjugation.of(space).scaled(new Complex(1, 2)).dotTest(5, 1e-5);
        assertThatThrownBy(() -> RealPart.of(ArraySpace.of(3))).hasMessageContaining("expected a complex space");
        assertThatThrownBy(() -> Conjugation.of(space).complex()).hasMessageContaining("not complex-linear");
    }

    @Test
    void kroneckerIsTheKroneckerProduct() {
        Seeded.cases(8, random -> {
            NDArray a = NDArray.random(random.nextLong(), Dense.type(random), 3, 2);
            NDArray b = NDArray.random(random.nextLong(), a.dtype(), 2, 4);
            Dense.requireMatrix(
                    Kronecker.of(DenseMatrix.of(a), DenseMatrix.of(b)),
                    (row, column) ->
                            a.getComplex(row[0] / 2, column[0] / 4).times(b.getComplex(row[0] % 2, column[0] % 4)));
        });
    }

    @Test
    void denseMatricesWorkAlongTheFirstAxis() {
        Seeded.cases(20, random -> {
            long[] shape = Dense.shape(random);
            NDArray matrix = NDArray.random(random.nextLong(), Dense.type(random), random.nextInt(1, 6), shape[0]);
            Dense.requireMatrix(
                    DenseMatrix.of(ArraySpace.of(matrix.dtype(), shape), matrix),
                    (row, column) ->
                            sameElsewhere(row, column, 0) ? matrix.getComplex(row[0], column[0]) : Complex.ZERO);
        });
    }

    @Test
    void largeMatricesAreSharedBetweenCores() {
        for (DType type : Dense.TYPES) {
            NDArray matrix = NDArray.random(1, type, 301, 203);
            DenseMatrix.of(matrix).dotTest(2, Dense.tolerance(type));
            DenseMatrix.of(ArraySpace.of(type, 203, 33), matrix).dotTest(2, Dense.tolerance(type));
        }
    }

    @Test
    void viewsWithGapsAreArgumentsAndResults() {
        NDArray matrix = NDArray.random(1, DType.F64, 4, 6).transpose();
        DenseMatrix a = DenseMatrix.of(matrix);
        NDArray table = NDArray.random(2, DType.F64, 6, 5);
        NDArray x = table.slice(1, 2, 3)
                .slice(0, 0, 4)
                .transpose(1, 0)
                .slice(0, 0, 1)
                .transpose(1, 0)
                .reshape(4);
        NDArray column = table.transpose().slice(0, 1, 2);
        NDArray y = column.transpose(1, 0);
        LinearOperator<NDArray, NDArray> tall = DenseMatrix.of(ArraySpace.of(4, 1), matrix);
        tall.forward(x.reshape(4, 1), y);
        assertThat(y.copy().reshape(6).toDoubles()).containsExactly(a.forward(x).toDoubles());
    }

    @Test
    void badParametersAreNamed() {
        ArraySpace space = ArraySpace.of(4, 3);
        assertThatThrownBy(() -> Flip.of(space, 2))
                .hasMessageContaining("axis is 2")
                .hasMessageContaining("-2 to 1");
        assertThatThrownBy(() -> Restriction.of(space, 1, 0, 3))
                .hasMessageContaining("indices[1] is 3")
                .hasMessageContaining("0 to 2");
        assertThatThrownBy(() -> Restriction.of(space, 1, -1)).hasMessageContaining("indices[0] is -1");
        assertThatThrownBy(() -> Pad.of(space, 0, -1, 0)).hasMessageContaining("-1 and 0");
        assertThatThrownBy(() -> Pad.of(space, new long[][] {{1, 1}})).hasMessageContaining("a pair for each of 2");
        assertThatThrownBy(() -> Transpose.of(space, 0, 0)).hasMessageContaining("each of 2 axes once");
        assertThatThrownBy(() -> Diagonal.along(space, NDArray.of(1, 2), 0)).hasMessageContaining("extent of axis 0");
        assertThatThrownBy(() -> Diagonal.of(space, NDArray.zeros(DType.C128, 4, 3)))
                .hasMessageContaining("expected a domain of C128");
        assertThatThrownBy(() -> DenseMatrix.of(space, NDArray.zeros(DType.F64, 2, 3)))
                .hasMessageContaining("expected 3 elements along the first axis");
        assertThatThrownBy(() -> DenseMatrix.of(NDArray.zeros(DType.I64, 2, 3))).hasMessageContaining("I64");
        assertThatThrownBy(() -> CausalIntegration.of(ArraySpace.of(0), 0, 1, CausalIntegration.Kind.FULL, true))
                .hasMessageContaining("the axis is empty");
        assertThatThrownBy(() -> CausalIntegration.of(space, 0, 0, CausalIntegration.Kind.FULL, true))
                .hasMessageContaining("sampling is 0");
    }
}
