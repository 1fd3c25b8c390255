package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.RangedKernel;
import io.penstock.runtime.jvm.JvmDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel made for those rows of a stencil's result, in host memory, that have the same taps: nearly all. It goes on from row to row without a
 * call each, which the loops of a {@link Sweep} need.
 */
final class RowKernel {
    /** The shortest rows that fill a vector, and the longest that a call each costs more than the kernel's beginning and end of a row. */
    private static final long SHORTEST = 16;

    private static final long LONGEST = 512;
    private static final long FEWEST_ROWS = 8;
    private static final int MOST_TAPS = 64;

    private final List<SweepAxis> axes;
    private final StencilPattern pattern;
    private final long[] in = new long[StencilPattern.AXES];
    private final long[] out = new long[StencilPattern.AXES];
    private final long[] size = new long[StencilPattern.AXES];
    private final long tail;
    private @Nullable RangedKernel setting;
    private @Nullable RangedKernel adding;

    private RowKernel(List<SweepAxis> axes, StencilPattern pattern) {
        this.axes = axes;
        this.pattern = pattern;
        for (int k = 0; k < size.length; k++) {
            in[k] = axes.get(k).inExtent();
            out[k] = axes.get(k).outExtent();
            size[k] = axes.get(k).extent();
        }
        SweepAxis columns = axes.getLast();
        tail = columns.uniformTo() - columns.from();
    }

    /** The kernel for the rows of merged axes that have the same taps; null where it would not be faster than the loops. */
    static @Nullable RowKernel of(DType real, List<SweepAxis> merged) {
        SweepAxis columns = merged.getLast();
        if (columns.isLeftAlone() || columns.extent() < SHORTEST || columns.extent() > LONGEST) return null;
        if (SweepEdges.isDense(columns)) return null;
        List<SweepAxis> padded = StencilPattern.padded(merged);
        if (padded == null || padded.getFirst().factors().isEmpty()) return null;
        List<SweepAxis> axes = new ArrayList<>();
        long rows = 1;
        for (SweepAxis axis : padded.subList(0, StencilPattern.AXES - 1)) {
            axes.add(axis.within(axis.uniformFrom(), axis.uniformTo()));
            rows *= axes.getLast().extent();
        }
        axes.add(columns);
        if (rows < FEWEST_ROWS) return null;
        StencilPattern pattern = StencilPattern.of(real == DType.F64, axes);
        return pattern == null || pattern.taps() > MOST_TAPS ? null : new RowKernel(axes, pattern);
    }

    /** How many rows it computes. */
    long rows() {
        return size[0] * size[1];
    }

    long elements() {
        return rows() * size[2];
    }

    /** The same for fewer rows, of a shorter array. */
    RowKernel ofFewer(long elements) {
        List<SweepAxis> fewer = new ArrayList<>(axes);
        long left = elements / size[2];
        for (int k = 0; k < fewer.size() - 1; k++) {
            long others = k == 0 ? size[1] : 1;
            long rows = Math.clamp(left / others, 2, Math.max(2, size[k]));
            if (rows < size[k]) fewer.set(k, axes.get(k).shorter(size[k] - rows));
            left = Math.max(2, left / Math.min(rows, size[k]));
        }
        return new RowKernel(fewer, pattern);
    }

    /** The axes of what it computes. */
    List<SweepAxis> axes() {
        return axes;
    }

    /** An array of reals to apply it to. */
    NDArray argument() {
        return NDArray.zeros(pattern.wide() ? DType.F64 : DType.F32, in);
    }

    /** An array of reals for what it finds. */
    NDArray result() {
        return NDArray.zeros(pattern.wide() ? DType.F64 : DType.F32, out);
    }

    /** Computes the rows; contiguous arrays that hold what the axes say. */
    void apply(NDArray x, NDArray y, boolean accumulate) {
        NDArray to = y.reals().reshape(out);
        for (int k = 0; k < size.length; k++) {
            SweepAxis axis = axes.get(k);
            long from = axis.from() - axis.outFrom();
            if (size[k] < out[k]) to = to.slice(k, from, from + size[k]);
        }
        kernel(accumulate).launch(JvmDevice.instance().direct(), to, x.reals().reshape(in), 0L, 0L, tail);
    }

    private RangedKernel kernel(boolean accumulate) {
        RangedKernel known = accumulate ? adding : setting;
        if (known != null) return known;
        known = PatternKernels.inRows(pattern, accumulate).over(size);
        if (accumulate) adding = known;
        else setting = known;
        return known;
    }
}
