package io.penstock.bench;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.jvm.JvmDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The program of {@link MapBench}'s processes: operations on elements in one of the ways, timed. */
final class MapCases {
    /** What the JVM takes, at most, to compile a kernel's vectors while its launches go on. */
    private static final double WARM_UP_SECONDS = 1.2;

    private static final double LOOPS_WARM_UP_SECONDS = 0.4;
    private static final int TIMES = 15;

    /** How operations are done. */
    enum Way {
        /** As arrays do them. */
        OPERATION("on"),
        /** As arrays do them without kernels. */
        LOOPS("off"),
        /** As a map of a lambda. */
        MAP("on");

        private final String kernels;

        Way(String kernels) {
            this.kernels = kernels;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One operation, as it is and as a map. */
    private record Case(String name, Supplier<NDArray> operation, Supplier<NDArray> map) {
        Supplier<NDArray> by(Way way) {
            return way == Way.MAP ? map : operation;
        }
    }

    private MapCases() {}

    /** Prints names and microseconds. */
    public static void main(String[] args) {
        Way way = Way.valueOf(args[0]);
        long n = Long.parseLong(args[2]);
        if (args[1].equals("first")) {
            for (Case one : whole(DType.I32, n)) {
                long start = System.nanoTime();
                one.by(way).get().close();
                print(one.name, (System.nanoTime() - start) * 1e-9);
            }
            return;
        }
        JvmDevice.instance().sharing(JvmDevice.instance().threads(), () -> {
            for (Case one : cases(n))
                if (args.length < 4 || one.name.contains(args[3])) print(one.name, seconds(one.by(way), way));
        });
    }

    private static void print(String name, double seconds) {
        System.out.println(name + "\t" + seconds * 1e6);
    }

    private static double seconds(Supplier<NDArray> work, Way way) {
        Runnable once = () -> work.get().close();
        // Of the time that this thread has had, which on a busy machine is less than what goes by.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double warmUp = way == Way.LOOPS ? LOOPS_WARM_UP_SECONDS : WARM_UP_SECONDS;
        long end = threads.getCurrentThreadCpuTime() + (long) (warmUp * 1e9);
        do once.run();
        while (threads.getCurrentThreadCpuTime() < end);
        int batch = (int) Math.max(1, 2e-3 / Ratio.time(once, 3));
        double[] times = new double[TIMES];
        for (int k = 0; k < TIMES; k++) times[k] = Ratio.time(once, batch);
        return Ratio.median(times);
    }

    private static List<Case> cases(long n) {
        List<Case> all = new ArrayList<>();
        for (DType type : new DType[] {DType.F32, DType.F64}) {
            NDArray x = NDArray.random(1, type, n);
            NDArray y = NDArray.random(2, type, n);
            all.add(sum(type + " x + y", type, x, y));
            all.add(negative(type + " -x", type, x));
            all.add(new Case(
                    type + " x * 3",
                    () -> x.multiply(3.0),
                    type == DType.F32 ? () -> NDArray.mapFloats(a -> a * 3, x) : () -> NDArray.map(a -> a * 3, x)));
            all.add(new Case(type + " floor x", x::floor, () -> NDArray.map(a -> Math.floor(a), x)));
            all.add(new Case(type + " exp x", x::exp, () -> NDArray.map(a -> Math.exp(a), x)));
            all.add(choice(type + " where x > y", type, x, y));
            // Every second column, columns for rows, and rows of three.
            long rows = Math.max(1, Math.round(Math.sqrt((double) n)));
            NDArray wide = NDArray.random(3, type, rows, 2 * rows).slice(1, 0, 2 * rows, 2);
            NDArray turned = NDArray.random(4, type, rows, rows).transpose();
            NDArray thin = NDArray.random(5, type, n / 3, 3);
            all.add(sum(type + " x + y, every second and transposed", type, wide, turned));
            all.add(sum(type + " x + y, rows of three and one row", type, thin, NDArray.random(6, type, 3)));
            all.add(negative(type + " -x, transposed", type, turned));
            all.add(copy(type + " copy of every second", type, wide));
            all.add(copy(type + " copy, transposed", type, turned));
        }
        NDArray single = NDArray.random(5, DType.F32, n);
        NDArray twice = NDArray.random(6, DType.F64, n);
        all.add(sum("F32 + F64", DType.F64, single, twice));
        all.add(new Case("F64 as F32", () -> twice.as(DType.F32), () -> NDArray.mapFloats(a -> a, twice)));
        all.addAll(whole(DType.I32, n));
        all.addAll(whole(DType.I64, n));
        return all;
    }

    private static List<Case> whole(DType type, long n) {
        NDArray x = numbers(7, type, n);
        NDArray y = numbers(8, type, n);
        return List.of(
                new Case(type + " x + y", () -> x.add(y), () -> NDArray.mapLongs((a, b) -> a + b, x, y)),
                new Case(type + " -x", x::negate, () -> NDArray.mapLongs(a -> -a, x)),
                new Case(type + " x * 3", () -> x.multiply(3L), () -> NDArray.mapLongs(a -> a * 3, x)),
                new Case(
                        type + " min(x, y)",
                        () -> x.minimum(y),
                        () -> NDArray.mapLongs((a, b) -> Math.min(a, b), x, y)));
    }

    private static NDArray numbers(long seed, DType type, long n) {
        int[] values = new SplittableRandom(seed).ints(n, -1000, 1000).toArray();
        return NDArray.ofInts(values).as(type);
    }

    private static Case sum(String name, DType type, NDArray x, NDArray y) {
        return new Case(
                name,
                () -> x.add(y),
                type == DType.F32
                        ? () -> NDArray.mapFloats((a, b) -> a + b, x, y)
                        : () -> NDArray.map((a, b) -> a + b, x, y));
    }

    private static Case negative(String name, DType type, NDArray x) {
        return new Case(
                name,
                x::negate,
                type == DType.F32 ? () -> NDArray.mapFloats(a -> -a, x) : () -> NDArray.map(a -> -a, x));
    }

    private static Case copy(String name, DType type, NDArray x) {
        return new Case(
                name, x::copy, type == DType.F32 ? () -> NDArray.mapFloats(a -> a, x) : () -> NDArray.map(a -> a, x));
    }

    /** A comparison and a choice; as a map both at once. */
    private static Case choice(String name, DType type, NDArray x, NDArray y) {
        return new Case(
                name,
                () -> {
                    try (NDArray condition = x.greater(y)) {
                        return NDArray.where(condition, x, y);
                    }
                },
                type == DType.F32
                        ? () -> NDArray.mapFloats((a, b) -> a > b ? a : b, x, y)
                        : () -> NDArray.map((a, b) -> a > b ? a : b, x, y));
    }

    /** What the program prints in a new process, by names, in microseconds. */
    static Map<String, Double> inNewProcess(Way way, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dpenstock.host.kernels=" + way.kernels);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MapCases.class.getName(), way.name()));
        command.addAll(List.of(args));
        try {
            List<String> lines = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .start()
                    .inputReader()
                    .lines()
                    .toList();
            Map<String, Double> times = new LinkedHashMap<>();
            for (String line : lines) {
                int tab = line.indexOf('\t');
                if (tab > 0) times.put(line.substring(0, tab), Double.valueOf(line.substring(tab + 1)));
            }
            if (times.isEmpty()) throw new IllegalStateException(String.join("\n", lines));
            return times;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
