package io.penstock.distributed;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;

/**
 * A matrix cut along both axes into tiles, one for each rank of a grid: a value, as {@link Layout} is.
 *
 * <p>Rank {@code i * gridColumns + j} holds tile {@code (i, j)}. Tiles may differ in size by a row and a column, and be empty. The
 * matrix itself is a {@link DistributedArray} of one dimension, in which each rank's block is its tile in C order, so everything that
 * distributed arrays do holds for matrices on grids; {@link #tile} shows this rank's block as the matrix that it is.
 *
 * @param rows how many rows the matrix has
 * @param columns how many columns it has
 * @param gridRows how many rows the grid has
 * @param gridColumns how many columns the grid has
 */
public record Tiles(long rows, long columns, int gridRows, int gridColumns) {
    /** Checks the numbers. */
    public Tiles {
        if (rows < 0 || columns < 0)
            throw new IllegalArgumentException(
                    "the matrix is " + rows + " x " + columns + "; expected no negative extent");
        if (gridRows < 1 || gridColumns < 1)
            throw new IllegalArgumentException(
                    "the grid is " + gridRows + " x " + gridColumns + "; expected 1 or more ranks along both axes");
    }

    /** A matrix on the grid of {@code ranks} ranks that is nearest to a square, with no more rows than columns. */
    public static Tiles of(int ranks, long rows, long columns) {
        if (ranks < 1) throw new IllegalArgumentException("ranks is " + ranks + "; expected 1 or more");
        int gridRows = (int) Math.sqrt(ranks);
        while (ranks % gridRows != 0) gridRows--;
        return new Tiles(rows, columns, gridRows, ranks / gridRows);
    }

    /** A matrix of another size on the same grid. */
    public Tiles with(long otherRows, long otherColumns) {
        return new Tiles(otherRows, otherColumns, gridRows, gridColumns);
    }

    /** How many ranks the grid has. */
    public int ranks() {
        return gridRows * gridColumns;
    }

    /** The row of the grid that a rank is in. */
    public int gridRow(int rank) {
        return rank / gridColumns;
    }

    /** The column of the grid that a rank is in. */
    public int gridColumn(int rank) {
        return rank % gridColumns;
    }

    /** How the rows of the matrix are cut between the rows of the grid. */
    public Layout rowCut() {
        return Layout.rows(gridRows, rows);
    }

    /** How the columns of the matrix are cut between the columns of the grid. */
    public Layout columnCut() {
        return Layout.rows(gridColumns, columns);
    }

    /** The space of such matrices over a group of ranks, as arrays of one dimension. */
    public DistributedSpace space(Communicator ranks, DType dtype) {
        if (ranks.size() != ranks())
            throw new IllegalArgumentException(ranks.name() + " has " + ranks.size() + " ranks; expected " + ranks()
                    + " for a grid of " + gridRows + " x " + gridColumns);
        long[] blocks = new long[ranks()];
        for (int r = 0; r < blocks.length; r++)
            blocks[r] = rowCut().block(gridRow(r)) * columnCut().block(gridColumn(r));
        return new DistributedSpace(ranks, Layout.blocks(0, blocks, Math.multiplyExact(rows, columns)), dtype);
    }

    /** This rank's tile of a matrix, sharing its memory. */
    public NDArray tile(DistributedArray matrix) {
        int rank = matrix.space().ranks().rank();
        return matrix.local().reshape(rowCut().block(gridRow(rank)), columnCut().block(gridColumn(rank)));
    }

    /**
     * The matrix whose elements every rank has; each copies its tile, nothing is sent.
     *
     * @param space the space of the result, one that {@link #space} gives
     * @param whole an array of shape (rows, columns) of the same type, on whichever device
     */
    public DistributedArray ofGlobal(DistributedSpace space, NDArray whole) {
        DistributedArray matrix = space.empty();
        tile(matrix).assign(part(whole, space.ranks().rank()));
        return matrix;
    }

    /** The whole matrix, on every rank. A collective: one all-gather. */
    public NDArray allGather(DistributedArray matrix) {
        NDArray whole = matrix.space().local().reshape(rows, columns).empty();
        try (NDArray flat = matrix.allGather()) {
            Layout layout = matrix.space().layout();
            for (int r = 0; r < ranks(); r++) {
                NDArray part = part(whole, r);
                part.assign(flat.slice(0, layout.start(r), layout.end(r)).reshape(part.shape()));
            }
        }
        return whole;
    }

    private NDArray part(NDArray whole, int rank) {
        Layout down = rowCut();
        Layout across = columnCut();
        int i = gridRow(rank);
        int j = gridColumn(rank);
        return whole.slice(0, down.start(i), down.end(i)).slice(1, across.start(j), across.end(j));
    }
}
