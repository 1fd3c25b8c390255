package io.penstock.runtime.cuda;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in's devices. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandInCudaTest extends CudaContract {
    @SuppressWarnings("NullAway.Init") // set before all tests
    private CudaBackend backend;

    @BeforeAll
    void load(@TempDir Path folder) throws IOException, InterruptedException {
        backend = StandIn.load(folder, 20_000);
    }

    @Override
    List<CudaDevice> devices() {
        return backend.cudaDevices();
    }

    @Override
    TestKernels kernels(CudaDevice device) {
        return new TestKernels(device, true);
    }

    @Override
    long longTime() {
        return 100_000_000;
    }
}
