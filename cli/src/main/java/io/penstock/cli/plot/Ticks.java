package io.penstock.cli.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Round numbers that divide an axis.
 *
 * @param values where they are, increasing
 * @param decimals how many decimals tell them apart
 */
record Ticks(List<Double> values, int decimals) {
    /** Multiples of 1, 2 or 5 times a power of ten between two bounds, at most {@code most} of them. */
    static Ticks between(double low, double high, int most) {
        double span = high - low;
        double rough = span / most;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = 10 * power;
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= rough * (1 - 1e-9)) {
                step = factor * power;
                break;
            }
        }
        List<Double> values = new ArrayList<>();
        for (double k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++)
            values.add(k * step + 0.0); // no negative zero
        return new Ticks(values, (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
    }

    String text(double value) {
        if (Math.abs(value) >= 1e6 || decimals > 4) return String.format("%.2g", value);
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }
}
