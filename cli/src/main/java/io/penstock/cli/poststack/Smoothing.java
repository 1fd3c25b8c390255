package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;

/**
 * A running mean that shifts nothing: a box of {@code n} samples run forward and then backward, over a signal that is continued
 * beyond its ends by odd reflection.
 *
 * <p>Both runs together weigh the neighbours with a triangle, {@code y[i] = sum over |k| < n of (n - |k|) / n^2 x[i + k]}, where
 * {@code x[-k] = 2 x[0] - x[k]}, and likewise at the other end. Straight lines stay as they are.
 */
final class Smoothing {
    private Smoothing() {}

    /**
     * A section smoothed along its columns and then along its rows.
     *
     * @param section an array of rows and columns of doubles
     * @param rows the length of the box along the first axis, at least 1; no more than there are rows are used
     * @param columns the length along the second axis, likewise
     */
    static NDArray of(NDArray section, int rows, int columns) {
        NDArray once = section.space().empty();
        alongColumns(once, section, columns);
        NDArray twice = section.space().empty();
        alongColumns(twice.transpose(), once.transpose(), rows);
        once.close();
        return twice;
    }

    private static void alongColumns(NDArray smooth, NDArray rough, int length) {
        int n = (int) Math.min(length, rough.dim(1));
        Kernel.of(Smoothing::smooth).over(rough.dim(0), rough.dim(1)).launch(smooth, rough, n);
    }

    static void smooth(WorkItem at, Doubles smooth, Doubles rough, int n) {
        long row = at.y();
        long last = rough.columns() - 1;
        double sum = 0;
        for (int k = 1 - n; k < n; k++) {
            long i = at.x() + k;
            double value;
            if (i < 0) value = 2 * rough.get(row, 0) - rough.get(row, -i);
            else if (i > last) value = 2 * rough.get(row, last) - rough.get(row, 2 * last - i);
            else value = rough.get(row, i);
            sum += (n - Math.abs(k)) * value;
        }
        smooth.set(row, at.x(), sum / ((double) n * n));
    }
}
