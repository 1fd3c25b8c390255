package io.penstock.bench.copy;

import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalDouble;

/** The printed table of one group of devices. */
final class Table {
    private static final String COLUMNS = "%-62s %10s %8s %10s %10s %8s %8s %8s %8s %9s %9s%n";

    private final PrintStream out;
    private OptionalDouble single = OptionalDouble.empty();
    private OptionalDouble engine = OptionalDouble.empty();

    Table(PrintStream out) {
        this.out = out;
    }

    /** Begins a part whose ratios are to a copy engine and a single kernel of its own. */
    void begin(String title) {
        single = OptionalDouble.empty();
        engine = OptionalDouble.empty();
        out.printf(
                "%n" + COLUMNS,
                title,
                "median ms",
                "p95/med",
                "least ms",
                "most ms",
                "GB/s",
                "/single",
                "/engine",
                "/peer",
                "host us",
                "most us");
    }

    /** The row that others are compared with as the copy engine's. */
    void engine(String name, double bytes, Rounds.Times times, OptionalDouble peer) {
        engine = OptionalDouble.of(times.round().median());
        row(name, bytes, times, peer);
    }

    /** The row that others are compared with as the single kernel's. */
    void single(String name, double bytes, Rounds.Times times, OptionalDouble peer) {
        single = OptionalDouble.of(times.round().median());
        row(name, bytes, times, peer);
    }

    void row(String name, double bytes, Rounds.Times times, OptionalDouble peer) {
        double median = times.round().median();
        out.printf(
                COLUMNS,
                name,
                number("%.3f", median * 1e3),
                number("%.3f", times.round().width()),
                number("%.3f", times.round().least() * 1e3),
                number("%.3f", times.round().most() * 1e3),
                number("%.1f", bytes / median * 1e-9),
                ratio(median, single),
                ratio(median, engine),
                ratio(median, peer),
                number("%.2f", times.launch().median() * 1e6),
                number("%.2f", times.launch().most() * 1e6));
    }

    /** A row that has no times, and why. */
    void absent(String name, String why) {
        out.printf("%-62s %s%n", name, why);
    }

    void line(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    private static String ratio(double seconds, OptionalDouble to) {
        return to.isPresent() ? number("%.3f", seconds / to.getAsDouble()) : "-";
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
