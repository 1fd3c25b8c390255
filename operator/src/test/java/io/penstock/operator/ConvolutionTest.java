package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Convolutions and post-stack modelling against sums written out. */
class ConvolutionTest {
    private static final List<Difference> KINDS = List.of(Difference.FORWARD, Difference.BACKWARD, Difference.CENTERED);

    @Test
    void convolutionsAreTheSumsThatDefineThem() {
        Seeded.cases(60, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            long[] shape = random.longs(3, 1, 6).toArray();
            int[] axes = random.nextBoolean() ? new int[] {random.nextInt(3)} : new int[] {2, random.nextInt(2)};
            long[] filterShape = random.longs(axes.length, 1, 8).toArray();
            NDArray filter = NDArray.random(random.nextLong(), dtype, filterShape);
            long[] origin = new long[axes.length];
            for (int k = 0; k < origin.length; k++) origin[k] = random.nextLong(filterShape[k]);
            Convolution convolution = Convolution.along(axes, filter).origin(origin);
            ArraySpace space = ArraySpace.of(dtype, shape);
            NDArray x = space.random(random.nextLong());
            NDArray y = convolution.on(space).forward(x);
            long[] i = new long[3];
            for (i[0] = 0; i[0] < shape[0]; i[0]++)
                for (i[1] = 0; i[1] < shape[1]; i[1]++)
                    for (i[2] = 0; i[2] < shape[2]; i[2]++)
                        assertThat(y.getComplex(i)
                                        .minus(sum(x, filter, axes, origin, i))
                                        .abs())
                                .isLessThan(1e-12);
        });
    }

    private static Complex sum(NDArray x, NDArray filter, int[] axes, long[] origin, long[] i) {
        Complex sum = Complex.ZERO;
        NDArray flat = filter.reshape(filter.size());
        for (long at = 0; at < filter.size(); at++) {
            long[] j = i.clone();
            long rest = at;
            boolean within = true;
            for (int k = axes.length - 1; k >= 0; k--) {
                j[axes[k]] += origin[k] - rest % filter.dim(k);
                rest /= filter.dim(k);
                within &= j[axes[k]] >= 0 && j[axes[k]] < x.dim(axes[k]);
            }
            if (within) sum = sum.plus(flat.getComplex(at).times(x.getComplex(j)));
        }
        return sum;
    }

    @Test
    void anyNumberOfResults() {
        Convolution full = Convolution.along(0, 1, 2, 3).results(5);
        assertThat(full.on(ArraySpace.of(3)).forward(NDArray.of(1, 10, 100)).toDoubles())
                .containsExactly(1, 12, 123, 230, 300);
        assertThat(full.on(ArraySpace.of(3)).adjoint(NDArray.of(1, 0, 0, 0, 1)).toDoubles())
                .containsExactly(1, 0, 3);
        assertThat(Convolution.along(0, 1, 1)
                        .results(2)
                        .on(ArraySpace.of(4))
                        .forward(NDArray.of(1, 2, 3, 4))
                        .toDoubles())
                .containsExactly(1, 3);
        Ranks.run(2, ranks -> {
            DistributedSpace rows = DistributedSpace.rows(ranks, 4, 3);
            assertThat(Convolution.along(1, 1, 1).results(4).on(rows).range().size())
                    .isEqualTo(16);
            assertThatThrownBy(() -> Convolution.along(0, 1, 1).results(5).on(rows))
                    .hasMessageContaining("the result has extent 5 along axis 0")
                    .hasMessageContaining("expected it to keep its extent");
        });
    }

    @Test
    void filtersAcrossCutsHaveTrueAdjoints() {
        Seeded.cases(25, random -> {
            int size = RankCounts.any(random, 8);
            DType dtype = StencilTest.anyDtype(random);
            Layout layout = Layout.split(size, random.nextInt(2), random.nextLong(1, 12), random.nextLong(1, 12));
            NDArray filter = NDArray.random(random.nextLong(), dtype, 3, 5);
            double tolerance = dtype.real() == DType.F32 ? 1e-5 : 1e-12;
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, dtype);
                Convolution.along(new int[] {0, 1}, filter)
                        .origin(1, 4)
                        .on(space)
                        .dotTest(7, tolerance);
            });
        });
    }

    @Test
    void adjointMatricesAreConjugateTransposes() {
        Seeded.cases(15, random -> {
            int size = RankCounts.any(random, 5);
            boolean complex = random.nextBoolean();
            DType dtype = complex ? DType.C128 : DType.F64;
            Layout layout = Layout.split(size, random.nextInt(2), random.nextLong(1, 7), random.nextLong(1, 7));
            NDArray filter = NDArray.random(random.nextLong(), dtype, 4);
            int axis = random.nextInt(2);
            Ranks.run(size, ranks -> {
                var a = Convolution.along(axis, filter).origin(2).on(new DistributedSpace(ranks, layout, dtype));
                NDArray forward = a.denseMatrix();
                NDArray adjoint = a.adjoint().denseMatrix();
                forward.conjugate();
                NDArray difference = forward.transpose().copy();
                difference.axpy(-1, adjoint);
                assertThat(difference.norm()).isZero();
            });
        });
    }

    @Tag("host")
    @Test
    void postStackModellingConvolvesTheDerivative() {
        Seeded.cases(20, random -> {
            double[] wavelet = wavelet(random);
            long[] shape = {random.nextLong(1, 60), random.nextLong(1, 60)};
            int time = random.nextInt(2);
            Difference kind = KINDS.get(random.nextInt(3));
            ArraySpace space = ArraySpace.of(shape);
            NDArray x = space.random(1);
            NDArray expected = Convolution.along(time, wavelet)
                    .origin(wavelet.length / 2)
                    .on(space)
                    .forward(FirstDerivative.along(time).kind(kind).on(space).forward(x));
            LinearOperator<NDArray, NDArray> modelling =
                    PoststackModelling.along(time, wavelet).kind(kind).on(space);
            NDArray y = modelling.forward(x);
            modelling.dotTest(3, 1e-12);
            int size = RankCounts.any(random, 6);
            int cut = random.nextInt(2);
            Ranks.run(size, ranks -> {
                DistributedSpace parts = DistributedSpace.split(ranks, cut, shape);
                var distributed =
                        PoststackModelling.along(time, wavelet).kind(kind).on(parts);
                NDArray mine = y.slice(
                                cut,
                                parts.layout().start(ranks.rank()),
                                parts.layout().end(ranks.rank()))
                        .copy();
                mine.axpy(-1, distributed.forward(parts.random(1)).local());
                assertThat(mine.norm()).isLessThanOrEqualTo(1e-13 * y.norm());
                distributed.dotTest(3, 1e-12);
            });
            y.axpy(-1, expected);
            assertThat(y.norm()).isLessThanOrEqualTo(1e-13 * expected.norm());
        });
    }

    private static double[] wavelet(SplittableRandom random) {
        return random.doubles(random.nextInt(1, 45), -1, 1).toArray();
    }

    @Test
    void oneWaveletForEachTimeEqualsOneForAllWhereTheyAreEqual() {
        double[] wavelet = {1, 5, 2, -3};
        double[][] each = {wavelet, wavelet, wavelet, wavelet, wavelet, wavelet};
        NDArray x = NDArray.random(1, DType.F64, 6, 2);
        NDArray one = PoststackModelling.along(0, wavelet).on(x.space()).forward(x);
        NDArray many = PoststackModelling.along(0, each).on(x.space()).forward(x);
        many.axpy(-1, one);
        assertThat(many.norm()).isLessThan(1e-14);
        assertThatThrownBy(() -> PoststackModelling.along(1, each).on(x.space()))
                .hasMessage("there are 6 wavelets; expected 2, one for each sample of axis 1");
    }

    @Test
    void waveletsAreScaledAndCentered() {
        double[] ricker = Wavelets.ricker(15, 0.004, 41);
        assertThat(ricker[20]).isEqualTo(1);
        for (int i = 0; i < 20; i++) assertThat(ricker[i]).isEqualTo(ricker[40 - i]);
        assertThatThrownBy(() -> Wavelets.ricker(15, 0.004, 40))
                .hasMessage("samples is 40; expected an odd number, 1 or more");
        assertThatThrownBy(() -> Wavelets.ormsby(5, 5, 20, 30, 0.004, 41))
                .hasMessage("the frequencies are 5.0, 5.0, 20.0 and 30.0; expected 0 <= f1 < f2 <= f3 < f4");
    }

    @Test
    void badParametersAreNamed() {
        NDArray complex = NDArray.random(1, DType.C64, 3);
        assertThatThrownBy(() -> Convolution.along(0, complex).on(ArraySpace.of(DType.F32, 9)))
                .hasMessage("the elements are F32 and the filter is complex; expected complex elements, such as C64");
        assertThatThrownBy(() -> Convolution.along(0, 1, 2, 3).origin(3))
                .hasMessage("origin is [3]; expected an index within a filter of shape [3]");
        assertThatThrownBy(() -> Convolution.along(new int[] {0, 1}, complex))
                .hasMessage("filter has 1 axes and axes is [0, 1]; expected as many, one or more");
    }
}
