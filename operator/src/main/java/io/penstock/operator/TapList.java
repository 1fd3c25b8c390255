package io.penstock.operator;

import java.util.ArrayList;
import java.util.List;

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

        private final List<Tap> listed = new ArrayList<>();

        /** Adds a tap behind all others. */
        void append(long offset, double coefficient) {
            listed.add(new Tap(offset, coefficient));
        }

        TapList build() {
            return new TapList(
                    listed.stream().mapToLong(Tap::offset).toArray(),
                    listed.stream().mapToDouble(Tap::coefficient).toArray());
        }
    }
}
