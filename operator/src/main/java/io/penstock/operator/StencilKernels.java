package io.penstock.operator;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Longs;
import io.penstock.kernel.WorkItem;

/**
 * The kernels that add up bands along up to three axes of an array: each item computes an element, by one fused step a tap, band after band.
 *
 * <p>The rows of a band are of kinds, as in {@link BandKernels}; those of the next band count on. Kind {@code c} has the taps from
 * {@code starts[c]} to {@code starts[c + 1]}.
 */
final class StencilKernels {
    private StencilKernels() {}

    /**
     * The bands, in their order: along which axis, where the rows begin and end that are alike, and the first of its kinds; then how far
     * apart planes and rows of the flat array are.
     */
    record Slots(
            long axisA,
            long headA,
            long tailA,
            long kindA,
            long axisB,
            long headB,
            long tailB,
            long kindB,
            long axisC,
            long headC,
            long tailC,
            long kindC,
            long plane,
            long row) {
        static Slots of(long[] a, long[] b, long[] c, long plane, long row) {
            return new Slots(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3], plane, row);
        }
    }

    /** The kind of the item's row along an axis. */
    private static long kind(WorkItem at, long axis, long head, long tail, long first) {
        long i = axis == 0 ? at.z() : axis == 1 ? at.y() : at.x();
        return first + BandKernels.rowClass(i, head, tail);
    }

    private static float sum(Floats x, Longs starts, Longs offsets, Floats taps, long place, long kind, float begin) {
        float sum = begin;
        long end = starts.get(kind + 1);
        for (long t = starts.get(kind); t < end; t++) sum = Math.fma(taps.get(t), x.get(place + offsets.get(t)), sum);
        return sum;
    }

    private static double sum(
            Doubles x, Longs starts, Longs offsets, Doubles taps, long place, long kind, double begin) {
        double sum = begin;
        long end = starts.get(kind + 1);
        for (long t = starts.get(kind); t < end; t++) sum = Math.fma(taps.get(t), x.get(place + offsets.get(t)), sum);
        return sum;
    }

    static void sumF32(WorkItem at, Floats y, Floats x, Longs starts, Longs offsets, Floats taps, Slots s, int add) {
        long place = at.z() * s.plane() + at.y() * s.row() + at.x();
        float sum = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisA(), s.headA(), s.tailA(), s.kindA()), sum);
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisB(), s.headB(), s.tailB(), s.kindB()), sum);
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisC(), s.headC(), s.tailC(), s.kindC()), sum);
        y.set(at.z(), at.y(), at.x(), sum);
    }

    static void sumF64(WorkItem at, Doubles y, Doubles x, Longs starts, Longs offsets, Doubles taps, Slots s, int add) {
        long place = at.z() * s.plane() + at.y() * s.row() + at.x();
        double sum = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisA(), s.headA(), s.tailA(), s.kindA()), sum);
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisB(), s.headB(), s.tailB(), s.kindB()), sum);
        sum = sum(x, starts, offsets, taps, place, kind(at, s.axisC(), s.headC(), s.tailC(), s.kindC()), sum);
        y.set(at.z(), at.y(), at.x(), sum);
    }
}
