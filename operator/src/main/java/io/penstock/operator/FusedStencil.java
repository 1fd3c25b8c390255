package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.RangedKernel;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Stencil} as one kernel, which reads and writes each element once: for sums of bands along different axes, such as a Laplacian, also
 * where it is applied to a window of rows. The taps are added in the order in which one band after another would add them, to the
 * same bits.
 *
 * <p>Axes that no band concerns are joined with their neighbours; three must be left at most. What a term shifts along other axes than its
 * band's is part of the distances between elements, which are counted in the flat array.
 */
final class FusedStencil {
    /** The most terms, and the most axes that are left. */
    private static final int MOST = 3;

    /** The shortest innermost axis along which neighbouring items are worth their while. */
    private static final long SHORT = 32;

    private final RangedKernel kernel;
    private final long[] range;
    private final long elements;
    private final NDArray starts;
    private final NDArray offsets;
    private final NDArray taps;
    private final StencilKernels.Slots slots;

    private FusedStencil(CollapsedAxes axes, ArraySpace domain, Rows rows, StencilKernels.Slots slots) {
        this.range = axes.out;
        this.elements = axes.in[0] * axes.in[1] * axes.in[2];
        boolean single = domain.dtype().real() == DType.F32;
        this.kernel = (single ? Kernel.of(StencilKernels::sumF32) : Kernel.of(StencilKernels::sumF64))
                .over(range[0], range[1], range[2]);
        this.slots = slots;
        NDArray[] all = Scope.outside(() -> new NDArray[] {
            NDArray.ofLongs(rows.starts()).to(domain.device()),
            NDArray.ofLongs(rows.offsets()).to(domain.device()),
            NDArray.of(rows.taps()).as(domain.dtype().real()).to(domain.device())
        });
        this.starts = all[0];
        this.offsets = all[1];
        this.taps = all[2];
    }

    /** Three axes, of which the first may have extent 1: what is left of an array's, and which of them each has become. */
    private static final class CollapsedAxes {
        private final long[] in = {1, 1, 1};
        private final long[] out = {1, 1, 1};
        private final int[] of;

        private CollapsedAxes(int[] of) {
            this.of = of;
        }

        /** The axes of arrays of so many parts an element; null where more than three are left. */
        static @Nullable CollapsedAxes of(Stencil stencil, long parts) {
            long[] domain = stencil.domain();
            long[] range = stencil.range();
            int[] of = new int[domain.length];
            boolean joins = false;
            int count = 0;
            for (int k = 0; k < domain.length; k++) {
                boolean alone = stencil.leavesAlone(k);
                if (!alone || !joins) count++;
                joins = alone;
                of[k] = count - 1;
            }
            boolean more = parts > 1 && !joins;
            int left = count + (more ? 1 : 0);
            if (left > MOST) return null;
            CollapsedAxes axes = new CollapsedAxes(of);
            for (int k = 0; k < domain.length; k++) {
                of[k] += MOST - left;
                axes.in[of[k]] *= domain[k];
                axes.out[of[k]] *= range[k];
            }
            axes.in[MOST - 1] *= parts;
            axes.out[MOST - 1] *= parts;
            return axes;
        }

        private long stride(int axis) {
            long stride = 1;
            for (int k = MOST - 1; k > axis; k--) stride *= in[k];
            return stride;
        }
    }

    /** The kinds of rows of all terms, one after another, as the kernel wants them. */
    private static final class Rows {
        private final List<Long> starts = new ArrayList<>(List.of(0L));
        private final List<Long> offsets = new ArrayList<>();
        private final List<Double> taps = new ArrayList<>();

        private long kinds() {
            return starts.size() - 1L;
        }

        private void add(BandRow row, long stride, long shift) {
            for (int t = 0; t < row.taps(); t++) {
                offsets.add(row.offset(t) * stride + shift);
                taps.add(row.coefficient(t));
            }
            starts.add((long) offsets.size());
        }

        private long[] starts() {
            return starts.stream().mapToLong(Long::longValue).toArray();
        }

        private long[] offsets() {
            return offsets.isEmpty()
                    ? new long[1]
                    : offsets.stream().mapToLong(Long::longValue).toArray();
        }

        private double[] taps() {
            return taps.isEmpty()
                    ? new double[1]
                    : taps.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    /** The stencil as one kernel; null where it is none, or where one kernel a band does as well. */
    static @Nullable FusedStencil of(Stencil stencil, ArraySpace domain) {
        int terms = stencil.terms().size();
        if (terms == 0 || terms > MOST || Arrays.stream(stencil.range()).anyMatch(extent -> extent == 0)) return null;
        CollapsedAxes axes = CollapsedAxes.of(stencil, domain.dtype().isComplex() ? 2 : 1);
        if (axes == null || axes.out[MOST - 1] < SHORT) return null;
        Rows rows = new Rows();
        long[][] slots = new long[MOST][];
        boolean several = terms > 1;
        for (int t = 0; t < terms; t++) {
            Stencil.Term term = stencil.terms().get(t);
            int along = -1;
            Band band = null;
            long shift = 0;
            for (int k = 0; k < axes.of.length; k++) {
                Band factor = term.factor(k);
                if (factor == null) continue;
                if (isShift(factor)) {
                    shift += factor.row(0).offset(0) * axes.stride(axes.of[k]);
                    several = true;
                } else if (band == null) {
                    band = factor;
                    along = axes.of[k];
                } else return null;
            }
            slots[t] = band == null ? shift(rows, shift) : slot(rows, band, along, axes.stride(along), shift);
        }
        if (!several) return null;
        long nothing = rows.kinds();
        rows.add(BandRow.EMPTY, 0, 0);
        for (int t = terms; t < MOST; t++) slots[t] = new long[] {0, 0, Long.MAX_VALUE, nothing};
        return new FusedStencil(
                axes,
                domain,
                rows,
                StencilKernels.Slots.of(slots[0], slots[1], slots[2], axes.stride(0), axes.stride(1)));
    }

    private static boolean isShift(Band band) {
        return band.headRows() == 0
                && band.tailStart() == band.rows()
                && band.row(0).taps() == 1
                && band.row(0).coefficient(0) == 1;
    }

    private static long[] shift(Rows rows, long shift) {
        long begin = rows.kinds();
        rows.add(BandRow.of(0, 1), 1, shift);
        return new long[] {0, 0, Long.MAX_VALUE, begin};
    }

    private static long[] slot(Rows rows, Band band, int axis, long stride, long shift) {
        long begin = rows.kinds();
        long head = band.headRows();
        long tail = Math.max(band.tailStart(), head);
        for (long i = 0; i < head; i++) rows.add(band.row(i), stride, shift);
        rows.add(tail > head ? band.row(head) : BandRow.EMPTY, stride, shift);
        for (long i = tail; i < band.rows(); i++) rows.add(band.row(i), stride, shift);
        return new long[] {axis, head, tail, begin};
    }

    /** {@code y = S x}, or {@code y += S x}; contiguous arrays of the stencil's domain and range. */
    void apply(NDArray x, NDArray y, boolean add) {
        kernel.launch(
                y.device().queue(),
                y.reals().reshape(range),
                x.reals().reshape(elements),
                starts,
                offsets,
                taps,
                slots,
                add ? 1 : 0);
    }
}
