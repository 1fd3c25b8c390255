package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.operator.SweepAxis.Factor;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * How a row of a {@link Sweep} is cut into stretches of columns: one with the same taps in all its columns, and those at its ends
 * whose columns are special, which are computed one by one, or where they are many as products with dense matrices.
 */
final class SweepEdges {
    /** Up to so many special columns are computed one by one. */
    private static final long FEW = 4;
    /** The most columns that one dense matrix serves. */
    private static final long MOST = 64;
    /** Columns are computed in vectors of so many. */
    private static final long LANES = 8;

    /** Columns {@code start} to {@code end}; all with the same taps when there are no matrices, else one matrix a term. */
    record Stretch(long start, long end, List<Matrix> matrices) {}

    /** A term's coefficients for a stretch, input column by input column from {@code from} to {@code to}. */
    record Matrix(long from, long to, long offset) {}

    private final SweepAxis axis;
    private final DType real;
    private final List<Stretch> stretches = new ArrayList<>();
    private final MemorySegment memory;
    private long used;

    SweepEdges(DType real, SweepAxis axis) {
        this.axis = axis;
        this.real = real;
        long start = axis.uniformFrom();
        long end = axis.uniformTo();
        if (start - axis.from() > FEW) start = Math.min(end, axis.from() + roundUp(start - axis.from()));
        if (axis.to() - end > FEW) end = Math.max(start, axis.to() - roundUp(axis.to() - end));
        edge(axis.from(), start);
        if (start < end) stretches.add(new Stretch(start, end, List.of()));
        edge(end, axis.to());
        memory = Arena.ofAuto().allocate(Math.max(1, used) * real.bytes(), 64);
        for (Stretch stretch : stretches) fill(stretch);
    }

    private static long roundUp(long columns) {
        return (columns + LANES - 1) / LANES * LANES;
    }

    private void edge(long from, long to) {
        if (to - from <= FEW) {
            for (long i = from; i < to; i++) stretches.add(new Stretch(i, i + 1, List.of()));
            return;
        }
        for (long i = from; i < to; i += MOST) {
            long end = Math.min(i + MOST, to);
            List<Matrix> matrices = new ArrayList<>();
            for (Factor factor : axis.factors()) matrices.add(matrix(factor, i, end));
            stretches.add(new Stretch(i, end, matrices));
        }
    }

    private Matrix matrix(Factor factor, long start, long end) {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (long i = start; i < end; i++) {
            BandRow row = factor.row(i);
            if (row.isEmpty()) continue;
            from = Math.min(from, i + row.first());
            to = Math.max(to, i + row.last() + 1);
        }
        if (from > to) from = to = start;
        Matrix matrix = new Matrix(from, to, used);
        used += (to - from) * (end - start);
        return matrix;
    }

    private void fill(Stretch stretch) {
        long height = stretch.end - stretch.start;
        for (int t = 0; t < stretch.matrices.size(); t++) {
            Matrix matrix = stretch.matrices.get(t);
            Factor factor = axis.factors().get(t);
            for (long i = stretch.start; i < stretch.end; i++) {
                long column = i - stretch.start;
                long row = i;
                factor.row(i)
                        .forEach((offset, coefficient) ->
                                set(matrix.offset + (row + offset - matrix.from) * height + column, coefficient));
            }
        }
    }

    private void set(long element, double coefficient) {
        long address = memory.address() + element * real.bytes();
        if (real == DType.F32) HostMemory.ALL.set(ValueLayout.JAVA_FLOAT, address, (float) coefficient);
        else HostMemory.ALL.set(ValueLayout.JAVA_DOUBLE, address, coefficient);
    }

    /** Whether special columns are so many that they are products with matrices, whose terms are added up in another order. */
    static boolean isDense(SweepAxis columns) {
        return columns.uniformFrom() - columns.from() > FEW || columns.to() - columns.uniformTo() > FEW;
    }

    List<Stretch> stretches() {
        return stretches;
    }

    /** Where the matrices lie; valid while this object is reachable. */
    long address() {
        return memory.address();
    }
}
