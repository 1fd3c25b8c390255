package io.penstock.runtime;

import io.penstock.runtime.cuda.StandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of devices, kept by CUDA devices on a stand-in for the driver. */
class StandInDeviceTest extends DeviceContract {
    private static List<CompilingDevice> devices = List.of();

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException, InterruptedException {
        CompilingDevice device = StandIn.large(folder);
        // One device twice: of two, each has a clock of its own, and a busy host cannot tell them apart by
        // microseconds.
        devices = List.of(device, device);
    }

    @Override
    List<CompilingDevice> devices() {
        return devices;
    }

    @Override
    Buffer shared(long bytes) {
        return devices().getFirst().allocate(bytes, MemoryKind.DEVICE);
    }

    @Override
    long longSpins() {
        return 60_000_000;
    }
}
