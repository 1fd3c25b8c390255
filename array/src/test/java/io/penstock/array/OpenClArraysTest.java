package io.penstock.array;

import io.penstock.runtime.Device;

/** Arrays on an OpenCL device. */
class OpenClArraysTest extends DeviceArrays {
    @Override
    Device device() {
        return Drivers.device("opencl");
    }
}
