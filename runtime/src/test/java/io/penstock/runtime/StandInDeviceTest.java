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
        devices = List.copyOf(StandIn.devices(folder, 1));
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
