package io.penstock.runtime;

import java.util.List;

/** The contract of devices, kept by two OpenCL devices of one driver. */
class OpenClDeviceTest extends DeviceContract {
    @Override
    List<CompilingDevice> devices() {
        return OpenClDevices.pair();
    }

    @Override
    Buffer shared(long bytes) {
        return devices().getFirst().allocate(bytes, MemoryKind.DEVICE);
    }

    @Override
    long longSpins() {
        // One item of a processor, and one of a GPU.
        return devices().getFirst().code().identity().contains("NVIDIA") ? 30_000_000 : 60_000_000;
    }
}
