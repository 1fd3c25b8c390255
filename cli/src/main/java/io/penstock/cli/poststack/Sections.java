package io.penstock.cli.poststack;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.cli.plot.Axis;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Where sections come from: a file, or the program itself. */
final class Sections {
    private Sections() {}

    /** A section that the program makes. */
    static Section made(Configuration how) {
        NDArray model = LayeredSection.of(how.traces(), how.samples(), how.seed());
        return new Section(model, new Axis("distance (m)", 0, 12.5), down(how), "ln impedance", List.of());
    }

    /**
     * A section of an archive.
     *
     * @throws NoSuchFileException when there is no such file
     * @throws io.penstock.array.ArrayFileException when the file cannot be read as an archive with such an array
     * @throws IllegalArgumentException when the array is no section
     */
    static Section read(Path file, Configuration how) throws NoSuchFileException {
        if (!Files.exists(file)) throw new NoSuchFileException(file.toString());
        try (Npz archive = Npz.open(file);
                NDArray stored = archive.get(how.name())) {
            if (stored.ndim() != 2 || stored.size() == 0 || stored.dtype().isComplex())
                throw new IllegalArgumentException(file + ": " + how.name() + " lies in " + stored.space()
                        + "; expected a real array of two dimensions, (samples, traces), none empty");
            long kept = (stored.dim(1) + how.every() - 1) / how.every();
            NDArray model = NDArray.empty(DType.F64, kept, stored.dim(0));
            for (long trace = 0; trace < kept; trace++)
                for (long sample = 0; sample < stored.dim(0); sample++)
                    model.set(value(file, stored, sample, trace * how.every(), how.log()), trace, sample);
            String unknown = how.log() ? "ln " + how.name() : how.name();
            List<String> notes = new ArrayList<>();
            notes.add(file + ": " + kept + " of " + stored.dim(1) + " traces used (--every " + how.every() + "), of "
                    + stored.dim(0) + " samples each");
            Axis across = across(archive, stored.dim(1), how, why -> notes.add(file + ": " + why));
            return new Section(model, across, down(how), unknown, notes);
        }
    }

    private static double value(Path file, NDArray stored, long sample, long trace, boolean log) {
        double value = stored.get(sample, trace);
        double used = log ? Math.log(value) : value;
        if (!Double.isFinite(used))
            throw new IllegalArgumentException(file + ": the section is " + value + " at sample " + sample
                    + " of trace "
                    + trace + "; expected a finite number"
                    + (log ? " above 0, since its logarithm is inverted for; --no-log inverts for the values" : ""));
        return used;
    }

    private static Axis down(Configuration how) {
        return new Axis("two-way time (s)", 0, how.dt());
    }

    /** The distances of the traces where the file has them, evenly spaced, as {@code x}; otherwise their numbers. */
    private static Axis across(Npz archive, long traces, Configuration how, Consumer<String> unused) {
        Axis numbers = new Axis("trace", 0, how.every());
        if (!archive.names().contains("x") || traces < 2) return numbers;
        try (NDArray x = archive.get("x")) {
            if (x.ndim() != 1 || x.size() != traces || x.dtype().isComplex()) {
                unused.accept("x lies in " + x.space() + " and not, as expected, one real number for each of " + traces
                        + " traces; the pictures number the traces instead");
                return numbers;
            }
            double first = x.get(0);
            double step = (x.get(traces - 1) - first) / (traces - 1);
            if (isEven(x, first, step)) return new Axis("distance (m)", first, step * how.every());
            unused.accept("x does not grow in even steps; the pictures number the traces instead");
            return numbers;
        }
    }

    private static boolean isEven(NDArray x, double first, double step) {
        for (long trace = 1; trace < x.size(); trace++)
            if (!(step > 0 && Math.abs(x.get(trace) - first - trace * step) < 1e-3 * step)) return false;
        return true;
    }
}
