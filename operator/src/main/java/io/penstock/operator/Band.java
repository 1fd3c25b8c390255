package io.penstock.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A sparse matrix along one axis whose rows are all alike but for some at both ends: the matrix of a stencil.
 *
 * <p>Row {@code i} holds coefficients at columns {@code i + offset}. Rows {@code headRows() <= i < tailStart()} share one
 * {@link BandRow}; those before and after have their own, for instance because the stencil would leave the axis there. Rows
 * never refer to columns outside {@code [0, columns)}, so a band needs no other boundary rule. Any number of rows and columns
 * is possible, fewer than the stencil is wide included.
 *
 * <p>Transposes and products are computed exactly, row by row, so the adjoint of everything that is made of bands is true by
 * construction.
 */
final class Band {
    private final long rows;
    private final long columns;
    private final List<BandRow> head;
    private final BandRow uniform;
    private final List<BandRow> tail;

    private Band(long rows, long columns, List<BandRow> head, BandRow uniform, List<BandRow> tail) {
        this.rows = rows;
        this.columns = columns;
        this.head = List.copyOf(head);
        this.uniform = uniform;
        this.tail = List.copyOf(tail);
    }

    /**
     * A band given by its rows.
     *
     * @param from the first of the rows that equal {@code uniform}
     * @param to the end of those rows; there are none where it does not exceed {@code from}
     * @param special the other rows, by index
     */
    static Band of(long rows, long columns, long from, long to, BandRow uniform, LongFunction<BandRow> special) {
        long start = Math.clamp(from, 0, rows);
        long end = Math.clamp(to, start, rows);
        if (start == end) start = end = rows;
        List<BandRow> head = new ArrayList<>();
        for (long i = 0; i < start; i++) head.add(special.apply(i));
        List<BandRow> tail = new ArrayList<>();
        for (long i = end; i < rows; i++) tail.add(special.apply(i));
        return new Band(rows, columns, head, start == end ? BandRow.EMPTY : uniform, tail);
    }

    /** The square band whose rows equal {@code uniform} wherever that stays within the axis, and are as given elsewhere. */
    static Band square(long n, BandRow uniform, LongFunction<BandRow> special) {
        return of(n, n, -uniform.first(), n - uniform.last(), uniform, special);
    }

    /** {@code y[i] = sum over k of h[k] x[i + offset - k]} for {@code i < rows}, where {@code x} is zero beyond its ends. */
    static Band convolution(double[] h, long offset, long rows, long columns) {
        BandRow.Builder uniform = new BandRow.Builder();
        for (int k = 0; k < h.length; k++) uniform.add(offset - k, h[k]);
        BandRow row = uniform.build();
        return of(rows, columns, -row.first(), columns - row.last(), row, i -> row.within(-i, columns - i));
    }

    /** {@code y[i] = x[i + offset]} where that exists, else zero. */
    static Band shift(long offset, long rows, long columns) {
        return convolution(new double[] {1}, offset, rows, columns);
    }

    long rows() {
        return rows;
    }

    long columns() {
        return columns;
    }

    /** How many rows at the beginning are not {@link #uniform}. */
    long headRows() {
        return head.size();
    }

    /** The first row after those that are {@link #uniform}. */
    long tailStart() {
        return rows - tail.size();
    }

    BandRow row(long i) {
        if (i < head.size()) return head.get((int) i);
        long start = tailStart();
        return i < start ? uniform : tail.get((int) (i - start));
    }

    /** The transpose. */
    Band transposed() {
        long from = headRows() + uniform.last();
        long to = tailStart() + uniform.first();
        for (int i = 0; i < head.size(); i++)
            if (!head.get(i).isEmpty()) from = Math.max(from, i + head.get(i).last() + 1);
        for (int i = 0; i < tail.size(); i++)
            if (!tail.get(i).isEmpty())
                to = Math.min(to, tailStart() + i + tail.get(i).first());
        from = Math.clamp(from, 0, columns);
        to = Math.clamp(to, 0, columns);
        if (from >= to || headRows() == rows) from = to = columns;
        BandRow.Builder[] special = new BandRow.Builder[Math.toIntExact(from + columns - to)];
        for (int j = 0; j < special.length; j++) special[j] = new BandRow.Builder();
        long until = Math.min(rows, from - uniform.first());
        long resume = Math.max(until, Math.min(tailStart(), to - uniform.last()));
        for (long i = 0; i < Math.max(headRows(), until); i++) scatter(i, from, to, special);
        for (long i = Math.max(headRows(), resume); i < rows; i++) scatter(i, from, to, special);
        BandRow.Builder mirrored = new BandRow.Builder();
        uniform.forEach((offset, coefficient) -> mirrored.add(-offset, coefficient));
        long start = from;
        long skipped = to - from;
        return of(columns, rows, from, to, mirrored.build(), j -> special[(int) (j < start ? j : j - skipped)].build());
    }

    /** Adds row {@code i} to the columns outside {@code [from, to)}. */
    private void scatter(long i, long from, long to, BandRow.Builder[] special) {
        row(i).forEach((offset, coefficient) -> {
            long j = i + offset;
            if (j < from) special[(int) j].add(-offset, coefficient);
            else if (j >= to) special[(int) (j - (to - from))].add(-offset, coefficient);
        });
    }

    /** The matrix product of this band and another: first {@code b}, then this. */
    Band times(Band b) {
        if (columns != b.rows) throw new IllegalArgumentException("b has " + b.rows + " rows; expected " + columns);
        long from = Math.max(headRows(), b.headRows() - uniform.first());
        long to = Math.min(tailStart(), b.tailStart() - uniform.last());
        return of(rows, b.columns, from, to, product(uniform, o -> b.uniform), i -> product(row(i), o -> b.row(i + o)));
    }

    private static BandRow product(BandRow a, LongFunction<BandRow> b) {
        BandRow.Builder product = new BandRow.Builder();
        a.forEach((offset, coefficient) ->
                b.apply(offset).forEach((more, factor) -> product.add(offset + more, coefficient * factor)));
        return product.build();
    }

    /** This band times a number. */
    Band scaled(double alpha) {
        return of(rows, columns, headRows(), tailStart(), uniform.scaled(alpha), i -> row(i).scaled(alpha));
    }

    /** Rows {@code from} to {@code to}, of which none refers to a column outside {@code inFrom} to {@code inTo}, as a band of these. */
    Band window(long inFrom, long inTo, long from, long to) {
        long by = from - inFrom;
        return of(
                to - from,
                inTo - inFrom,
                headRows() - from,
                tailStart() - from,
                uniform.moved(by),
                i -> row(from + i).moved(by));
    }

    /** The band that does to each of {@code times} interleaved sequences what this one does to one. */
    Band interleaved(long times) {
        if (times == 1) return this;
        return of(
                rows * times,
                columns * times,
                headRows() * times,
                tailStart() * times,
                uniform.spread(times),
                i -> row(i / times).spread(times));
    }
}
