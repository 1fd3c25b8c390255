package io.penstock.operator;

import io.penstock.array.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One axis of a {@link Sweep}: what each term of the stencil does along it, and which of its rows are read, written and held in
 * memory.
 *
 * <p>Rows are counted from the beginning of the global array. Memory holds rows {@code inFrom <= j < inTo} of what is read and
 * {@code outFrom <= i < outTo} of what is written; rows {@code from <= i < to} are computed. Those from {@code uniformFrom} to
 * {@code uniformTo} have the same coefficients in every term.
 *
 * @param factors for each term its band, or null where it leaves the axis alone
 */
record SweepAxis(List<Factor> factors, long inFrom, long inTo, long outFrom, long outTo, long from, long to) {
    /** Below this extent an innermost axis that is left alone is interleaved with the axis before it. */
    private static final long SHORT = 8;

    /** A term's band along the axis, null for the identity. */
    record Factor(@Nullable Band band) {
        BandRow row(long i) {
            return band == null ? IDENTITY : band.row(i);
        }

        private static final BandRow IDENTITY = BandRow.of(0, 1);
    }

    /** An axis that is wholly in memory. */
    static SweepAxis whole(List<Factor> factors, long in, long out) {
        return new SweepAxis(factors, 0, in, 0, out, 0, out);
    }

    /** Whether no term does anything along the axis, and all of what memory holds of it is computed. */
    boolean isLeftAlone() {
        if (inFrom != from || outFrom != from || inTo != to || outTo != to) return false;
        for (Factor factor : factors) if (factor.band != null) return false;
        return true;
    }

    long inExtent() {
        return inTo - inFrom;
    }

    long outExtent() {
        return outTo - outFrom;
    }

    /** How many rows are computed. */
    long extent() {
        return to - from;
    }

    long uniformFrom() {
        long first = 0;
        for (Factor factor : factors) if (factor.band != null) first = Math.max(first, factor.band.headRows());
        return Math.clamp(first, from, to);
    }

    long uniformTo() {
        long end = Long.MAX_VALUE;
        for (Factor factor : factors) if (factor.band != null) end = Math.min(end, factor.band.tailStart());
        return Math.clamp(end, uniformFrom(), to);
    }

    /** The same arrays, of which other rows are computed. */
    SweepAxis within(long first, long end) {
        return new SweepAxis(factors, inFrom, inTo, outFrom, outTo, first, end);
    }

    /** So many rows fewer at the end, in arrays that are shorter by as many. */
    SweepAxis shorter(long by) {
        return new SweepAxis(factors, inFrom, inTo - by, outFrom, outTo - by, from, to - by);
    }

    private SweepAxis interleaved(long times) {
        List<Factor> spread = factors.stream()
                .map(f -> f.band == null ? f : new Factor(f.band.interleaved(times)))
                .toList();
        return new SweepAxis(
                spread, inFrom * times, inTo * times, outFrom * times, outTo * times, from * times, to * times);
    }

    /** The merged axes of a stencil over arrays of a floating-point type that lie in memory whole, but for a window along one axis. */
    static List<SweepAxis> merged(Stencil stencil, DType dtype, Sweep.@Nullable Window window) {
        List<SweepAxis> axes = new ArrayList<>();
        long[] domain = stencil.domain();
        long[] range = stencil.range();
        for (int k = 0; k < domain.length; k++) {
            int axis = k;
            List<Factor> factors = stencil.terms().stream()
                    .map(t -> new Factor(t.factor(axis)))
                    .toList();
            axes.add(
                    window == null || window.axis() != k
                            ? whole(factors, domain[k], range[k])
                            : new SweepAxis(
                                    factors,
                                    window.inFrom(),
                                    window.inTo(),
                                    window.outFrom(),
                                    window.outTo(),
                                    window.from(),
                                    window.to()));
        }
        List<Factor> alone = stencil.terms().stream().map(t -> new Factor(null)).toList();
        long parts = dtype.isComplex() ? 2 : 1;
        axes.add(whole(alone, parts, parts));
        return merged(axes);
    }

    /**
     * The axes with neighbours that are left alone merged, and a short innermost one that is left alone interleaved into the one
     * before it: fewer and longer loops. The result has at least two axes.
     */
    private static List<SweepAxis> merged(List<SweepAxis> axes) {
        List<SweepAxis> merged = new ArrayList<>();
        for (SweepAxis axis : axes) {
            SweepAxis previous = merged.isEmpty() ? null : merged.getLast();
            if (previous != null && previous.isLeftAlone() && axis.isLeftAlone())
                merged.set(merged.size() - 1, previous.interleaved(axis.extent()));
            else merged.add(axis);
        }
        SweepAxis last = merged.getLast();
        if (merged.size() > 1 && last.isLeftAlone() && last.extent() <= SHORT) {
            merged.removeLast();
            merged.set(merged.size() - 1, merged.getLast().interleaved(last.extent()));
        }
        if (merged.size() == 1) {
            Factor[] alone = new Factor[last.factors.size()];
            Arrays.fill(alone, new Factor(null));
            merged.addFirst(whole(List.of(alone), 1, 1));
        }
        return merged;
    }
}
