package io.penstock.operator;

import java.util.Map;
import java.util.TreeMap;

/** One row of a {@link Band}: coefficients at offsets from the diagonal, in ascending order of the offsets. */
final class BandRow {
    static final BandRow EMPTY = new BandRow(new long[0], new double[0]);

    private final long[] offsets;
    private final double[] coefficients;

    private BandRow(long[] offsets, double[] coefficients) {
        this.offsets = offsets;
        this.coefficients = coefficients;
    }

    /** A row of neighbouring coefficients, the first at {@code first}; zeros among them are left out. */
    static BandRow of(long first, double... coefficients) {
        Builder row = new Builder();
        for (int t = 0; t < coefficients.length; t++) if (coefficients[t] != 0) row.add(first + t, coefficients[t]);
        return row.build();
    }

    int taps() {
        return offsets.length;
    }

    boolean isEmpty() {
        return offsets.length == 0;
    }

    long offset(int t) {
        return offsets[t];
    }

    double coefficient(int t) {
        return coefficients[t];
    }

    /** The smallest offset; 0 for an empty row. */
    long first() {
        return isEmpty() ? 0 : offsets[0];
    }

    /** The largest offset; 0 for an empty row. */
    long last() {
        return isEmpty() ? 0 : offsets[offsets.length - 1];
    }

    /** The part of the row with offsets of at least {@code from} and less than {@code to}. */
    BandRow within(long from, long to) {
        Builder part = new Builder();
        forEach((offset, coefficient) -> {
            if (offset >= from && offset < to) part.add(offset, coefficient);
        });
        return part.build();
    }

    BandRow scaled(double alpha) {
        double[] scaled = coefficients.clone();
        for (int t = 0; t < scaled.length; t++) scaled[t] *= alpha;
        return new BandRow(offsets, scaled);
    }

    /** The row with its offsets multiplied. */
    BandRow spread(long times) {
        long[] spread = offsets.clone();
        for (int t = 0; t < spread.length; t++) spread[t] *= times;
        return new BandRow(spread, coefficients);
    }

    /** The row with its offsets moved. */
    BandRow moved(long by) {
        long[] moved = offsets.clone();
        for (int t = 0; t < moved.length; t++) moved[t] += by;
        return new BandRow(moved, coefficients);
    }

    void forEach(Visitor visitor) {
        for (int t = 0; t < offsets.length; t++) visitor.visit(offsets[t], coefficients[t]);
    }

    /** Is shown the elements of a row. */
    interface Visitor {
        void visit(long offset, double coefficient);
    }

    /** Collects the elements of a row, in any order; elements at one offset are added up. */
    static final class Builder {
        private final Map<Long, Double> elements = new TreeMap<>();

        void add(long offset, double coefficient) {
            elements.merge(offset, coefficient, Double::sum);
        }

        BandRow build() {
            if (elements.isEmpty()) return EMPTY;
            return new BandRow(
                    elements.keySet().stream().mapToLong(Long::longValue).toArray(),
                    elements.values().stream().mapToDouble(Double::doubleValue).toArray());
        }
    }
}
