package io.penstock.array;

import io.penstock.runtime.Device;
import org.junit.jupiter.api.Tag;

/** Arrays on a CUDA device. */
@Tag("gpu")
class CudaArraysTest extends DeviceArrays {
    @Override
    Device device() {
        return Drivers.device("cuda");
    }
}
