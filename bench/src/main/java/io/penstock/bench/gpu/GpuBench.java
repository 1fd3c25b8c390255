package io.penstock.bench.gpu;

import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kernels in Java on a device against the same in CUDA C++ and CuPy, against the copy engine, and with checks that cannot be proved. */
@Command(
        name = "gpu",
        description = "Kernels in Java on a device against CUDA C++, CuPy and the copy engine.",
        mixinStandardHelpOptions = true)
public final class GpuBench implements Runnable {
    private static final String ENGINE = "copy engine";
    private static final String CHECKED = ", checked";

    @Option(names = "--device", description = "The device (default: the first of cuda, else of opencl, else the JVM).")
    private @Nullable String name;

    @Option(names = "--rounds", defaultValue = "15", description = "Rounds a case (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--small", description = "Small arrays, as on devices that are no GPU.")
    private boolean small;

    /** For picocli. */
    public GpuBench() {}

    @Override
    public void run() {
        Device device = device();
        Sizes sizes = small ? Sizes.SMALL : Sizes.of(device);
        boolean cuda = device.name().startsWith("cuda");
        List<String> arguments = sizes.arguments(rounds);
        Map<String, Double> theirs = cuda ? Peers.cuda(arguments) : Map.of();
        Map<String, Double> python = cuda ? Peers.cupy(arguments) : Map.of();
        System.out.printf(
                Locale.ROOT,
                "%-26s %10s %16s %10s %8s %10s %8s %9s %10s%n",
                device.name(),
                "ms",
                "",
                "CUDA ms",
                "ratio",
                "CuPy ms",
                "ratio",
                "/engine",
                "/proved");
        Queue queue = device.newQueue();
        Rows rows = new Rows(theirs, python);
        Timing timing = new Timing(queue, rounds);
        new GpuCases(queue, sizes, each -> {
                    double seconds = timing.median(each.run());
                    each.check().run();
                    System.out.println(rows.row(each, seconds));
                })
                .run();
        System.out.println(
                "ratio: the peer's time over ours, above 1 ours is faster; /engine and /proved: the time of the copy engine and"
                        + " of the kernel whose indices are proved, over this one's");
        FirstLaunch.report(device);
    }

    private Device device() {
        if (name != null) return Device.named(name);
        return Device.all().stream()
                .filter(d -> d.name().startsWith("cuda"))
                .findFirst()
                .or(() -> Device.all().stream()
                        .filter(d -> d.name().startsWith("opencl"))
                        .findFirst())
                .orElse(Device.jvm());
    }

    /** Writes rows, and remembers the times that others are compared with. */
    static final class Rows {
        private final Map<String, Double> cuda;
        private final Map<String, Double> cupy;
        private final Map<String, Double> ours = new java.util.HashMap<>();

        Rows(Map<String, Double> cuda, Map<String, Double> cupy) {
            this.cuda = cuda;
            this.cupy = cupy;
        }

        String row(GpuCase each, double seconds) {
            ours.put(each.name(), seconds);
            String plain = each.name().replace(CHECKED, "");
            Double engine = plain.equals("copy") ? ours.get(ENGINE) : null;
            Double proved = plain.equals(each.name()) ? null : ours.get(plain);
            return String.format(
                    Locale.ROOT,
                    "%-26s %10.4f %8.0f %-7s %10s %8s %10s %8s %9s %10s",
                    each.name(),
                    seconds * 1e3,
                    each.work() / seconds * 1e-9,
                    each.unit(),
                    milliseconds(cuda.get(plain)),
                    ratio(cuda.get(plain), seconds),
                    milliseconds(cupy.get(plain)),
                    ratio(cupy.get(plain), seconds),
                    ratio(engine, seconds),
                    ratio(proved, seconds));
        }

        private static String milliseconds(@Nullable Double seconds) {
            return seconds == null ? "-" : String.format(Locale.ROOT, "%.4f", seconds * 1e3);
        }

        private static String ratio(@Nullable Double theirs, double ours) {
            return theirs == null ? "-" : String.format(Locale.ROOT, "%.3f", theirs / ours);
        }
    }
}
