package io.penstock.cli.poststack;

import io.penstock.operator.Wavelets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the job is to do.
 *
 * @param data the file with the section, or null to make one
 * @param name the section's name in the file
 * @param log whether to invert for the logarithm of what the file holds
 * @param every of how many traces of the file one is kept
 * @param traces how many traces a made section has
 * @param samples how many samples a made section has
 * @param lines how often the section is repeated into a cube
 * @param ranks how many ranks share the work
 * @param device the name of the device that they work on, or of a driver whose devices they take in turn
 * @param wavelet the shape of the wavelet
 * @param frequencies its frequencies in Hz, as many as the shape needs
 * @param dt the time between samples, in seconds
 * @param length how many samples the wavelet has
 * @param noise the standard deviation of the noise, as a fraction of the data's root mean square
 * @param seed decides the noise and the made section
 * @param smoothSamples the length of the box that smooths the background along the samples
 * @param smoothTraces its length along the traces
 * @param iterations how many iterations each inversion does
 * @param weight the weight of the Laplacian in what the regularised inversions minimise, not squared
 */
record Configuration(
        @Nullable Path data,
        String name,
        boolean log,
        int every,
        int traces,
        int samples,
        int lines,
        int ranks,
        String device,
        WaveletKind wavelet,
        List<Double> frequencies,
        double dt,
        int length,
        double noise,
        long seed,
        int smoothSamples,
        int smoothTraces,
        int iterations,
        double weight) {
    /** Checks each value, and those that must fit together. */
    Configuration {
        frequencies = List.copyOf(frequencies);
        atLeast(1, every, "--every");
        atLeast(1, traces, "--traces");
        atLeast(1, samples, "--samples");
        atLeast(1, lines, "--lines");
        atLeast(1, ranks, "--ranks");
        atLeast(1, length, "--length");
        atLeast(1, smoothSamples, "--smooth-samples");
        atLeast(1, smoothTraces, "--smooth-traces");
        atLeast(0, iterations, "--iterations");
        if (length % 2 == 0)
            throw new IllegalArgumentException(
                    "--length is " + length + "; expected an odd number, so that the wavelet has a middle");
        if (!(dt > 0) || !Double.isFinite(dt))
            throw new IllegalArgumentException("--dt is " + dt + "; expected a number above 0, in seconds");
        if (!(noise >= 0) || !Double.isFinite(noise))
            throw new IllegalArgumentException("--noise is " + noise + "; expected a number, 0 or more");
        if (!(weight >= 0) || !Double.isFinite(weight * weight))
            throw new IllegalArgumentException(
                    "--weight is " + weight + "; expected a number, 0 or more and below 1e154");
        checkFrequencies(wavelet, frequencies, dt);
    }

    private static void atLeast(int least, int value, String option) {
        if (value < least)
            throw new IllegalArgumentException(option + " is " + value + "; expected " + least + " or more");
    }

    private static void checkFrequencies(WaveletKind wavelet, List<Double> frequencies, double dt) {
        if (frequencies.size() != wavelet.frequencies())
            throw new IllegalArgumentException(
                    "--frequency has " + frequencies.size() + " values; expected " + wavelet.frequencies()
                            + " for the wavelet " + wavelet.name().toLowerCase(java.util.Locale.ROOT));
        double previous = 0;
        for (double f : frequencies) {
            if (!(f > previous) || !Double.isFinite(f))
                throw new IllegalArgumentException("--frequency is " + frequencies
                        + "; expected numbers above 0, each larger than the one before");
            previous = f;
        }
        double highest = 0.5 / dt;
        if (previous >= highest)
            throw new IllegalArgumentException("--frequency is " + frequencies + "; expected less than " + highest
                    + " Hz, the most that samples " + dt + " s apart (--dt) can carry");
    }

    /** The wavelet's samples. */
    double[] impulse() {
        return switch (wavelet) {
            case RICKER -> Wavelets.ricker(frequencies.getFirst(), dt, length);
            case ORMSBY ->
                Wavelets.ormsby(
                        frequencies.get(0), frequencies.get(1), frequencies.get(2), frequencies.get(3), dt, length);
        };
    }

    /** The values under the names that the summary gives them. */
    Map<String, Object> summary() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", data == null ? "made by the program" : data.toString());
        if (data != null) map.putAll(Map.of("name", name, "log", log, "every", every));
        map.put("lines", lines);
        map.put("ranks", ranks);
        map.put("device", device);
        map.put("wavelet", wavelet.name().toLowerCase(java.util.Locale.ROOT));
        map.put("frequencies", frequencies);
        map.put("dt", dt);
        map.put("length", length);
        map.put("noise", noise);
        map.put("seed", seed);
        map.put("smoothSamples", smoothSamples);
        map.put("smoothTraces", smoothTraces);
        map.put("iterations", iterations);
        map.put("weight", weight);
        return map;
    }
}
