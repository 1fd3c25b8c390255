package io.penstock.solver;

import io.penstock.runtime.Device;

/** Solvers on an OpenCL device. */
class OpenClSolversTest extends DeviceSolvers {
    @Override
    Device device() {
        return Devices.first("opencl");
    }
}
