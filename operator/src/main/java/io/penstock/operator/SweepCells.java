package io.penstock.operator;

import io.penstock.array.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of rows that a {@link Sweep} meets, and for each the runs that compute its columns.
 *
 * <p>Along each axis the rows with special coefficients are a kind each, and all others are one kind together. The runs of a
 * combination of kinds are worked out when it is first met.
 */
final class SweepCells {
    private final DType real;
    private final SweepAxis[] axes;
    private final long[] inStrides;
    private final long[] uniformFrom;
    private final long[] uniformTo;
    private final SweepEdges edges;
    private final AtomicReferenceArray<SweepRun @Nullable []> runs;

    SweepCells(DType real, SweepAxis[] axes, long[] inStrides) {
        this.real = real;
        this.axes = axes;
        this.inStrides = inStrides;
        int rows = axes.length - 1;
        uniformFrom = new long[rows];
        uniformTo = new long[rows];
        long kinds = 1;
        for (int k = rows - 1; k >= 0; k--) {
            uniformFrom[k] = axes[k].uniformFrom();
            uniformTo[k] = axes[k].uniformTo();
            kinds = Math.multiplyExact(kinds, kinds(k));
        }
        edges = new SweepEdges(real, axes[rows]);
        runs = new AtomicReferenceArray<>(Math.toIntExact(kinds));
    }

    private long kinds(int k) {
        return uniformFrom[k] - axes[k].from() + 1 + axes[k].to() - uniformTo[k];
    }

    /** How many taps a column has where no axis is near its end. */
    int typicalTaps() {
        long[] at = new long[axes.length - 1];
        for (int k = 0; k < at.length; k++)
            at[k] = Math.max(axes[k].from(), Math.min(uniformFrom[k], axes[k].to() - 1));
        SweepAxis columns = axes[at.length];
        if (columns.extent() == 0) return 0;
        for (int k = 0; k < at.length; k++) if (axes[k].extent() == 0) return 0;
        return taps(at, Math.min(columns.uniformFrom(), columns.to() - 1)).count();
    }

    /** The runs that compute the columns of the row with these indices. */
    SweepRun[] at(long[] row) {
        int kind = 0;
        for (int k = 0; k < row.length; k++) {
            long i = row[k];
            long own = i < uniformFrom[k]
                    ? i - axes[k].from()
                    : uniformFrom[k] - axes[k].from() + (i < uniformTo[k] ? 0 : 1 + i - uniformTo[k]);
            kind = (int) (kind * kinds(k) + own);
        }
        SweepRun[] known = runs.getAcquire(kind);
        if (known == null) {
            known = build(row);
            runs.setRelease(kind, known);
        }
        return known;
    }

    private SweepRun[] build(long[] row) {
        SweepAxis columns = axes[axes.length - 1];
        List<SweepRun> built = new ArrayList<>();
        for (SweepEdges.Stretch stretch : edges.stretches()) {
            if (stretch.matrices().isEmpty()) {
                long end = columns.isLeftAlone() ? Long.MAX_VALUE : stretch.end();
                built.add(new SweepRun.Uniform(real, stretch.start(), end, taps(row, stretch.start())));
            } else built.add(dense(row, stretch));
        }
        return built.toArray(SweepRun[]::new);
    }

    /** The taps of one column of a row. */
    private TapList taps(long[] row, long column) {
        long[] element = Arrays.copyOf(row, axes.length);
        element[row.length] = column;
        TapList.Builder taps = new TapList.Builder();
        ElementTaps.of(List.of(axes), element).forEach((offsets, coefficient) -> {
            long place = 0;
            for (int k = 0; k < axes.length; k++) place += offsets.get(k) * inStrides[k];
            taps.append(place, coefficient);
        });
        return taps.build();
    }

    private SweepRun dense(long[] row, SweepEdges.Stretch stretch) {
        TapList.Builder inputs = new TapList.Builder();
        List<Long> matrix = new ArrayList<>();
        long height = stretch.end() - stretch.start();
        for (int t = 0; t < axes[0].factors().size(); t++) {
            SweepEdges.Matrix m = stretch.matrices().get(t);
            visit(t, row, 0, 0, 1, (offset, coefficient) -> {
                for (long column = m.from(); column < m.to(); column++) {
                    inputs.append(offset + column, coefficient);
                    matrix.add(m.offset() + (column - m.from()) * height);
                }
            });
        }
        return new SweepRun.Dense(
                real,
                stretch.start(),
                stretch.end(),
                edges.address(),
                matrix.stream().mapToLong(Long::longValue).toArray(),
                inputs.build());
    }

    private interface OuterTap {
        void visit(long offset, double coefficient);
    }

    /** Shows the products of the coefficients that a term has along all axes but the last. */
    private void visit(int term, long[] row, int k, long offset, double product, OuterTap visitor) {
        if (k == row.length) {
            visitor.visit(offset, product);
            return;
        }
        axes[k].factors()
                .get(term)
                .row(row[k])
                .forEach((along, coefficient) ->
                        visit(term, row, k + 1, offset + along * inStrides[k], product * coefficient, visitor));
    }
}
