package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Kernel;
import io.penstock.operator.StencilPattern.Kinds;
import io.penstock.operator.StencilPattern.Tap;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;

/** A {@link StencilPattern} as {@link StencilKernels} read it from the memory of a device. */
record PatternTable(boolean wide, NDArray starts, NDArray offsets, NDArray taps, StencilKernels.Layout layout) {
    /**
     * The table.
     *
     * @param in the extents of the array that the stencil is applied to
     * @param tails along each axis the first row after those that are alike
     */
    static PatternTable of(StencilPattern pattern, long[] in, long[] tails, Device device) {
        int count = Math.max(1, pattern.taps());
        long[] starts = new long[pattern.cells().size() + 1];
        long[] offsets = new long[count];
        double[] coefficients = new double[count];
        int next = 0;
        for (int cell = 0; cell < starts.length - 1; cell++) {
            for (Tap tap : pattern.cells().get(cell)) {
                offsets[next] = (tap.z() * in[1] + tap.y()) * in[2] + tap.x();
                coefficients[next++] = tap.coefficient();
            }
            starts[cell + 1] = next;
        }
        Kinds z = pattern.axes().get(0);
        Kinds y = pattern.axes().get(1);
        Kinds x = pattern.axes().get(2);
        DType real = pattern.wide() ? DType.F64 : DType.F32;
        return Scope.outside(() -> new PatternTable(
                pattern.wide(),
                NDArray.ofLongs(starts).to(device),
                NDArray.ofLongs(offsets).to(device),
                NDArray.of(coefficients).as(real).to(device),
                new StencilKernels.Layout(
                        z.head(),
                        tails[0],
                        y.head(),
                        tails[1],
                        y.count(),
                        x.head(),
                        tails[2],
                        x.count(),
                        in[1] * in[2],
                        in[2])));
    }

    /** The kernel that reads it. */
    Kernel kernel() {
        return wide ? Kernel.of(StencilKernels::sumF64) : Kernel.of(StencilKernels::sumF32);
    }
}
