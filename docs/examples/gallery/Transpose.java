package gallery;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Transpose: rows become columns, tile by tile, so that reads and writes both run along rows. */
public class Transpose {
    private static final int TILE = 16;
    private static final Kernel TRANSPOSE = Kernel.of(Transpose::transpose);

    /** A group carries one tile through its memory. The range covers whole tiles, so items at the edges have nothing to carry. */
    static void transpose(WorkItem at, Floats out, Floats in) {
        Floats tile = at.localFloats(TILE, TILE + 1); // the spare column keeps a column's elements in different banks
        long i = at.localY(), j = at.localX();
        if (at.y() < in.rows() && at.x() < in.columns()) tile.set(i, j, in.get(at.y(), at.x()));
        at.barrier();
        long row = at.groupX() * TILE + i, column = at.groupY() * TILE + j;
        if (row < out.rows() && column < out.columns()) out.set(row, column, tile.get(j, i));
    }

    /** Makes {@code out[j, i] = in[i, j]}. */
    public static void run(Queue queue, Floats out, Floats in) {
        TRANSPOSE
                .over(Math.ceilDiv(in.rows(), TILE) * TILE, Math.ceilDiv(in.columns(), TILE) * TILE)
                .groups(TILE, TILE)
                .launch(queue, out, in);
    }
}
