package io.penstock.bench;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What arrays on the host do element by element: by loops written by hand, and by the kernel that is made of a lambda. */
@Command(
        name = "maps",
        description = "Operations on elements by generated kernels against the loops written by hand, on the host.")
final class MapBench implements Runnable {
    /** What the JVM takes, at most, to compile a kernel's vectors while its launches go on. */
    private static final double WARM_UP_SECONDS = 2;

    private static final int FIRST_CALLS = 5;

    @Option(names = "--pairs", defaultValue = "15", description = "Timed pairs a row (default ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "100,10000,10000000",
            description = "Elements an array (default ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Option(names = "--only", description = "Runs the cases whose names contain this.")
    private String only = "";

    /** One operation, both ways. */
    private record Pair(String name, Supplier<NDArray> generated, Supplier<NDArray> byHand) {}

    @Override
    public void run() {
        System.out.println(Ratio.header("by hand"));
        JvmDevice.instance().sharing(JvmDevice.instance().threads(), () -> {
            for (long n : sizes)
                try (Scope _ = Scope.open()) {
                    for (Pair pair : pairs(n)) if (pair.name.contains(only)) report(pair, n);
                }
        });
        firstCalls();
    }

    private void report(Pair pair, long n) {
        // Of the time that this thread has had, which on a busy machine is less than what goes by.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + (long) (WARM_UP_SECONDS * 1e9);
        do pair.generated.get().close();
        while (threads.getCurrentThreadCpuTime() < end);
        Ratio ratio = Ratio.of(
                () -> pair.generated.get().close(), () -> pair.byHand.get().close(), pairs);
        System.out.println(ratio.row(pair.name + " n=" + n));
    }

    private static List<Pair> pairs(long n) {
        List<Pair> all = new ArrayList<>();
        for (DType type : new DType[] {DType.F32, DType.F64}) {
            NDArray x = NDArray.random(1, type, n);
            NDArray y = NDArray.random(2, type, n);
            all.add(real(type + " x + y", type, x, y));
            all.add(unary(type + " -x", type, x));
            all.add(product(type + " x * 3", type, x));
            all.add(new Pair(type + " exp x", () -> NDArray.map(a -> Math.exp(a), x), x::exp));
            all.add(choice(type + " where", type, x, y));
            // Every second column, and columns for rows.
            long rows = Math.max(1, Math.round(Math.sqrt((double) n)));
            NDArray wide = NDArray.random(3, type, rows, 2 * rows).slice(1, 0, 2 * rows, 2);
            NDArray turned = NDArray.random(4, type, rows, rows).transpose();
            all.add(real(type + " x + y, of every second and transposed", type, wide, turned));
            all.add(unary(type + " -x, transposed", type, turned));
            all.add(copy(type + " copy of every second", type, wide));
            all.add(copy(type + " copy, transposed", type, turned));
        }
        NDArray single = NDArray.random(5, DType.F32, n);
        NDArray twice = NDArray.random(6, DType.F64, n);
        all.add(real("F32 + F64", DType.F64, single, twice));
        for (DType type : new DType[] {DType.I32, DType.I64}) {
            NDArray x = NDArray.random(7, DType.F64, n).multiply(1000).as(type);
            NDArray y = NDArray.random(8, DType.F64, n).multiply(1000).as(type);
            all.add(new Pair(type + " x + y", () -> NDArray.mapLongs((a, b) -> a + b, x, y), () -> x.add(y)));
            all.add(new Pair(type + " -x", () -> NDArray.mapLongs(a -> -a, x), x::negate));
        }
        return all;
    }

    private static Pair real(String name, DType type, NDArray x, NDArray y) {
        return new Pair(
                name,
                type == DType.F32
                        ? () -> NDArray.mapFloats((a, b) -> a + b, x, y)
                        : () -> NDArray.map((a, b) -> a + b, x, y),
                () -> x.add(y));
    }

    private static Pair unary(String name, DType type, NDArray x) {
        return new Pair(
                name,
                type == DType.F32 ? () -> NDArray.mapFloats(a -> -a, x) : () -> NDArray.map(a -> -a, x),
                x::negate);
    }

    private static Pair product(String name, DType type, NDArray x) {
        return new Pair(
                name,
                type == DType.F32 ? () -> NDArray.mapFloats(a -> a * 3, x) : () -> NDArray.map(a -> a * 3, x),
                () -> x.multiply(3.0));
    }

    private static Pair copy(String name, DType type, NDArray x) {
        return new Pair(
                name, type == DType.F32 ? () -> NDArray.mapFloats(a -> a, x) : () -> NDArray.map(a -> a, x), x::copy);
    }

    private static Pair choice(String name, DType type, NDArray x, NDArray y) {
        NDArray condition = x.greater(y);
        return new Pair(
                name,
                type == DType.F32
                        ? () -> NDArray.mapFloats((c, a, b) -> c != 0 ? a : b, condition, x, y)
                        : () -> NDArray.map((c, a, b) -> c != 0 ? a : b, condition, x, y),
                () -> NDArray.where(condition, x, y));
    }

    /** What the first operations of new processes cost: all of the compiler is loaded by the first, and the next are new to it. */
    private static void firstCalls() {
        for (String way : new String[] {"generated", "by hand"}) {
            double[][] calls = new double[FirstMaps.CALLS][FIRST_CALLS];
            for (int process = 0; process < FIRST_CALLS; process++) {
                double[] times = FirstMaps.measure(way);
                for (int k = 0; k < times.length; k++) calls[k][process] = times[k];
            }
            System.out.printf(
                    Locale.ROOT,
                    "first calls in a new process, %s: %s ms%n",
                    way,
                    String.join(
                            ", ",
                            Arrays.stream(calls)
                                    .map(times -> String.format(Locale.ROOT, "%.1f", Ratio.median(times)))
                                    .toList()));
        }
    }

    /** The program of a new process. */
    static final class FirstMaps {
        static final int CALLS = 4;

        private FirstMaps() {}

        /** Prints the milliseconds of some operations, each of which is new. */
        public static void main(String[] args) {
            NDArray x = NDArray.random(1, DType.F32, 1000);
            NDArray y = NDArray.random(2, DType.F32, 1000);
            List<Supplier<NDArray>> calls = args[0].equals("generated")
                    ? List.of(
                            () -> NDArray.mapFloats((a, b) -> a + b, x, y),
                            () -> NDArray.mapFloats(a -> -a, x),
                            () -> NDArray.mapFloats((a, b) -> a * b, x, y),
                            () -> NDArray.map(a -> Math.sqrt(a), x))
                    : List.of(() -> x.add(y), x::negate, () -> x.multiply(y), x::sqrt);
            for (Supplier<NDArray> call : calls) {
                long start = System.nanoTime();
                call.get().close();
                System.out.println((System.nanoTime() - start) * 1e-6);
            }
        }

        static double[] measure(String way) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstMaps.class.getName(), way));
            try {
                List<String> lines = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .start()
                        .inputReader()
                        .lines()
                        .toList();
                double[] times = lines.stream()
                        .filter(line -> line.matches("[0-9.E-]+"))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                if (times.length != CALLS) throw new IllegalStateException(String.join("\n", lines));
                return times;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
