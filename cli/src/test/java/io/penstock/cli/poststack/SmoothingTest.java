package io.penstock.cli.poststack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class SmoothingTest {
    @Test
    void anImpulseBecomesATriangle() {
        NDArray impulse = NDArray.zeros(DType.F64, 1, 11);
        impulse.set(1, 0, 5);
        assertThat(Smoothing.of(impulse, 1, 3).toDoubles())
                .containsExactly(
                        new double[] {0, 0, 0, 1 / 9.0, 2 / 9.0, 3 / 9.0, 2 / 9.0, 1 / 9.0, 0, 0, 0}, within(1e-16));
    }

    @Test
    void planesStayAsTheyAre() {
        NDArray plane = NDArray.empty(DType.F64, 7, 9);
        for (int i = 0; i < 7; i++) for (int j = 0; j < 9; j++) plane.set(3 * i - 2 * j + 1, i, j);
        assertThat(Smoothing.of(plane, 50, 4).toDoubles()).containsExactly(plane.toDoubles(), within(1e-12));
    }

    @Test
    void equalsABoxRunForwardAndBackward() {
        Seeded.cases(30, random -> {
            int rows = random.nextInt(1, 12);
            int columns = random.nextInt(1, 30);
            int n = random.nextInt(1, columns + 1);
            NDArray section = NDArray.random(random.nextLong(), DType.F64, rows, columns);
            NDArray smooth = Smoothing.of(section, 1, n);
            for (int row = 0; row < rows; row++) {
                double[] expected =
                        forwardBackward(section.slice(0, row, row + 1).toDoubles(), n);
                double[] got = smooth.slice(0, row, row + 1).toDoubles();
                assertThat(got).containsExactly(expected, within(1e-13));
            }
            NDArray across = Smoothing.of(section.transpose().copy(), n, 1);
            assertThat(across.transpose().copy().toDoubles()).containsExactly(smooth.toDoubles(), within(1e-13));
        });
    }

    /** The definition: extend by odd reflection, run the box forward, run it backward, cut off what was added. */
    private static double[] forwardBackward(double[] x, int n) {
        int more = n - 1;
        int last = x.length - 1;
        double[] extended = new double[x.length + 2 * more];
        for (int i = 0; i < extended.length; i++) {
            int at = i - more;
            if (at < 0) extended[i] = 2 * x[0] - x[-at];
            else if (at > last) extended[i] = 2 * x[last] - x[2 * last - at];
            else extended[i] = x[at];
        }
        double[] forward = reversed(box(extended, n));
        double[] both = reversed(box(forward, n));
        return java.util.Arrays.copyOfRange(both, more, more + x.length);
    }

    private static double[] box(double[] x, int n) {
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) for (int k = 0; k < n; k++) y[i] += x[Math.max(0, i - k)] / n;
        return y;
    }

    private static double[] reversed(double[] x) {
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) y[i] = x[x.length - 1 - i];
        return y;
    }
}
