package io.penstock.runtime;

import io.penstock.runtime.RandomDeviceProgram.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Random programs on CUDA devices with the JVM beside them end as they do in sequence; without the ledger's waits not. */
@Tag("gpu")
@Timeout(100)
class RandomGpuProgramsTest extends RandomDevicePrograms {
    @Override
    Machine machine() {
        return new Machine(CudaDevices.pair(), CudaDevices.shareMemory());
    }

    @Override
    long spins() {
        return 5_000;
    }
}
