package io.penstock.operator;

/** Distributed stencils on OpenCL devices. */
class OpenClDistributedStencilsTest extends DeviceDistributedStencils {
    @Override
    String driver() {
        return "opencl";
    }
}
