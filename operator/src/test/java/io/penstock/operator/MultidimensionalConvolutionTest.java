package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

/** Spectra, Fredholm integrals, and convolutions of wavefields made of them; recorded cases are compared by {@code verify}. */
class MultidimensionalConvolutionTest {
    @Test
    void aSpectrumIsTheSumThatDefinesIt() {
        Seeded.cases(20, random -> {
            int n = random.nextInt(1, 12);
            int frequencies = random.nextInt(0, n / 2 + 2);
            boolean centred = random.nextBoolean();
            Spectrum f = Spectrum.of(ArraySpace.of(n, 2), frequencies, centred);
            NDArray x = NDArray.random(1, DType.F64, n, 2);
            NDArray y = f.forward(x);
            for (int k = 0; k < frequencies; k++) {
                double re = 0;
                double im = 0;
                for (int t = 0; t < n; t++) {
                    double angle = 2 * Math.PI * k * (t - (centred ? n / 2 : 0)) / n;
                    re += x.get(t, 1) * Math.cos(angle);
                    im -= x.get(t, 1) * Math.sin(angle);
                }
                double scale = Math.sqrt((k == 0 || 2 * k == n ? 1.0 : 2.0) / n);
                Complex got = y.getComplex(k, 1);
                assertThat(got.re()).isCloseTo(scale * re, within(1e-13 * n));
                assertThat(got.im()).isCloseTo(scale * im, within(1e-13 * n));
            }
            f.dotTest(2, 1e-12);
            if (frequencies == n / 2 + 1) {
                NDArray back = f.adjoint(y);
                back.axpy(-1, x);
                assertThat(back.norm())
                        .as("with all frequencies it keeps norms")
                        .isLessThan(1e-12);
            }
        });
    }

    @Test
    void aFredholmIntegralOfEqualSlicesCountsThem() {
        NDArray kernel = NDArray.empty(DType.F64, 5, 3, 4);
        for (int k = 0; k < 5; k++) kernel.at(0, k).fill(k + 1);
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, 5, 4, 2);
            long start = space.layout().start(ranks.rank());
            NDArray own = kernel.slice(0, start, space.layout().end(ranks.rank()));
            var integral = Fredholm.distributed(space, own);
            DistributedArray ones = space.empty();
            ones.fill(1);
            Traffic before = ranks.traffic();
            DistributedArray y = integral.forward(ones);
            DistributedArray wide = ((DistributedSpace) integral.range()).empty();
            wide.fill(1);
            DistributedArray v = integral.adjoint(wide);
            assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(0, 0));
            for (long k = 0; k < y.local().dim(0); k++) {
                assertThat(y.local().get(k, 2, 1)).isEqualTo(4.0 * (start + k + 1));
                assertThat(v.local().get(k, 3, 0)).isEqualTo(3.0 * (start + k + 1));
            }
        });
    }

    @Test
    void theIdentityMovesTimeZeroToTheFront() {
        NDArray kernel = NDArray.zeros(DType.C128, 8, 3, 3);
        for (int f = 0; f < 8; f++) for (int s = 0; s < 3; s++) kernel.set(1 / Math.sqrt(15), f, s, s);
        ArraySpace space = ArraySpace.of(15, 3, 2);
        var a = MultidimensionalConvolution.of(kernel).twoSided().on(space);
        NDArray x = space.random(3);
        NDArray y = a.forward(x);
        for (int t = 0; t < 15; t++) assertThat(y.get(t, 2, 1)).isCloseTo(x.get((t + 7) % 15, 2, 1), within(1e-13));
        NDArray back = a.adjoint(y);
        back.axpy(-1, x);
        assertThat(back.norm()).isLessThan(1e-12);
    }

    @Test
    void distributedEqualsLocalAndSendsFrequenciesOnly() {
        Seeded.cases(12, random -> {
            int size = random.nextInt(1, 6);
            int axis = random.nextInt(1, 3);
            NDArray kernel = NDArray.random(1, DType.C128, random.nextInt(1, 8), random.nextInt(1, 5), 4);
            long frequencies = kernel.dim(0);
            NDArray x = NDArray.random(2, DType.F64, 15, 4, 3);
            var local = MultidimensionalConvolution.of(kernel)
                    .sampling(0.1, 2)
                    .twoSided()
                    .conjugated()
                    .on(x.space());
            NDArray y = local.forward(x);
            NDArray v = local.adjoint(y);
            local.dotTest(4, 1e-11);
            Ranks.run(size, ranks -> {
                Layout cut = Layout.rows(size, frequencies);
                NDArray own = kernel.slice(0, cut.start(ranks.rank()), cut.end(ranks.rank()));
                DistributedSpace space = DistributedSpace.split(ranks, axis, 15, 4, 3);
                var a = MultidimensionalConvolution.of(own)
                        .sampling(0.1, 2)
                        .twoSided()
                        .conjugated()
                        .on(space, frequencies);
                Traffic before = ranks.traffic();
                DistributedArray got = a.forward(DistributedArray.ofGlobal(space, x));
                Traffic sent = ranks.traffic().since(before);
                assertThat(sent.messages()).isEqualTo(size == 1 ? 0 : 2);
                assertThat(sent.bytes()).isLessThanOrEqualTo(16 * frequencies * (4 * 3 + kernel.dim(1) * 3));
                assertClose(got.allGather(), y);
                assertClose(a.adjoint(got).allGather(), v);
                a.dotTest(4, 1e-11);
            });
        });
    }

    private static void assertClose(NDArray got, NDArray expected) {
        NDArray difference = got.copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isLessThanOrEqualTo(1e-12 * (1 + expected.norm()));
    }

    @Test
    void wrongUseIsNamed() {
        NDArray kernel = NDArray.zeros(DType.C128, 3, 2, 2);
        assertThatThrownBy(() -> MultidimensionalConvolution.of(NDArray.zeros(DType.F64, 3, 2, 2)))
                .hasMessageContaining("expected three dimensions of complex numbers");
        assertThatThrownBy(
                        () -> MultidimensionalConvolution.of(kernel).twoSided().on(ArraySpace.of(8, 2, 1)))
                .hasMessageContaining("expected an odd number");
        assertThatThrownBy(() -> MultidimensionalConvolution.of(kernel).on(ArraySpace.of(3, 2, 1)))
                .hasMessageContaining("frequencies is 3; expected 0 to 2");
        assertThatThrownBy(() -> MultidimensionalConvolution.of(kernel).on(ArraySpace.of(8, 3, 1)))
                .hasMessageContaining("2 receivers");
        assertThatThrownBy(() -> Fredholm.of(NDArray.zeros(DType.F64, 3, 2), 1))
                .hasMessageContaining("three dimensions");
    }
}
