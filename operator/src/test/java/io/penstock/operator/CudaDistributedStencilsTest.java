package io.penstock.operator;

import org.junit.jupiter.api.Tag;

/** Distributed stencils on CUDA devices; several ranks share one where there are fewer. */
@Tag("gpu")
class CudaDistributedStencilsTest extends DeviceDistributedStencils {
    @Override
    String driver() {
        return "cuda";
    }
}
