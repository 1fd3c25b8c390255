package io.penstock.runtime;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The contract of devices, kept by CUDA devices. */
@Tag("gpu")
class GpuDeviceTest extends DeviceContract {
    @Override
    List<CompilingDevice> devices() {
        return CudaDevices.pair();
    }

    @Override
    Buffer shared(long bytes) {
        return devices().getFirst().allocate(bytes, CudaDevices.shareMemory() ? MemoryKind.DEVICE : MemoryKind.UNIFIED);
    }

    @Override
    long longSpins() {
        return 8_000_000;
    }
}
