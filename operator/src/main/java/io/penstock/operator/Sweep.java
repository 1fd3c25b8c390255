package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.runtime.Device;
import java.lang.ref.Reference;
import java.util.List;

/**
 * A {@link Stencil} made ready for arrays of one type in C-ordered memory, and the loops that apply it.
 *
 * <p>Each element is written once, by one call of {@code Taps} a run, over runs that are as long as memory order allows: a
 * stencil along an outer axis runs over whole blocks of rows at once. Where it has so many taps that the rows it reads would fall
 * out of the first-level cache, it runs over narrow panels of columns instead. Blocks of rows are shared out over the cores.
 */
final class Sweep {
    /** Bytes of what one panel reads again from row to row; half of a first-level cache. */
    private static final long PANEL_BYTES = 24 << 10;
    /** Taps below which reading rows again from the second-level cache costs nothing. */
    private static final int MANY_TAPS = 8;
    /** Multiplications in a block, the unit that cores share out. */
    private static final long BLOCK = 1 << 18;
    /** The most columns of a block. */
    private static final long WIDEST = 1 << 16;

    /** The part of one axis that lies in memory, in rows of the global array; what is not named lies there whole. */
    record Window(int axis, long inFrom, long inTo, long outFrom, long outTo, long from, long to) {}

    private final DType real;
    private final SweepCells cells;
    private final SweepAxis[] axes;
    private final long[] inStrides;
    private final long[] outStrides;
    private final long outer;
    private final long panel;
    private final long rowBlock;
    private final long rowsUniformFrom;
    private final long rowsUniformTo;

    /** A stencil over arrays of reals whose axes are merged. */
    Sweep(DType real, List<SweepAxis> merged) {
        this.real = real;
        this.axes = merged.toArray(SweepAxis[]::new);
        int n = axes.length;
        inStrides = new long[n];
        outStrides = new long[n];
        inStrides[n - 1] = outStrides[n - 1] = 1;
        for (int k = n - 2; k >= 0; k--) {
            inStrides[k] = inStrides[k + 1] * axes[k + 1].inExtent();
            outStrides[k] = outStrides[k + 1] * axes[k + 1].outExtent();
        }
        long count = 1;
        for (int k = 0; k < n - 2; k++) count *= axes[k].extent();
        outer = count;
        cells = new SweepCells(real, axes, inStrides);
        long width = axes[n - 1].extent();
        int taps = cells.typicalTaps();
        boolean panels = columns().isLeftAlone() && taps >= MANY_TAPS && taps * width * real.bytes() > PANEL_BYTES;
        panel = Math.clamp(panels ? PANEL_BYTES / taps / real.bytes() & -64 : WIDEST, 64, Math.max(64, width));
        rowBlock = Math.max(panels ? 128 : 1, BLOCK / Math.max(1, taps) / panel);
        rowsUniformFrom = rows().uniformFrom();
        rowsUniformTo = rows().uniformTo();
    }

    private SweepAxis columns() {
        return axes[axes.length - 1];
    }

    private SweepAxis rows() {
        return axes[axes.length - 2];
    }

    /**
     * Applies the stencil.
     *
     * @param yAddress where the first element held of the result lies
     * @param xAddress where the first element held of the argument lies
     * @param accumulate whether to add to the result
     * @param others whether to compute only those rows that have taps of their own, along any axis but the last
     */
    void run(long yAddress, long xAddress, boolean accumulate, boolean others) {
        long panels = (columns().extent() + panel - 1) / panel;
        long blocks = (rows().extent() + rowBlock - 1) / rowBlock;
        try {
            Device.jvm().queue().parallel(outer * panels * blocks, 1, (from, to) -> {
                Cursor cursor = new Cursor(yAddress, xAddress, accumulate, others);
                for (long unit = from; unit < to; unit++) {
                    long column = unit / blocks % panels * panel;
                    long row = unit % blocks * rowBlock;
                    cursor.block(
                            unit / blocks / panels,
                            row,
                            Math.min(row + rowBlock, rows().extent()),
                            column,
                            Math.min(column + panel, columns().extent()));
                }
            });
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** One core's way through its blocks. */
    private final class Cursor {
        private final long yAddress;
        private final long xAddress;
        private final boolean accumulate;
        private final boolean others;
        private final long[] at = new long[axes.length - 1];
        private final SweepRun.Scratch scratch = new SweepRun.Scratch();

        Cursor(long yAddress, long xAddress, boolean accumulate, boolean others) {
            this.yAddress = yAddress;
            this.xAddress = xAddress;
            this.accumulate = accumulate;
            this.others = others;
        }

        /** Computes rows and columns, counted from the first computed ones, of one outer index. */
        void block(long outerIndex, long rowFrom, long rowTo, long columnFrom, long columnTo) {
            long rest = outerIndex;
            boolean uniform = true;
            for (int k = axes.length - 3; k >= 0; k--) {
                at[k] = axes[k].from() + rest % axes[k].extent();
                rest /= axes[k].extent();
                uniform &= at[k] >= axes[k].uniformFrom() && at[k] < axes[k].uniformTo();
            }
            SweepAxis rows = rows();
            boolean mergeable = columns().isLeftAlone()
                    && columnTo - columnFrom == columns().extent();
            long first = rows.from() + rowFrom;
            long end = rows.from() + rowTo;
            for (long i = first; i < end; ) {
                if (others && uniform && i >= rowsUniformFrom && i < rowsUniformTo) {
                    i = rowsUniformTo;
                    continue;
                }
                at[axes.length - 2] = i;
                long times =
                        mergeable && i >= rowsUniformFrom && i < rowsUniformTo ? Math.min(end, rowsUniformTo) - i : 1;
                line(columnFrom, columnTo, times);
                i += times;
            }
        }

        /** Computes columns of the row that {@link #at} names, and of the next ones where they have the same taps. */
        private void line(long columnFrom, long columnTo, long times) {
            long x = -columns().inFrom();
            long y = -columns().outFrom();
            for (int k = 0; k < at.length; k++) {
                x += (at[k] - axes[k].inFrom()) * inStrides[k];
                y += (at[k] - axes[k].outFrom()) * outStrides[k];
            }
            long from = columns().from() + columnFrom;
            long to = columns().from() + columnTo + (times - 1) * columns().extent();
            long bytes = real.bytes();
            for (SweepRun run : cells.at(at))
                run.apply(yAddress + y * bytes, xAddress + x * bytes, from, to, accumulate, scratch);
        }
    }
}
