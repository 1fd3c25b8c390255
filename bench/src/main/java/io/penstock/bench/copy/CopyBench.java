package io.penstock.bench.copy;

import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Two arrays of two columns, of which one is copied to the other: by one kernel, two queues, several devices, all kinds of memory. */
@Command(
        name = "copy",
        description =
                "Copies between two arrays of two columns: one kernel, two queues, several devices, unified memory.",
        mixinStandardHelpOptions = true)
public final class CopyBench implements Runnable {
    private static final long GPU_ROWS = 500_000_000;
    private static final long OTHER_ROWS = 4_000_000;
    /** Of unified memory in all; drivers do not refuse what they cannot hold. */
    private static final long MOST_UNIFIED_BYTES = 2L << 30;

    @Option(
            names = "--devices",
            split = ",",
            description = "Devices of one driver, such as cuda:0,cuda:1 (default: of each driver one, and all).")
    private List<String> devices = List.of();

    @Option(names = "--rows", description = "Rows of the arrays (default 500,000,000 for CUDA, else 4,000,000).")
    private @Nullable Long rows;

    @Option(names = "--rounds", defaultValue = "50", description = "Rounds a case (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--no-peer",
            description = "Do not compile and run the twin in CUDA C++, which is done where there is nvcc.")
    private boolean noPeer;

    /** For picocli. */
    public CopyBench() {}

    @Override
    public void run() {
        for (List<Device> group : groups()) {
            boolean cuda = group.getFirst().name().startsWith("cuda");
            long size = rows != null ? rows : cuda ? GPU_ROWS : OTHER_ROWS;
            long unified = Math.min(size, MOST_UNIFIED_BYTES / (4 * Float.BYTES));
            CudaPeer theirs = cuda && !noPeer ? CudaPeer.measure(size, unified, rounds, group.size()) : CudaPeer.none();
            new CopyCases(group, size, unified, rounds, theirs, new Table(System.out)).run();
        }
    }

    /** The devices asked for, or those of each driver. */
    private List<List<Device>> groups() {
        if (!devices.isEmpty())
            return List.of(devices.stream().map(Device::named).toList());
        List<List<Device>> groups = new ArrayList<>();
        for (Device device : Device.all()) {
            List<Device> known = groups.stream()
                    .filter(group -> Reach.sameDriver(group.getFirst(), device))
                    .findFirst()
                    .orElse(null);
            if (known != null) known.add(device);
            else groups.add(new ArrayList<>(List.of(device)));
        }
        return groups;
    }
}
