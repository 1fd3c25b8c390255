package io.penstock.solver;

import io.penstock.runtime.Device;
import org.junit.jupiter.api.Tag;

/** Solvers on a CUDA device. */
@Tag("gpu")
class CudaSolversTest extends DeviceSolvers {
    @Override
    Device device() {
        return Devices.first("cuda");
    }
}
