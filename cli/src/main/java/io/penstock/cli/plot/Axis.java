package io.penstock.cli.plot;

/**
 * An axis of a section.
 *
 * @param label what it measures, with the unit
 * @param first the coordinate of the first sample
 * @param step the distance between samples, above 0
 */
public record Axis(String label, double first, double step) {
    /** Checks the step. */
    public Axis {
        if (!(step > 0) || !Double.isFinite(first) || !Double.isFinite(step))
            throw new IllegalArgumentException(
                    "first is " + first + " and step is " + step + "; expected finite numbers, step above 0");
    }
}
