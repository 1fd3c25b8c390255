package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TapsTest {
    @Test
    void theVectorLoopsGiveTheBitsOfAPlainLoop() {
        Seeded.cases(300, random -> {
            DType dtype = random.nextBoolean() ? DType.F32 : DType.F64;
            int n = random.nextInt(400);
            int taps = random.nextInt(4) == 0 ? random.nextInt(1, 120) : random.nextInt(1, 9);
            boolean accumulate = random.nextBoolean();
            int reach = 50;
            NDArray x = NDArray.random(random.nextLong(), dtype, n + 2 * reach);
            NDArray y = NDArray.random(random.nextLong(), dtype, n + 1);
            NDArray before = y.copy();
            double[] c = random.doubles(taps, -1, 1).toArray();
            long[] offsets = random.longs(taps, -reach, reach + 1).toArray();
            Taps.apply(dtype, y.address(), x.address() + (long) reach * dtype.bytes(), n, c, offsets, taps, accumulate);
            for (int j = 0; j < n; j++) {
                double expected =
                        reference(dtype, c, offsets, t -> x.get(t), j + reach, accumulate ? before.get(j) : Double.NaN);
                assertThat(y.get(j)).isEqualTo(expected);
            }
            assertThat(y.get(n)).as("the element after the last").isEqualTo(before.get(n));
        });
    }

    private interface At {
        double get(long i);
    }

    /** The definition, term by term; a start of NaN means that the first term stands alone. */
    private static double reference(DType dtype, double[] c, long[] offsets, At x, long at, double start) {
        double s = start;
        for (int t = 0; t < c.length; t++) {
            double a = x.get(at + offsets[t]);
            if (dtype == DType.F64) s = t == 0 && Double.isNaN(start) ? a * c[t] : Math.fma(a, c[t], s);
            else
                s = t == 0 && Double.isNaN(start)
                        ? (float) a * (float) c[t]
                        : Math.fma((float) a, (float) c[t], (float) s);
        }
        return s;
    }

    @Test
    void theTwinsAgree() {
        SplittableRandom random = new SplittableRandom(3);
        Provider plain = Provider.plain();
        for (int taps : new int[] {1, 2, 3, 5, 7, 8, 41}) {
            for (DType dtype : new DType[] {DType.F32, DType.F64}) {
                NDArray x = NDArray.random(1, dtype, 1100);
                NDArray a = NDArray.zeros(dtype, 1000);
                NDArray b = NDArray.zeros(dtype, 1000);
                double[] c = random.doubles(taps).toArray();
                long[] offsets = random.longs(taps, 0, 100).toArray();
                Provider.CHOSEN.taps(dtype).apply(a.address(), x.address(), 1000, c, offsets, taps, true);
                plain.taps(dtype).apply(b.address(), x.address(), 1000, c, offsets, taps, true);
                assertThat(a.toDoubles()).isEqualTo(b.toDoubles());
            }
        }
    }

    @Test
    void noTapsClearOrKeep() {
        NDArray y = NDArray.of(1, 2, 3);
        Taps.apply(DType.F64, y.address(), 0, 3, new double[0], new long[0], 0, true);
        assertThat(y.toDoubles()).containsExactly(1, 2, 3);
        Taps.apply(DType.F64, y.address(), 0, 2, new double[0], new long[0], 0, false);
        assertThat(y.toDoubles()).containsExactly(0, 0, 3);
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatThrownBy(() -> Taps.apply(DType.I32, 0, 0, 1, new double[1], new long[1], 1, false))
                .hasMessage("real is I32; expected F32 or F64");
        assertThatThrownBy(() -> Taps.apply(DType.F32, 0, 0, -1, new double[1], new long[1], 1, false))
                .hasMessage("n is -1; expected 0 or more");
        assertThatThrownBy(() -> Taps.apply(DType.F32, 0, 0, 1, new double[3], new long[2], 3, false))
                .hasMessage("taps is 3; expected 0 to 2, as many as there are coefficients and offsets");
    }
}
