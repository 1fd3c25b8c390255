package io.penstock.operator;

/** Distributed operators on OpenCL devices. */
class OpenClDistributedOperatorsTest extends DeviceDistributedOperators {
    @Override
    String driver() {
        return "opencl";
    }
}
