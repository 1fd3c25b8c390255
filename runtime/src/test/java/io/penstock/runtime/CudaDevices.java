package io.penstock.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

/** The CUDA devices of this machine, for tests; those that need some are skipped where there are none. */
final class CudaDevices {
    private CudaDevices() {}

    /** Two, or the same one twice. */
    static List<CompilingDevice> pair() {
        Backend backend = Backends.all().stream()
                .filter(b -> b.name().equals("cuda"))
                .findFirst()
                .orElseThrow();
        List<CompilingDevice> devices =
                backend.devices().stream().map(CompilingDevice.class::cast).toList();
        assumeTrue(
                !devices.isEmpty(), () -> "no CUDA device: " + backend.absence().orElse(""));
        return devices.size() > 1 ? devices.subList(0, 2) : List.of(devices.getFirst(), devices.getFirst());
    }

    /** Whether kernels of one may use the memory of the other. */
    static boolean shareMemory() {
        List<CompilingDevice> pair = pair();
        try (Buffer there = pair.getLast().allocate(64, MemoryKind.DEVICE)) {
            return pair.getFirst().queue().reaches(there);
        }
    }
}
