package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.comm.Request;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.Tiles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dense matrix on a grid of ranks as an operator between matrices on that grid, {@code Y = A X}; any sizes, any grid.
 *
 * <p>The columns of {@code A} and the rows of {@code X} are taken in panels, each of which lies in one column and in one row of the grid:
 * who has a panel broadcasts it along its row or column of the grid, and everybody adds the product of the two panels to its tile of
 * {@code Y} (SUMMA: van de Geijn and Watts, 1997). The adjoint broadcasts the panels of {@code A} likewise and adds up the products
 * with {@code Y} over the columns of the grid. So each element of {@code A} is broadcast once, and each of {@code X} forward; the next
 * panels travel while the product of the last ones is computed.
 */
public final class TiledMatrix extends LinearOperator<DistributedArray, DistributedArray> {
    /** The most columns of a panel: enough for a product to run at speed, few enough for the first not to be waited for long. */
    private static final long WIDEST = 2048;

    private final Tiles tiles;
    private final Tiles domainTiles;
    private final Tiles rangeTiles;
    private final DistributedArray matrix;
    private final int row;
    private final int column;
    private final List<Panel> panels = new ArrayList<>();
    private final List<Workspace<NDArray>> ofMatrix = new ArrayList<>();
    private final List<Workspace<NDArray>> ofVector = new ArrayList<>();
    private final List<Workspace<NDArray>> terms = new ArrayList<>();
    private @Nullable Groups groups;

    /** The ranks of this rank's row of the grid, and those of its column. */
    private record Groups(Communicator alongRow, Communicator alongColumn) {}

    /**
     * Columns {@code from} to {@code to} of the matrix, which are rows of what it is applied to.
     *
     * @param column which column of the grid has these columns of the matrix
     * @param row which row of the grid has these rows
     */
    private record Panel(long from, long to, int column, int row) {
        long width() {
            return to - from;
        }
    }

    /** A panel on its way. */
    private record Arriving(
            Panel panel, NDArray left, @Nullable NDArray right, List<Request> requests) {}

    private TiledMatrix(
            Tiles tiles,
            Tiles domainTiles,
            Tiles rangeTiles,
            DistributedSpace domain,
            DistributedSpace range,
            DistributedArray matrix) {
        super(domain, range);
        this.tiles = tiles;
        this.domainTiles = domainTiles;
        this.rangeTiles = rangeTiles;
        this.matrix = matrix;
        int rank = domain.ranks().rank();
        row = tiles.gridRow(rank);
        column = tiles.gridColumn(rank);
        addPanels();
        long width = panels.stream().mapToLong(Panel::width).max().orElse(0);
        long rows = tiles.rowCut().block(row);
        long columns = domainTiles.columnCut().block(column);
        for (int i = 0; i < 2; i++) {
            ofMatrix.add(new Workspace<>(Spaces.flat(domain, rows * width)));
            ofVector.add(new Workspace<>(Spaces.flat(domain, width * columns)));
            terms.add(new Workspace<>(Spaces.flat(domain, Math.max(rows, width) * columns)));
        }
    }

    /**
     * The operator of a matrix on a grid.
     *
     * @param tiles how the matrix of {@code n} rows and {@code k} columns is cut
     * @param matrix its elements, an array of {@link Tiles#space}; shared, not copied
     * @param columns how many columns the matrices have that it is applied to; they have {@code k} rows, the results {@code n}
     * @throws IllegalArgumentException when {@code matrix} is of another space, or holds integers
     */
    public static TiledMatrix of(Tiles tiles, DistributedArray matrix, long columns) {
        DistributedSpace space = matrix.space();
        if (space.dtype().isInteger())
            throw new IllegalArgumentException(
                    "the matrix holds " + space.dtype() + "; expected real or complex elements");
        Communicator ranks = space.ranks();
        Operands.requireSame(
                "the space of the matrix",
                space,
                tiles.space(ranks, space.dtype()).on(space.device()));
        Tiles domain = tiles.with(tiles.columns(), columns);
        Tiles range = tiles.with(tiles.rows(), columns);
        return new TiledMatrix(
                tiles,
                domain,
                range,
                domain.space(ranks, space.dtype()).on(space.device()),
                range.space(ranks, space.dtype()).on(space.device()),
                matrix);
    }

    /** How the matrices are cut that it is applied to. */
    public Tiles domainTiles() {
        return domainTiles;
    }

    /** How its results are cut. */
    public Tiles rangeTiles() {
        return rangeTiles;
    }

    private void addPanels() {
        Layout across = tiles.columnCut();
        Layout down = domainTiles.rowCut();
        long from = 0;
        while (from < tiles.columns()) {
            int ofColumn = across.owner(from);
            int ofRow = down.owner(from);
            long to = Math.min(Math.min(across.end(ofColumn), down.end(ofRow)), from + WIDEST);
            panels.add(new Panel(from, to, ofColumn, ofRow));
            from = to;
        }
    }

    private Groups groups() {
        Groups kept = groups;
        if (kept != null) return kept;
        Communicator ranks = ((DistributedSpace) domain()).ranks();
        groups = kept = new Groups(ranks.split(row, column), ranks.split(column, row));
        return kept;
    }

    /** Begins to bring the columns of the matrix, and with {@code x} its rows as well, to who needs them. */
    private Arriving begin(int p, @Nullable NDArray x) {
        Panel panel = panels.get(p);
        List<Request> requests = new ArrayList<>(2);
        NDArray own = tiles.tile(matrix);
        NDArray left = null;
        if (panel.column == column) {
            long start = tiles.columnCut().start(column);
            left = own.slice(1, panel.from - start, panel.to - start);
        }
        left = broadcast(
                left,
                ofMatrix.get(p % 2),
                new long[] {own.dim(0), panel.width()},
                groups().alongRow,
                panel.column,
                requests);
        if (x == null) return new Arriving(panel, left, null, requests);
        NDArray right = panel.row == row ? rows(x, panel) : null;
        long[] shape = {panel.width(), x.dim(1)};
        right = broadcast(right, ofVector.get(p % 2), shape, groups().alongColumn, panel.row, requests);
        return new Arriving(panel, left, right, requests);
    }

    /** What all ranks of a group have of a panel that one of them has; that one sends it from a contiguous array. */
    private static NDArray broadcast(
            @Nullable NDArray own,
            Workspace<NDArray> memory,
            long[] shape,
            Communicator group,
            int root,
            List<Request> requests) {
        if (own != null && group.size() == 1) return own;
        long size = shape[0] * shape[1];
        NDArray panel = memory.get().slice(0, 0, size).reshape(shape);
        if (size == 0) return panel;
        if (own != null) panel.assign(own);
        requests.add(group.ibroadcast(panel, root));
        return panel;
    }

    private NDArray rows(NDArray x, Panel panel) {
        long start = domainTiles.rowCut().start(row);
        return x.slice(0, panel.from - start, panel.to - start);
    }

    private NDArray term(int p, long rows, long columns) {
        return terms.get(p % 2).get().slice(0, 0, rows * columns).reshape(rows, columns);
    }

    @Override
    protected void applyForward(DistributedArray from, DistributedArray to) {
        NDArray x = domainTiles.tile(from);
        NDArray y = rangeTiles.tile(to);
        if (panels.isEmpty()) {
            y.fill(0);
            return;
        }
        Arriving next = begin(0, x);
        for (int p = 0; p < panels.size(); p++) {
            Arriving here = next;
            if (p + 1 < panels.size()) next = begin(p + 1, x);
            Request.awaitAll(here.requests);
            if (y.size() == 0 || here.right == null) continue;
            if (p == 0) here.left.matmul(here.right, y);
            else {
                NDArray term = term(p, y.dim(0), y.dim(1));
                here.left.matmul(here.right, term);
                y.axpy(1, term);
            }
        }
    }

    @Override
    protected void applyAdjoint(DistributedArray from, DistributedArray to) {
        NDArray y = rangeTiles.tile(from);
        NDArray x = domainTiles.tile(to);
        if (panels.isEmpty()) return;
        Arriving next = begin(0, null);
        for (int p = 0; p < panels.size(); p++) {
            Arriving here = next;
            if (p + 1 < panels.size()) next = begin(p + 1, null);
            Request.awaitAll(here.requests);
            if (x.dim(1) > 0) {
                NDArray term = term(p, here.panel.width(), x.dim(1));
                if (y.dim(0) == 0) term.fill(0);
                else here.left.adjointMatmul(y, term);
            }
            if (p > 0) collect(p - 1, x);
        }
        collect(panels.size() - 1, x);
    }

    /** Adds up a panel's products over the column of the grid, where they belong. */
    private void collect(int p, NDArray x) {
        if (x.dim(1) == 0) return;
        Panel panel = panels.get(p);
        NDArray term = term(p, panel.width(), x.dim(1));
        if (groups().alongColumn.size() > 1) groups().alongColumn.reduce(term, ReduceOp.SUM, panel.row);
        if (panel.row == row) rows(x, panel).assign(term);
    }

    /** Frees the memory and the groups that the operator keeps; to be called by every rank. */
    @Override
    public void close() {
        ofMatrix.forEach(Workspace::close);
        ofVector.forEach(Workspace::close);
        terms.forEach(Workspace::close);
        Groups kept = groups;
        if (kept == null) return;
        kept.alongRow.close();
        kept.alongColumn.close();
        groups = null;
    }

    @Override
    public String toString() {
        return "matrix of " + tiles.rows() + " x " + tiles.columns() + " on a grid of " + tiles.gridRows() + " x "
                + tiles.gridColumns();
    }
}
