package io.penstock.operator;

import io.penstock.operator.SweepAxis.Factor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that decides about a stencil's results but for extents: which elements are added up with which coefficients, for each kind of element.
 *
 * <p>Along each of three axes the first rows are a kind each, those that are alike are one kind together, and the last rows are a kind each
 * again, as in a {@link Sweep}.
 *
 * @param wide whether the numbers are doubles
 * @param axes the kinds along each axis
 * @param cells the taps of each combination of kinds, the last axis' first
 * @param covered whether for each element of the result there is one of the argument with the same indices
 */
record StencilPattern(boolean wide, List<Kinds> axes, List<List<Tap>> cells, boolean covered) {
    /** The axes of a kernel's range. */
    static final int AXES = 3;

    /** The most cells, and the most taps of all together. */
    private static final int MOST = 1 << 16;

    /**
     * The kinds of rows along an axis.
     *
     * @param head how many rows at the beginning are a kind each; all where none are alike
     * @param uniform whether there are rows that are alike
     * @param tail how many rows at the end are a kind each
     */
    record Kinds(int head, boolean uniform, int tail) {
        int count() {
            return head + (uniform ? 1 : 0) + tail;
        }
    }

    /** An element, by how far its index is from the result's along each axis, and its coefficient. */
    record Tap(long z, long y, long x, double coefficient) {
        /** The same element with another coefficient. */
        Tap times(double other) {
            return new Tap(z, y, x, other);
        }

        Tap place() {
            return times(1);
        }
    }

    /**
     * What some of the rows of arrays are computed by; null where there are more axes than a kernel has, or too many taps.
     *
     * @param axes three, of which each has at least one row; see {@link #padded}
     */
    static @Nullable StencilPattern of(boolean wide, List<SweepAxis> axes) {
        List<long[]> rows = new ArrayList<>();
        List<Kinds> kinds = new ArrayList<>();
        long cells = 1;
        for (SweepAxis axis : axes) {
            long head = axis.uniformFrom() - axis.from();
            long tail = axis.to() - axis.uniformTo();
            boolean uniform = axis.uniformFrom() < axis.uniformTo();
            cells *= head + tail + 1;
            if (head + tail > MOST || cells > MOST) return null;
            kinds.add(uniform ? new Kinds((int) head, true, (int) tail) : new Kinds((int) (head + tail), false, 0));
            rows.add(first(axis, kinds.getLast()));
        }
        List<List<Tap>> taps = new ArrayList<>();
        int count = 0;
        for (long z : rows.get(0))
            for (long y : rows.get(1))
                for (long x : rows.get(2)) {
                    List<Tap> cell = taps(wide, axes, new long[] {z, y, x});
                    count += cell.size();
                    if (count > MOST) return null;
                    taps.add(cell);
                }
        boolean covered = axes.stream().allMatch(axis -> axis.inExtent() >= axis.extent());
        return new StencilPattern(wide, List.copyOf(kinds), List.copyOf(taps), covered);
    }

    /** How many taps all cells have together. */
    int taps() {
        return cells.stream().mapToInt(List::size).sum();
    }

    /** How many elements any of the cells has a tap for. */
    int places() {
        return (int)
                cells.stream().flatMap(List::stream).map(Tap::place).distinct().count();
    }

    /** Axes with others of one row before them, so that there are three; null where there are more. */
    static @Nullable List<SweepAxis> padded(List<SweepAxis> axes) {
        if (axes.size() > AXES) return null;
        List<SweepAxis> padded = new ArrayList<>(axes);
        List<Factor> alone =
                axes.getFirst().factors().stream().map(f -> new Factor(null)).toList();
        while (padded.size() < AXES) padded.addFirst(SweepAxis.whole(alone, 1, 1));
        return padded;
    }

    /** The first row of each kind. */
    private static long[] first(SweepAxis axis, Kinds kinds) {
        long[] first = new long[kinds.count()];
        for (int c = 0; c < first.length; c++) {
            boolean behind = c > kinds.head;
            first[c] = behind ? axis.uniformTo() + c - kinds.head - 1 : axis.from() + c;
        }
        return first;
    }

    private static List<Tap> taps(boolean wide, List<SweepAxis> axes, long[] row) {
        List<Tap> taps = new ArrayList<>();
        ElementTaps.of(axes, row).forEach((offsets, coefficient) -> {
            long[] from = new long[AXES];
            for (int k = 0; k < AXES; k++)
                from[k] = offsets.get(k) + axes.get(k).from() - axes.get(k).inFrom();
            taps.add(new Tap(from[0], from[1], from[2], wide ? coefficient : (float) (double) coefficient));
        });
        return List.copyOf(taps);
    }
}
