package io.penstock.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Offsets and coefficients as {@code Taps} takes them. */
final class TapList {
    private final long[] offsets;
    private final double[] coefficients;

    private TapList(long[] offsets, double[] coefficients) {
        this.offsets = offsets;
        this.coefficients = coefficients;
    }

    int count() {
        return offsets.length;
    }

    /** The offsets, not to be changed. */
    long[] offsets() {
        return offsets;
    }

    /** The coefficients, not to be changed. */
    double[] coefficients() {
        return coefficients;
    }

    /** Collects taps. */
    static final class Builder {
        private record Tap(long offset, double coefficient) {}

        private final Map<Long, Tap> keyed = new TreeMap<>();
        private final List<Tap> listed = new ArrayList<>();

        /** Adds a tap that is ordered by {@code key}; taps of one key are of one element and are added up. */
        void merge(long key, long offset, double coefficient) {
            keyed.merge(key, new Tap(offset, coefficient), (a, b) -> new Tap(a.offset, a.coefficient + b.coefficient));
        }

        /** Adds a tap behind all others. */
        void append(long offset, double coefficient) {
            listed.add(new Tap(offset, coefficient));
        }

        TapList build() {
            List<Tap> taps = new ArrayList<>(keyed.values());
            taps.addAll(listed);
            return new TapList(
                    taps.stream().mapToLong(Tap::offset).toArray(),
                    taps.stream().mapToDouble(Tap::coefficient).toArray());
        }
    }
}
