package io.penstock.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real linear map between N-dimensional arrays that is a sum of terms, each the Kronecker product of one {@link Band} an axis.
 *
 * <p>A derivative has one term with one band. A Laplacian has a term for each of its axes. A convolution over several axes has a
 * term for each of the filter's rows: shifts along all its axes but the last, and a convolution along that. A gradient into one
 * array has a term for each axis, with a band along an extra axis that puts the result in its place.
 */
final class Stencil {
    private final long[] domain;
    private final long[] range;
    private final List<Term> terms;

    /** A term: for each axis its band, or null where it leaves that axis alone. */
    static final class Term {
        private final @Nullable Band[] factors;

        private Term(@Nullable Band[] factors) {
            this.factors = factors;
        }

        @Nullable
        Band factor(int axis) {
            return factors[axis];
        }
    }

    private Stencil(long[] domain, long[] range, List<Term> terms) {
        this.domain = domain;
        this.range = range;
        this.terms = terms;
    }

    /** The map from zeros to zeros, to which terms are added. */
    static Stencil none(long[] domain, long[] range) {
        if (domain.length != range.length)
            throw new IllegalArgumentException("range has " + range.length + " axes; expected " + domain.length);
        return new Stencil(domain.clone(), range.clone(), List.of());
    }

    /** One band along one axis of arrays of a shape. */
    static Stencil along(int axis, Band band, long[] shape) {
        long[] range = shape.clone();
        range[axis] = band.rows();
        return none(shape, range).plus(axis, band);
    }

    /** This map plus a band along one axis. */
    Stencil plus(int axis, Band band) {
        @Nullable Band[] factors = new @Nullable Band[domain.length];
        factors[axis] = band;
        return plus(factors);
    }

    /** This map plus the Kronecker product of bands; null stands for the identity. */
    Stencil plus(@Nullable Band[] factors) {
        for (int k = 0; k < domain.length; k++) {
            Band band = factors[k];
            long rows = band == null ? domain[k] : band.rows();
            long columns = band == null ? range[k] : band.columns();
            if (rows != range[k] || columns != domain[k])
                throw new IllegalArgumentException("the band along axis " + k + " is " + rows + " x " + columns
                        + "; expected " + range[k] + " x " + domain[k]);
        }
        List<Term> more = new ArrayList<>(terms);
        more.add(new Term(factors.clone()));
        return new Stencil(domain, range, more);
    }

    Stencil transposed() {
        Stencil transposed = none(range, domain);
        for (Term term : terms) {
            @Nullable Band[] factors = new @Nullable Band[domain.length];
            for (int k = 0; k < factors.length; k++) {
                Band band = term.factors[k];
                factors[k] = band == null ? null : band.transposed();
            }
            transposed = transposed.plus(factors);
        }
        return transposed;
    }

    int axes() {
        return domain.length;
    }

    /** The shape of the arrays that the stencil is applied to. */
    long[] domain() {
        return domain.clone();
    }

    /** The shape of its results. */
    long[] range() {
        return range.clone();
    }

    List<Term> terms() {
        return terms;
    }

    /** Whether every term leaves an axis alone. */
    boolean leavesAlone(int axis) {
        for (Term term : terms) if (term.factors[axis] != null) return false;
        return true;
    }

    /** The same map on arrays of another extent along an axis that it leaves alone. */
    Stencil withExtent(int axis, long extent) {
        long[] other = domain.clone();
        long[] otherRange = range.clone();
        other[axis] = otherRange[axis] = extent;
        return new Stencil(other, otherRange, terms);
    }

    /** What gives rows {@code from} to {@code to} along an axis, applied to rows {@code inFrom} to {@code inTo}, all that they depend on. */
    Stencil window(int axis, long inFrom, long inTo, long from, long to) {
        long[] in = domain.clone();
        long[] out = range.clone();
        in[axis] = inTo - inFrom;
        out[axis] = to - from;
        Stencil window = none(in, out);
        for (Term term : terms) {
            @Nullable Band[] factors = term.factors.clone();
            Band band = factors[axis];
            if (band != null) factors[axis] = band.window(inFrom, inTo, from, to);
            else if (from != inFrom || to != inTo) factors[axis] = Band.shift(from - inFrom, to - from, inTo - inFrom);
            window = window.plus(factors);
        }
        return window;
    }

    /** What rows along an axis depend on. */
    Reach reach(int axis) {
        return new Reach(
                terms.stream()
                        .map(t -> t.factors[axis])
                        .filter(Objects::nonNull)
                        .toList(),
                range[axis]);
    }

    @Override
    public String toString() {
        return "stencil of " + terms.size() + " terms from " + Arrays.toString(domain) + " to "
                + Arrays.toString(range);
    }
}
