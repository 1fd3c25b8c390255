package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Stencil} made ready for contiguous arrays of one type on a device: one kernel where it is a {@link PatternStencil}, and else one for
 * each band of each term. The bands of a term are applied one after another, through arrays that are made for it; terms of one band need none.
 */
final class DeviceStencil {
    private final ArraySpace domain;
    private final List<List<Pass>> terms = new ArrayList<>();
    private final @Nullable PatternStencil whole;

    /**
     * A band along an axis.
     *
     * @param range the space of its results
     */
    private record Pass(Band band, int axis, ArraySpace range, NDArray starts, NDArray offsets, NDArray taps) {}

    DeviceStencil(Stencil stencil, ArraySpace domain) {
        this.domain = domain.reshape(stencil.domain());
        this.whole = PatternStencil.of(stencil, this.domain);
        if (whole != null) return;
        for (Stencil.Term term : stencil.terms()) {
            List<Pass> passes = new ArrayList<>();
            long[] shape = stencil.domain();
            for (int axis = 0; axis < shape.length; axis++) {
                Band band = term.factor(axis);
                if (band == null) continue;
                shape[axis] = band.rows();
                passes.add(pass(band, axis, domain.reshape(shape)));
            }
            terms.add(passes);
        }
    }

    private static Pass pass(Band band, int axis, ArraySpace range) {
        List<BandRow> rows = new ArrayList<>();
        for (long i = 0; i < band.headRows(); i++) rows.add(band.row(i));
        if (band.tailStart() > band.headRows()) rows.add(band.row(band.headRows()));
        else rows.add(BandRow.EMPTY);
        for (long i = Math.max(band.tailStart(), band.headRows()); i < band.rows(); i++) rows.add(band.row(i));
        long[] starts = new long[rows.size() + 1];
        for (int c = 0; c < rows.size(); c++)
            starts[c + 1] = starts[c] + rows.get(c).taps();
        int count = Math.toIntExact(starts[rows.size()]);
        long[] offsets = new long[Math.max(count, 1)];
        double[] taps = new double[offsets.length];
        int at = 0;
        for (BandRow row : rows)
            for (int t = 0; t < row.taps(); t++) {
                offsets[at] = row.offset(t);
                taps[at++] = row.coefficient(t);
            }
        return Scope.outside(() -> new Pass(
                band,
                axis,
                range,
                NDArray.ofLongs(starts).to(range.device()),
                NDArray.ofLongs(offsets).to(range.device()),
                NDArray.of(taps).as(range.dtype().real()).to(range.device())));
    }

    /** {@code y = S x}, or {@code y += S x}. */
    void apply(NDArray x, NDArray y, boolean accumulate) {
        if (whole != null) {
            whole.apply(x, y, accumulate);
            return;
        }
        boolean add = accumulate;
        if (terms.isEmpty() && !add) y.fill(0);
        for (List<Pass> passes : terms) {
            term(passes, x, y, add);
            add = true;
        }
    }

    private void term(List<Pass> passes, NDArray x, NDArray y, boolean add) {
        if (passes.isEmpty()) {
            y.reshape(x.shape()).axpby(1, x, add ? 1 : 0);
            return;
        }
        NDArray from = x;
        for (int k = 0; k < passes.size(); k++) {
            Pass pass = passes.get(k);
            boolean last = k == passes.size() - 1;
            NDArray to = last ? y : pass.range.empty();
            run(pass, from, to, last && add);
            if (from != x) from.close();
            from = to;
        }
    }

    private void run(Pass pass, NDArray x, NDArray y, boolean add) {
        long[] shape = pass.range.dims();
        long outer = 1;
        for (int k = 0; k < pass.axis; k++) outer *= shape[k];
        long inner = domain.dtype().isComplex() ? 2 : 1;
        for (int k = pass.axis + 1; k < shape.length; k++) inner *= shape[k];
        Band band = pass.band;
        BandKernels.of(domain.dtype().real() == DType.F32, outer, band.rows(), inner)
                .launch(
                        y.device().queue(),
                        blocks(y, outer, band.rows(), inner),
                        blocks(x, outer, band.columns(), inner),
                        pass.starts,
                        pass.offsets,
                        pass.taps,
                        band.headRows(),
                        Math.max(band.tailStart(), band.headRows()),
                        add ? 1 : 0);
    }

    /** A contiguous array as blocks of rows of reals. */
    private static NDArray blocks(NDArray x, long outer, long rows, long inner) {
        return x.reals().reshape(outer, rows, inner);
    }
}
