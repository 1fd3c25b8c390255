package io.penstock.operator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one element of a stencil's result is the sum of: coefficients by how far elements are from it along each axis.
 *
 * <p>They are in the order in which they are added up, that of the elements in memory, however the array is laid out and whatever part of it
 * is held: so the bits of a result do not depend on who computes it.
 */
final class ElementTaps {
    private static final Comparator<List<Long>> IN_MEMORY = (a, b) -> {
        for (int k = 0; k < a.size(); k++) {
            int order = Long.compare(a.get(k), b.get(k));
            if (order != 0) return order;
        }
        return 0;
    };

    private final List<SweepAxis> axes;
    private final long[] row;
    private final SortedMap<List<Long>, Double> sums = new TreeMap<>(IN_MEMORY);

    private ElementTaps(List<SweepAxis> axes, long[] row) {
        this.axes = axes;
        this.row = row;
    }

    /** The taps of the element with these indices. What several terms take of one element is added up. */
    static SortedMap<List<Long>, Double> of(List<SweepAxis> axes, long[] row) {
        ElementTaps taps = new ElementTaps(axes, row);
        for (int term = 0; term < axes.getFirst().factors().size(); term++) taps.add(term, List.of(), 1);
        return taps.sums;
    }

    private void add(int term, List<Long> offsets, double product) {
        int k = offsets.size();
        if (k == row.length) {
            sums.merge(offsets, product, Double::sum);
            return;
        }
        axes.get(k).factors().get(term).row(row[k]).forEach((offset, coefficient) -> {
            List<Long> more = new ArrayList<>(offsets);
            more.add(offset);
            add(term, more, product * coefficient);
        });
    }
}
