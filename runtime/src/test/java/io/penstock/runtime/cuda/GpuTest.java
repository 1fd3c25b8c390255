package io.penstock.runtime.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** GPUs: two where there are two, else two contexts of one. */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GpuTest extends CudaContract {
    private final CudaBackend backend = new CudaBackend();
    private final List<CudaDevice> devices = new ArrayList<>();

    @BeforeAll
    void find() {
        assumeTrue(backend.absence().isEmpty(), () -> "no CUDA device: " + backend.absence());
        devices.addAll(backend.cudaDevices());
        if (devices.size() == 1) devices.add(devices.getFirst().anotherContext());
    }

    @Override
    List<CudaDevice> devices() {
        return devices;
    }

    @Override
    TestKernels kernels(CudaDevice device) {
        return new TestKernels(device, false);
    }

    @Override
    long longTime() {
        return 100_000_000;
    }
}
