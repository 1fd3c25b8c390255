package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class RealLoopsTest {
    private interface Op {
        void run(RealLoops loops, long z, long x, long y, long n, double a, double b);
    }

    private static final Op[] OPS = {
        (l, z, x, y, n, a, b) -> l.fill(z, n, a),
        (l, z, x, y, n, a, b) -> l.scaled(z, x, n, a),
        (l, z, x, y, n, a, b) -> l.axpy(z, x, n, a),
        (l, z, x, y, n, a, b) -> l.axpby(z, x, n, a, b),
        (l, z, x, y, n, a, b) -> l.add(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.subtract(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.multiply(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.divide(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.min(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.max(z, x, y, n),
        (l, z, x, y, n, a, b) -> l.negate(z, x, n),
        (l, z, x, y, n, a, b) -> l.abs(z, x, n),
        (l, z, x, y, n, a, b) -> l.sqrt(z, x, n),
        (l, z, x, y, n, a, b) -> l.multiplyComplex(z, x, y, n / 2),
        (l, z, x, y, n, a, b) -> l.scaledComplex(z, x, n / 2, a, b),
        (l, z, x, y, n, a, b) -> l.axpyComplex(z, x, n / 2, a, b)
    };

    @Test
    void bothTwinsGiveTheSameBits() {
        Provider vector = Provider.choose(true);
        Provider plain = Provider.plain();
        Seeded.cases(200, random -> {
            DType dtype = random.nextBoolean() ? DType.F32 : DType.F64;
            int n = random.nextInt(300);
            NDArray x = special(random.nextLong(), dtype, n);
            NDArray y = special(random.nextLong(), dtype, n);
            double a = random.nextDouble(-2, 2);
            double b = random.nextDouble(-2, 2);
            for (int k = 0; k < OPS.length; k++) {
                NDArray z = NDArray.random(k, dtype, n);
                NDArray w = z.copy();
                OPS[k].run(vector.loops(dtype), z.address(), x.address(), y.address(), n, a, b);
                OPS[k].run(plain.loops(dtype), w.address(), x.address(), y.address(), n, a, b);
                assertThat(z.toDoubles()).as("operation %d", k).isEqualTo(w.toDoubles());
            }
        });
    }

    /** Random numbers with a NaN, infinities and zeros of both signs among them. */
    private static NDArray special(long seed, DType dtype, int n) {
        NDArray x = NDArray.random(seed, dtype, n);
        double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, 1e-45, 3e38};
        for (int k = 0; k < values.length && n > 0; k++) x.set(values[k], Math.floorMod(seed * (k + 1), n));
        return x;
    }

    @Test
    void sumsAreThoseOfExactArithmetic() {
        Seeded.cases(100, random -> {
            DType dtype = random.nextBoolean() ? DType.F32 : DType.F64;
            int n = 2 * random.nextInt(2000);
            NDArray x = NDArray.random(random.nextLong(), dtype, n);
            NDArray y = NDArray.random(random.nextLong(), dtype, n);
            double sum = 0;
            double dot = 0;
            double re = 0;
            double im = 0;
            for (int i = 0; i < n; i++) {
                sum += x.get(i);
                dot += x.get(i) * y.get(i);
            }
            for (int i = 0; i < n; i += 2) {
                re += x.get(i) * y.get(i) + x.get(i + 1) * y.get(i + 1);
                im += x.get(i) * y.get(i + 1) - x.get(i + 1) * y.get(i);
            }
            double tolerance = (dtype == DType.F32 ? 1e-6 : 1e-14) * (n + 1);
            for (Provider provider : new Provider[] {Provider.choose(true), Provider.plain()}) {
                RealLoops loops = provider.loops(dtype);
                double[] out = new double[3];
                loops.dotComplex(x.address(), y.address(), n / 2, out, 1);
                assertThat(loops.sum(x.address(), n)).isCloseTo(sum, within(tolerance));
                assertThat(loops.dot(x.address(), y.address(), n)).isCloseTo(dot, within(tolerance));
                assertThat(out[1]).isCloseTo(re, within(tolerance));
                assertThat(out[2]).isCloseTo(im, within(tolerance));
            }
        });
    }

    @Test
    void withoutTheVectorApiPlainLoopsAreChosen() {
        assertThat(Provider.choose(false).name()).isEqualTo("plain Java");
        assertThat(Provider.CHOSEN.name()).isEqualTo("Vector API");
    }

    /** Squares of single-precision numbers leave the range of single precision at 2e19 and 1e-23. */
    @Test
    void singlePrecisionSumsHoldWhatDoublePrecisionDoes() {
        for (double size : new double[] {1e-40, 1e-25, 1e-20, 1, 1e18, 1e25, 3e38})
            for (int n : new int[] {1, 7, 64, 1000, 100_000}) {
                double held = (float) size;
                double square = n * held * held;
                NDArray x = NDArray.full(size, DType.F32, n);
                assertThat(x.dot(x).value()).isCloseTo(square, within(2e-5 * square));
                NDArray apart = NDArray.full(size, DType.F32, n, 2).at(1, 0);
                assertThat(apart.dot(apart).value()).isCloseTo(square, within(2e-5 * square));
                NDArray z = NDArray.full(new Complex(size, size), DType.C64, n);
                Complex sum = z.localDot(z.conj());
                assertThat(sum.im()).isCloseTo(-2 * square, within(4e-5 * square));
                assertThat(sum.re()).isCloseTo(0, within(4e-5 * square));
                assertThat(z.norm()).isCloseTo(Math.sqrt(2 * square), within(2e-5 * Math.sqrt(square)));
            }
    }
}
