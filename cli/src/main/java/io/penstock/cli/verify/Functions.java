package io.penstock.cli.verify;

import io.penstock.operator.Wavelets;
import java.util.Arrays;
import java.util.Map;

/** Functions: wavelets. The peer is given the times of one half, and drops the last where their number is even. */
final class Functions {
    private Functions() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("function ricker", (r, ranks) -> {
            double[] t = times(r);
            return wavelet(t, Wavelets.ricker(r.number("f0"), t[1] - t[0], 2 * t.length - 1));
        });
        mappings.put("function ormsby", (r, ranks) -> {
            double[] t = times(r);
            double[] f = r.doubles("f");
            return wavelet(t, Wavelets.ormsby(f[0], f[1], f[2], f[3], t[1] - t[0], 2 * t.length - 1));
        });
    }

    private static double[] times(Reference r) {
        double[] t = r.array("t").toDoubles();
        return t.length % 2 == 0 ? Arrays.copyOf(t, t.length - 1) : t;
    }

    private static Map<String, Values> wavelet(double[] t, double[] samples) {
        int centre = t.length - 1;
        double[] times = new double[samples.length];
        for (int i = 0; i < times.length; i++) times[i] = (i - centre) * (t[1] - t[0]);
        return Map.of("wav", Values.of(samples), "twav", Values.of(times), "wavc", Values.of(centre));
    }
}
