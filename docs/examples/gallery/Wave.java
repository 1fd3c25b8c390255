package gallery;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Stencil: a wave on a plate, by the five points around each place. */
public class Wave {
    private static final Kernel STEP = Kernel.of(Wave::step);

    /**
     * One step in time. The new values replace those before the present ones: an item reads of {@code other} only what it writes.
     * Where {@code speed}, the square of cells a step, is 0, nothing ever moves: there are walls.
     */
    static void step(WorkItem at, Floats other, Floats now, Floats speed, float left) {
        long i = at.y(), j = at.x();
        if (j == 0) {
            other.set(i, j, left); // the source of plane waves
            return;
        }
        if (i == 0 || i == at.sizeY() - 1 || j == at.sizeX() - 1) return;
        float centre = now.get(i, j);
        float around = now.get(i - 1, j) + now.get(i + 1, j) + now.get(i, j - 1) + now.get(i, j + 1);
        other.set(i, j, 2 * centre - other.get(i, j) + speed.get(i, j) * (around - 4 * centre));
    }

    /** Advances {@code now} and {@code before} by two times {@code pairs} steps; the left edge moves by a sine. */
    public static void run(Queue queue, Floats now, Floats before, Floats speed, int pairs) {
        var step = STEP.over(now.rows(), now.columns());
        for (int k = 0; k < pairs; k++) {
            step.launch(queue, before, now, speed, left(2 * k));
            step.launch(queue, now, before, speed, left(2 * k + 1));
        }
    }

    /** Where the left edge is at a step. */
    public static float left(int step) {
        return (float) Math.sin(0.35 * step);
    }
}
