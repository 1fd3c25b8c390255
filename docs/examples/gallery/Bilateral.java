package gallery;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Bilateral filter: smooths a picture but not its edges (Tomasi and Manduchi, 1998). */
public class Bilateral {
    private static final Kernel FILTER = Kernel.of(Bilateral::filter);

    /** The mean of the neighbours, weighted by how near they are and how alike. */
    static void filter(WorkItem at, Floats out, Floats in, int radius, double distance, double contrast) {
        long i = at.y(), j = at.x();
        float own = in.get(i, j);
        double sum = 0, weights = 0;
        for (long r = Math.max(0, i - radius); r <= Math.min(in.rows() - 1, i + radius); r++)
            for (long c = Math.max(0, j - radius); c <= Math.min(in.columns() - 1, j + radius); c++) {
                double away = ((r - i) * (r - i) + (c - j) * (c - j)) / (2 * distance * distance);
                double apart = (in.get(r, c) - own) / contrast;
                double weight = Math.exp(-away - apart * apart / 2);
                sum += weight * in.get(r, c);
                weights += weight;
            }
        out.set(i, j, (float) (sum / weights));
    }

    /** Filters a picture; {@code distance} (in pixels) and {@code contrast} are standard deviations. */
    public static void run(Queue queue, Floats out, Floats in, int radius, double distance, double contrast) {
        FILTER.over(in.rows(), in.columns()).launch(queue, out, in, radius, distance, contrast);
    }
}
