package io.penstock.operator;

import org.junit.jupiter.api.Tag;

/** Distributed operators on CUDA devices; several ranks share one where there are fewer. */
@Tag("gpu")
class CudaDistributedOperatorsTest extends DeviceDistributedOperators {
    @Override
    String driver() {
        return "cuda";
    }
}
