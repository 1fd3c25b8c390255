package io.penstock.operator;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Which columns the rows of a sum of {@link Band}s and the identity depend on. */
final class Reach {
    private final List<Band> bands;
    private final long headRows;
    private final long tailStart;

    Reach(List<Band> bands, long rows) {
        this.bands = bands;
        long head = 0;
        long tail = rows;
        for (Band band : bands) {
            head = Math.max(head, band.headRows());
            tail = Math.min(tail, band.tailStart());
        }
        headRows = head;
        tailStart = Math.max(head, tail);
    }

    /** The reach of the sum of this sum and another. */
    static Reach either(Reach a, Reach b, long rows) {
        return new Reach(Stream.concat(a.bands.stream(), b.bands.stream()).toList(), rows);
    }

    /** The first column that row {@code i} depends on, {@code i} at most. */
    private long first(long i) {
        long first = i;
        for (Band band : bands) first = Math.min(first, i + band.row(i).first());
        return first;
    }

    /** The last column that row {@code i} depends on, {@code i} at least. */
    private long last(long i) {
        long last = i;
        for (Band band : bands) last = Math.max(last, i + band.row(i).last());
        return last;
    }

    /** The first column that any of rows {@code from} to {@code to} depends on. */
    long firstNeeded(long from, long to) {
        long[] first = {from};
        forEachExtreme(from, to, i -> first[0] = Math.min(first[0], first(i)));
        return first[0];
    }

    /** The column after the last that any of rows {@code from} to {@code to} depends on. */
    long endNeeded(long from, long to) {
        long[] end = {to};
        forEachExtreme(from, to, i -> end[0] = Math.max(end[0], last(i) + 1));
        return end[0];
    }

    /** The first of rows {@code from} to {@code to} from which on none depends on a column before {@code from}. */
    long selfContainedFrom(long from, long to) {
        long start = from;
        for (long i = from; i < to; i++) {
            if (i < headRows || i >= tailStart) {
                if (first(i) < from) start = i + 1;
                continue;
            }
            long uniformTo = Math.min(to, tailStart);
            long reaching = Math.min(uniformTo, from + i - first(i));
            if (reaching > i) start = reaching;
            i = uniformTo - 1;
        }
        return start;
    }

    /** The first of rows {@code from} to {@code to} that depends on a column behind {@code to}; {@code to} if none does. */
    long selfContainedTo(long from, long to) {
        for (long i = from; i < to; i++) {
            if (i < headRows || i >= tailStart) {
                if (last(i) >= to) return i;
                continue;
            }
            long uniformTo = Math.min(to, tailStart);
            long reaching = Math.max(i, to + i - last(i));
            if (reaching < uniformTo) return reaching;
            i = uniformTo - 1;
        }
        return to;
    }

    private void forEachExtreme(long from, long to, LongConsumer row) {
        for (long i = from; i < Math.min(to, headRows); i++) row.accept(i);
        long start = Math.max(from, headRows);
        long end = Math.min(to, tailStart);
        if (start < end) {
            row.accept(start);
            row.accept(end - 1);
        }
        for (long i = Math.max(from, tailStart); i < to; i++) row.accept(i);
    }
}
