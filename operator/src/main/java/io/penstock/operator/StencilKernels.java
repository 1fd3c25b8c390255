package io.penstock.operator;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Longs;
import io.penstock.kernel.WorkItem;

/**
 * The kernels that apply any {@link StencilPattern}, whose taps they read from memory: each item computes an element, by one step a tap.
 *
 * <p>Cell {@code c} has the taps from {@code starts[c]} to {@code starts[c + 1]}; their offsets count elements of the flat array.
 */
final class StencilKernels {
    private StencilKernels() {}

    /**
     * Where the kinds of rows begin and end along each axis, how many there are along the last two, and how far apart planes and rows of the
     * flat array are.
     */
    record Layout(
            long headZ,
            long tailZ,
            long headY,
            long tailY,
            long kindsY,
            long headX,
            long tailX,
            long kindsX,
            long plane,
            long row) {}

    private static long cell(WorkItem at, Layout l) {
        long z = BandKernels.rowClass(at.z(), l.headZ(), l.tailZ());
        long y = BandKernels.rowClass(at.y(), l.headY(), l.tailY());
        return (z * l.kindsY() + y) * l.kindsX() + BandKernels.rowClass(at.x(), l.headX(), l.tailX());
    }

    static void sumF32(WorkItem at, Floats y, Floats x, Longs starts, Longs offsets, Floats taps, Layout l, int add) {
        long place = at.z() * l.plane() + at.y() * l.row() + at.x();
        long cell = cell(at, l);
        long t = starts.get(cell);
        long end = starts.get(cell + 1);
        float sum = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        if (add == 0 && t < end) {
            sum = taps.get(t) * x.get(place + offsets.get(t));
            t++;
        }
        for (; t < end; t++) sum = Math.fma(taps.get(t), x.get(place + offsets.get(t)), sum);
        y.set(at.z(), at.y(), at.x(), sum);
    }

    static void sumF64(
            WorkItem at, Doubles y, Doubles x, Longs starts, Longs offsets, Doubles taps, Layout l, int add) {
        long place = at.z() * l.plane() + at.y() * l.row() + at.x();
        long cell = cell(at, l);
        long t = starts.get(cell);
        long end = starts.get(cell + 1);
        double sum = add != 0 ? y.get(at.z(), at.y(), at.x()) : 0;
        if (add == 0 && t < end) {
            sum = taps.get(t) * x.get(place + offsets.get(t));
            t++;
        }
        for (; t < end; t++) sum = Math.fma(taps.get(t), x.get(place + offsets.get(t)), sum);
        y.set(at.z(), at.y(), at.x(), sum);
    }
}
