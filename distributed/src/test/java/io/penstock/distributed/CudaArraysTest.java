package io.penstock.distributed;

import org.junit.jupiter.api.Tag;

/** Distributed arrays on CUDA devices; several ranks share one where there are fewer. */
@Tag("gpu")
class CudaArraysTest extends DeviceArrays {
    @Override
    String driver() {
        return "cuda";
    }
}
