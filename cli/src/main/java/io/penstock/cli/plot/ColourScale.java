package io.penstock.cli.plot;

import io.penstock.array.NDArray;
import java.util.Objects;

/**
 * Which values get which colours. Neighbouring panels with equal scales share one colour bar.
 *
 * @param map the colours
 * @param low the value of the first colour
 * @param high the value of the last colour, above {@code low}
 * @param label what the values are, with their unit
 */
public record ColourScale(ColourMap map, double low, double high, String label) {
    /** Checks the bounds. */
    public ColourScale {
        Objects.requireNonNull(map, "map is null");
        Objects.requireNonNull(label, "label is null");
        if (!(low < high) || !Double.isFinite(high - low))
            throw new IllegalArgumentException(
                    "low is " + low + " and high is " + high + "; expected finite bounds, low below high");
    }

    /** From the smallest to the largest finite value of an array; a constant array gets a small range around its value. */
    public static ColourScale of(ColourMap map, NDArray values, String label) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double value : values.toDoubles()) {
            if (!Double.isFinite(value)) continue;
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        if (low > high) return new ColourScale(map, 0, 1, label);
        if (low == high) {
            double margin = low == 0 ? 1 : Math.abs(low) * 1e-3;
            return new ColourScale(map, low - margin, high + margin, label);
        }
        return new ColourScale(map, low, high, label);
    }

    /** As far below zero as above, so that zero is in the middle of the colours. */
    public static ColourScale symmetric(ColourMap map, NDArray values, String label) {
        double largest = 0;
        for (double value : values.toDoubles())
            if (Double.isFinite(value)) largest = Math.max(largest, Math.abs(value));
        return new ColourScale(map, largest == 0 ? -1 : -largest, largest == 0 ? 1 : largest, label);
    }

    int colour(double value) {
        return map.colour((value - low) / (high - low));
    }
}
