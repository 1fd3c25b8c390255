package gallery;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Game of life: bytes on a torus. */
public class Life {
    private static final Kernel STEP = Kernel.of(Life::step);

    static void step(WorkItem at, Bytes next, Bytes now) {
        long i = at.y(), j = at.x();
        int around = -now.get(i, j);
        for (int di = -1; di <= 1; di++)
            for (int dj = -1; dj <= 1; dj++) around += now.get(wrap(i + di, at.sizeY()), wrap(j + dj, at.sizeX()));
        boolean lives = around == 3 || (around == 2 && now.get(i, j) == 1);
        next.set(i, j, (byte) (lives ? 1 : 0));
    }

    /** The place within {@code 0 .. size - 1} of one that is at most one beyond. */
    private static long wrap(long place, long size) {
        return place < 0 ? place + size : place >= size ? place - size : place;
    }

    /** Advances {@code cells} by two times {@code pairs} generations; {@code other} has the same shape. */
    public static void run(Queue queue, Bytes cells, Bytes other, int pairs) {
        var step = STEP.over(cells.rows(), cells.columns());
        for (int k = 0; k < pairs; k++) {
            step.launch(queue, other, cells);
            step.launch(queue, cells, other);
        }
    }
}
