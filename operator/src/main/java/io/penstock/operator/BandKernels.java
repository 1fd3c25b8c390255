package io.penstock.operator;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.Longs;
import io.penstock.kernel.RangedKernel;
import io.penstock.kernel.WorkItem;

/**
 * The kernels that apply a {@link Band} along the middle axis of arrays of three: each item computes an element, by one fused step a
 * tap in the order of the taps, as the host's loops do.
 *
 * <p>Row {@code i} has the taps from {@code starts[c]} to {@code starts[c + 1]}, where {@code c} counts the rows at the beginning, then
 * stands for all that are alike, then counts those at the end.
 */
final class BandKernels {
    /** The shortest innermost axis along which neighbouring items are worth their while. */
    private static final long SHORT = 32;

    private BandKernels() {}

    /** Of which kind a row is. */
    static long rowClass(long i, long head, long tailStart) {
        return i < head ? i : i < tailStart ? head : i - tailStart + head + 1;
    }

    private static float sum(
            Floats x, Longs starts, Longs offsets, Floats taps, long outer, long i, long inner, long c, float begin) {
        float sum = begin;
        long end = starts.get(c + 1);
        for (long t = starts.get(c); t < end; t++)
            sum = Math.fma(taps.get(t), x.get(outer, i + offsets.get(t), inner), sum);
        return sum;
    }

    private static double sum(
            Doubles x,
            Longs starts,
            Longs offsets,
            Doubles taps,
            long outer,
            long i,
            long inner,
            long c,
            double begin) {
        double sum = begin;
        long end = starts.get(c + 1);
        for (long t = starts.get(c); t < end; t++)
            sum = Math.fma(taps.get(t), x.get(outer, i + offsets.get(t), inner), sum);
        return sum;
    }

    static void rowsF32(
            WorkItem at, Floats y, Floats x, Longs starts, Longs offsets, Floats taps, long head, long tail, int add) {
        long c = rowClass(at.y(), head, tail);
        float begin = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        y.set(at.z(), at.y(), at.x(), sum(x, starts, offsets, taps, at.z(), at.y(), at.x(), c, begin));
    }

    static void rowsF64(
            WorkItem at,
            Doubles y,
            Doubles x,
            Longs starts,
            Longs offsets,
            Doubles taps,
            long head,
            long tail,
            int add) {
        long c = rowClass(at.y(), head, tail);
        double begin = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        y.set(at.z(), at.y(), at.x(), sum(x, starts, offsets, taps, at.z(), at.y(), at.x(), c, begin));
    }

    static void columnsF32(
            WorkItem at, Floats y, Floats x, Longs starts, Longs offsets, Floats taps, long head, long tail, int add) {
        long c = rowClass(at.x(), head, tail);
        float begin = add != 0 ? y.get(at.z(), at.x(), at.y()) : 0;
        y.set(at.z(), at.x(), at.y(), sum(x, starts, offsets, taps, at.z(), at.x(), at.y(), c, begin));
    }

    static void columnsF64(
            WorkItem at,
            Doubles y,
            Doubles x,
            Longs starts,
            Longs offsets,
            Doubles taps,
            long head,
            long tail,
            int add) {
        long c = rowClass(at.x(), head, tail);
        double begin = add != 0 ? y.get(at.z(), at.x(), at.y()) : 0;
        y.set(at.z(), at.x(), at.y(), sum(x, starts, offsets, taps, at.z(), at.x(), at.y(), c, begin));
    }

    /** The kernel for results of shape (outer, rows, inner). */
    static RangedKernel of(boolean single, long outer, long rows, long inner) {
        if (inner >= SHORT)
            return single
                    ? Kernel.of(BandKernels::rowsF32).over(outer, rows, inner)
                    : Kernel.of(BandKernels::rowsF64).over(outer, rows, inner);
        return single
                ? Kernel.of(BandKernels::columnsF32).over(outer, inner, rows)
                : Kernel.of(BandKernels::columnsF64).over(outer, inner, rows);
    }
}
