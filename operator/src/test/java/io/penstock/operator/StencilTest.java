package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The fast loops of stencils against sums over dense Kronecker products. */
class StencilTest {
    @Test
    void stencilsEqualTheirDenseMatrices() {
        Seeded.cases(60, random -> {
            DType dtype = anyDtype(random);
            Stencil re = random(random, random.nextInt(1, 4));
            boolean complex = dtype.isComplex() && random.nextBoolean();
            Stencil im = complex ? like(re, random) : null;
            ComplexStencil stencil = new ComplexStencil(re, im, 1);
            LocalStencil operator = LocalStencil.of("stencil", stencil, ArraySpace.of(dtype));
            Complex[][] matrix = dense(re, im);
            NDArray x = anyMemoryOrder(random, NDArray.random(1, dtype, re.domain()));
            NDArray u = anyMemoryOrder(random, NDArray.random(2, dtype, re.range()));
            NDArray y = anyMemoryOrder(random, NDArray.full(Double.NaN, dtype, re.range()));
            NDArray v = anyMemoryOrder(random, NDArray.full(Double.NaN, dtype, re.domain()));
            operator.forward(x, y);
            operator.adjoint(u, v);
            double tolerance = dtype.real() == DType.F32 ? 1e-4 : 1e-12;
            assertClose(y, times(matrix, x), tolerance);
            assertClose(v, times(adjoint(matrix, v), u), tolerance);
        });
    }

    @Test
    void longRowsAndPanelsEqualShortOnes() {
        Seeded.cases(3, random -> {
            double[] h = random.doubles(random.nextInt(25, 45), -1, 1).toArray();
            int offset = random.nextInt(0, h.length);
            long n = random.nextLong(1, 90);
            for (DType dtype : new DType[] {DType.F64, DType.C64}) {
                NDArray x = NDArray.random(random.nextLong(), dtype, n, 150);
                Band band = Band.convolution(h, offset, n, n);
                NDArray across = LocalStencil.of("c", ComplexStencil.real(Stencil.along(0, band, x.shape())), x.space())
                        .forward(x);
                NDArray turned = x.transpose().copy();
                NDArray along = LocalStencil.of(
                                "c", ComplexStencil.real(Stencil.along(1, band, turned.shape())), x.space())
                        .forward(turned);
                NDArray difference = along.transpose().copy();
                difference.axpy(-1, across);
                assertThat(difference.norm())
                        .isLessThan((dtype.real() == DType.F32 ? 1e-5 : 1e-13) * across.norm() + 1e-300);
            }
        });
    }

    @Test
    void rowsByAKernelAndTheOthersByLoopsEqualRowsByLoops() {
        AtomicInteger compared = new AtomicInteger();
        Seeded.cases(60, random -> {
            long[] shape = random.longs(random.nextInt(2, 4), 6, 12).toArray();
            shape[shape.length - 1] = random.nextLong(16, 70);
            DType dtype = anyDtype(random);
            Stencil stencil = DistributedStencilTest.anyStencil(random, shape);
            Sweep.Window window = null;
            if (random.nextBoolean()) {
                Reach reach = stencil.reach(0);
                long from = random.nextLong(0, 3);
                long to = shape[0] - random.nextLong(0, 3);
                window = new Sweep.Window(
                        0, reach.firstNeeded(from, to), reach.endNeeded(from, to), 0, shape[0], from, to);
            }
            List<SweepAxis> axes = SweepAxis.merged(stencil, dtype, window);
            RowKernel kernel = RowKernel.of(dtype.real(), axes);
            if (kernel == null) return;
            compared.incrementAndGet();
            long[] domain = shape.clone();
            if (window != null) domain[0] = window.inTo() - window.inFrom();
            NDArray x = NDArray.random(1, dtype, domain);
            NDArray expected = NDArray.random(2, dtype, shape);
            NDArray found = expected.copy();
            boolean accumulate = random.nextBoolean();
            Sweep loops = new Sweep(dtype.real(), axes);
            loops.run(expected.address(), x.address(), accumulate, false);
            kernel.apply(x, found, accumulate);
            loops.run(found.address(), x.address(), accumulate, true);
            assertThat(PatternStencilTest.bits(found)).isEqualTo(PatternStencilTest.bits(expected));
            RowKernel fewer = kernel.ofFewer(random.nextLong(1, 2000));
            NDArray own = fewer.argument();
            own.fill(1);
            NDArray result = fewer.result();
            NDArray again = result.copy();
            new Sweep(dtype.real(), fewer.axes()).run(result.address(), own.address(), false, false);
            fewer.apply(own, again, false);
            assertThat(PatternStencilTest.bits(again)).isEqualTo(PatternStencilTest.bits(result));
        });
        assertThat(compared.get()).isPositive();
    }

    static DType anyDtype(SplittableRandom random) {
        return new DType[] {DType.F32, DType.F64, DType.C64, DType.C128}[random.nextInt(4)];
    }

    /** The same elements, perhaps as a view whose memory order is another. */
    private static NDArray anyMemoryOrder(SplittableRandom random, NDArray array) {
        if (random.nextInt(3) > 0) return array;
        return array.transpose().copy().transpose();
    }

    private static Stencil random(SplittableRandom random, int axes) {
        long[] domain = random.longs(axes, 0, 9).toArray();
        if (random.nextInt(4) == 0) domain[random.nextInt(axes)] = random.nextLong(20, 60);
        long[] range = domain.clone();
        if (random.nextInt(4) == 0) range[random.nextInt(axes)] = random.nextLong(0, 7);
        return withTerms(Stencil.none(domain, range), random);
    }

    private static Stencil like(Stencil stencil, SplittableRandom random) {
        return withTerms(Stencil.none(stencil.domain(), stencil.range()), random);
    }

    private static Stencil withTerms(Stencil none, SplittableRandom random) {
        Stencil stencil = none;
        long[] domain = none.domain();
        long[] range = none.range();
        for (int t = random.nextInt(0, 4); t > 0; t--) {
            @Nullable Band[] factors = new @Nullable Band[domain.length];
            for (int k = 0; k < factors.length; k++)
                if (domain[k] != range[k] || random.nextBoolean()) factors[k] = band(random, range[k], domain[k]);
            stencil = stencil.plus(factors);
        }
        return stencil;
    }

    private static Band band(SplittableRandom random, long rows, long columns) {
        double[] h = random.doubles(random.nextInt(1, random.nextBoolean() ? 4 : 12), -1, 1)
                .toArray();
        return Band.convolution(h, random.nextInt(-1, h.length + 1), rows, columns);
    }

    private static Complex[][] dense(Stencil re, @Nullable Stencil im) {
        double[][] real = dense(re);
        double[][] imaginary = im == null ? new double[real.length][] : dense(im);
        Complex[][] matrix = new Complex[real.length][];
        for (int i = 0; i < real.length; i++) {
            matrix[i] = new Complex[real[i].length];
            for (int j = 0; j < real[i].length; j++)
                matrix[i][j] = new Complex(real[i][j], im == null ? 0 : imaginary[i][j]);
        }
        return matrix;
    }

    private static double[][] dense(Stencil stencil) {
        int rows = size(stencil.range());
        int columns = size(stencil.domain());
        double[][] sum = new double[rows][columns];
        for (Stencil.Term term : stencil.terms()) {
            double[][] product = {{1}};
            for (int k = 0; k < stencil.axes(); k++) {
                Band band = term.factor(k);
                long n = stencil.domain()[k];
                product = kronecker(product, BandTest.dense(band == null ? Band.shift(0, n, n) : band), (int) n);
            }
            for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sum[i][j] += product[i][j];
        }
        return sum;
    }

    private static double[][] kronecker(double[][] a, double[][] b, int columns) {
        double[][] product = new double[a.length * b.length][];
        for (int i = 0; i < product.length; i++) {
            double[] left = a[i / b.length];
            product[i] = new double[left.length * columns];
            for (int j = 0; j < product[i].length; j++)
                product[i][j] = left[j / columns] * b[i % b.length][j % columns];
        }
        return product;
    }

    private static int size(long[] shape) {
        return (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    private static Complex[][] adjoint(Complex[][] matrix, NDArray like) {
        Complex[][] adjoint = new Complex[(int) like.size()][matrix.length];
        for (int i = 0; i < adjoint.length; i++)
            for (int j = 0; j < matrix.length; j++) adjoint[i][j] = matrix[j][i].conjugate();
        return adjoint;
    }

    private static Complex[] times(Complex[][] matrix, NDArray x) {
        NDArray flat = x.reshape(x.size());
        Complex[] product = new Complex[matrix.length];
        for (int i = 0; i < product.length; i++) {
            Complex sum = Complex.ZERO;
            for (int j = 0; j < flat.size(); j++) sum = sum.plus(matrix[i][j].times(flat.getComplex(j)));
            product[i] = sum;
        }
        return product;
    }

    private static void assertClose(NDArray got, Complex[] expected, double tolerance) {
        NDArray flat = got.reshape(got.size());
        assertThat(flat.size()).isEqualTo(expected.length);
        double largest = 1;
        for (Complex value : expected) largest = Math.max(largest, value.abs());
        for (int i = 0; i < expected.length; i++)
            assertThat(flat.getComplex(i).minus(expected[i]).abs())
                    .as("element %d", i)
                    .isLessThan(tolerance * largest);
    }
}
