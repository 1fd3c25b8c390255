package io.penstock.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What arrays on the host do element by element: as they are, by loops alone, and by the kernel that is made of a lambda. Each way runs
 * in processes of its own, in turn, on one thread.
 */
@Command(
        name = "maps",
        description = "Operations on elements by generated kernels against the loops written by hand, on the host.",
        mixinStandardHelpOptions = true)
final class MapBench implements Runnable {
    private static final int FIRST_CALLS = 5;

    @Option(names = "--rounds", defaultValue = "3", description = "Processes of each way (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "100,10000,10000000",
            description = "Elements an array (default ${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(names = "--only", defaultValue = "", description = "Runs the cases whose names contain this.")
    private String only = "";

    @Override
    public void run() {
        System.out.printf(
                Locale.ROOT,
                "%-48s %11s %11s %11s   %s%n",
                "microseconds",
                "operation",
                "loops",
                "map",
                "loops over operation, loops over map: medians [least, most]");
        for (String size : sizes) cases(size);
        for (MapCases.Way way : MapCases.Way.values()) firstCalls(way);
    }

    /** What one case took in each process. */
    private static final class Times {
        private final double[] operation;
        private final double[] loops;
        private final double[] map;

        Times(int rounds) {
            operation = new double[rounds];
            loops = new double[rounds];
            map = new double[rounds];
        }

        double[] of(MapCases.Way way) {
            return switch (way) {
                case OPERATION -> operation;
                case LOOPS -> loops;
                case MAP -> map;
            };
        }
    }

    private void cases(String size) {
        Map<String, Times> times = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++)
            for (MapCases.Way way : MapCases.Way.values()) {
                int r = round;
                MapCases.inNewProcess(way, "cases", size, only)
                        .forEach((name, time) -> times.computeIfAbsent(name, k -> new Times(rounds))
                                .of(way)[r] = time);
            }
        times.forEach((name, all) -> report(name + " n=" + size, all.operation, all.loops, all.map));
    }

    private static void report(String name, double[] operation, double[] loops, double[] map) {
        System.out.printf(
                Locale.ROOT,
                "%-48s %11.2f %11.2f %11.2f   %s %s%n",
                name,
                Ratio.median(operation),
                Ratio.median(loops),
                Ratio.median(map),
                ratio(loops, operation),
                ratio(loops, map));
    }

    private static String ratio(double[] loops, double[] ours) {
        double[] ratios = new double[loops.length];
        for (int k = 0; k < ratios.length; k++) ratios[k] = loops[k] / ours[k];
        double median = Ratio.median(ratios);
        return String.format(
                Locale.ROOT,
                "%7.2f [%.2f, %.2f]",
                median,
                Arrays.stream(ratios).min().orElse(median),
                Arrays.stream(ratios).max().orElse(median));
    }

    /** What the first operations of new processes cost, on many elements; each is new to the process. */
    private static void firstCalls(MapCases.Way way) {
        List<double[]> calls = new ArrayList<>();
        for (int process = 0; process < FIRST_CALLS; process++) {
            List<Double> times = new ArrayList<>(
                    MapCases.inNewProcess(way, "first", "1048576", "").values());
            for (int k = 0; k < times.size(); k++) {
                if (calls.size() == k) calls.add(new double[FIRST_CALLS]);
                calls.get(k)[process] = times.get(k) * 1e-3;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "first calls in a new process on 2^20 I32, %s: %s ms%n",
                way,
                String.join(
                        ", ",
                        calls.stream()
                                .map(times -> String.format(Locale.ROOT, "%.1f", Ratio.median(times)))
                                .toList()));
    }
}
