package io.penstock.cli.poststack;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import java.util.SplittableRandom;

/**
 * A section that the program makes itself when it is given none: layers of random thickness and impedance, folded, dipping and
 * cut by slanted faults.
 */
final class LayeredSection {
    /** The mean impedance at the top, in 10^6 kg/(m^2 s), and how it grows down to the bottom. */
    private static final double TOP = 2;

    private static final double GROWTH = 2.2;
    private static final int FAULTS = 3;
    /** How far layers may be shifted, as a fraction of the section's height: the column of layers is longer by so much. */
    private static final double MARGIN = 0.5;

    private LayeredSection() {}

    /**
     * The logarithm of the impedance, of shape (traces, samples).
     *
     * @param seed decides the layers and the faults
     */
    static NDArray of(long traces, long samples, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NDArray section = NDArray.empty(DType.F64, traces, samples);
        try (NDArray column = column(samples, random);
                NDArray faults = faults(traces, samples, random)) {
            double fold = 0.05 * samples;
            double dip = (random.nextDouble() - 0.5) * 0.2 * samples / Math.max(1, traces);
            Kernel.of(LayeredSection::fill).over(traces, samples).launch(section, column, faults, fold, dip);
        }
        return section;
    }

    /** The undisturbed column of layers, from {@code MARGIN} above the section to {@code MARGIN} below it. */
    private static NDArray column(long samples, SplittableRandom random) {
        long margin = Math.round(MARGIN * samples);
        long length = samples + 2 * margin;
        NDArray column = NDArray.empty(DType.F64, length);
        long next = 0;
        double value = 0;
        for (long i = 0; i < length; i++) {
            if (i == next) {
                double depth = Math.clamp((double) (i - margin) / samples, 0, 1);
                value = Math.log(TOP + GROWTH * depth) + 0.12 * random.nextGaussian();
                next += Math.max(2, Math.round(samples * random.nextDouble(0.01, 0.07)));
            }
            column.set(value, i);
        }
        return column;
    }

    /** For each fault the trace where it leaves the top, its slope in traces a sample, and its throw in samples. */
    private static NDArray faults(long traces, long samples, SplittableRandom random) {
        NDArray faults = NDArray.empty(DType.F64, FAULTS, 3);
        for (int k = 0; k < FAULTS; k++) {
            faults.set(traces * (k + 0.4 + 0.4 * random.nextDouble()) / FAULTS, k, 0);
            faults.set((random.nextDouble() - 0.5) * 0.6 * traces / samples, k, 1);
            faults.set((random.nextBoolean() ? 1 : -1) * random.nextDouble(0.03, 0.09) * samples, k, 2);
        }
        return faults;
    }

    /** One sample of one trace: where its layer lay before the section was folded, tilted and faulted. */
    static void fill(WorkItem at, Doubles section, Doubles column, Doubles faults, double fold, double dip) {
        double trace = at.y();
        double sample = at.x();
        double along = trace / at.sizeY();
        double source =
                sample - dip * trace - fold * Math.sin(2 * Math.PI * (1.3 * along + 0.15)) * Math.cos(3 * along);
        for (long k = 0; k < faults.rows(); k++)
            if (trace > faults.get(k, 0) + faults.get(k, 1) * sample) source -= faults.get(k, 2);
        source += 0.5 * (column.length() - at.sizeX());
        long i = Math.max(0, Math.min((long) Math.floor(source), column.length() - 1));
        section.set(at.y(), at.x(), column.get(i));
    }
}
