package io.penstock.bench.gpu;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.KernelBody;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How long the first launch of a kernel takes, from its lambda to its result, in a process of its own. Half of the kernels come
 * before, to load the compiler, the driver's code and the JVM's; the others are timed.
 */
final class FirstLaunch {
    private static final int ITEMS = 1000;

    /** Kernels that differ in their code. */
    private static final List<KernelBody.Of2<Floats, Floats>> KERNELS = List.of(
            (at, out, in) -> out.set(at.x(), in.get(at.x()) + 1),
            (at, out, in) -> out.set(at.x(), in.get(at.x()) * in.get(at.x())),
            (at, out, in) -> out.set(at.x(), Math.abs(in.get(at.x()))),
            (at, out, in) -> out.set(at.x(), (float) Math.sqrt(in.get(at.x()))),
            (at, out, in) -> out.set(at.x(), in.get(at.sizeX() - 1 - at.x())),
            (at, out, in) -> out.set(at.x(), Math.max(in.get(at.x()), 0.5f)),
            (at, out, in) -> out.set(at.x(), at.x() > 0 ? in.get(at.x()) - in.get(at.x() - 1) : 0),
            (at, out, in) -> out.set(at.x(), 3 / (in.get(at.x()) + 2)),
            (at, out, in) -> out.set(at.x(), Math.fma(in.get(at.x()), 2, 1)),
            (at, out, in) -> {
                float sum = 0;
                for (int k = 0; k < 5; k++) sum += in.get((at.x() + k) % in.length());
                out.set(at.x(), sum);
            },
            (at, out, in) -> out.set(at.x(), at.x() % 3 == 0 ? in.get(at.x()) : -in.get(at.x())),
            (at, out, in) -> out.set(at.x(), (int) (8 * in.get(at.x())) / 8f));

    private FirstLaunch() {}

    /** Measures on a device; prints the milliseconds of each timed launch. */
    public static void main(String[] args) {
        Device device = Device.named(args[0]);
        Queue queue = device.newQueue();
        MemoryKind kind = device.equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE;
        try (Buffer a = device.allocate(ITEMS * Float.BYTES, kind);
                Buffer b = device.allocate(ITEMS * Float.BYTES, kind)) {
            Floats out = Floats.of(a, ITEMS);
            Floats in = Floats.of(b, ITEMS);
            for (int k = 0; k < KERNELS.size(); k++) {
                long start = System.nanoTime();
                Kernel.of(KERNELS.get(k)).over(ITEMS).launch(queue, out, in);
                queue.await();
                double milliseconds = (System.nanoTime() - start) * 1e-6;
                if (k >= KERNELS.size() / 2) System.out.println(milliseconds);
            }
        }
    }

    /** Prints what new processes measure: with nothing compiled, and with all in the cache on disk. */
    static void report(Device device) {
        try {
            Path cache = Files.createTempDirectory("penstock-first");
            print("first launch of a new kernel", device, cache);
            print("first launch, from the disk cache", device, cache);
            try (Stream<Path> files = Files.list(cache)) {
                for (Path file : files.toList()) Files.delete(file);
            }
            Files.delete(cache);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(String what, Device device, Path cache) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstLaunch.class.getName()));
        command.add(device.name());
        ProcessBuilder child = new ProcessBuilder(command).redirectErrorStream(true);
        child.environment().put("PENSTOCK_CACHE", cache.toString());
        List<String> lines = child.start().inputReader().lines().toList();
        double[] all = lines.stream()
                .filter(line -> line.matches("[0-9.E-]+"))
                .mapToDouble(Double::parseDouble)
                .sorted()
                .toArray();
        System.out.println(
                all.length == 0
                        ? what + ": not measured: " + String.join("\n", lines)
                        : String.format(
                                Locale.ROOT,
                                "%-36s %9.2f ms  (least %.2f, most %.2f)",
                                what,
                                all[all.length / 2],
                                all[0],
                                all[all.length - 1]));
    }
}
