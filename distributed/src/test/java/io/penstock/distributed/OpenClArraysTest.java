package io.penstock.distributed;

/** Distributed arrays on OpenCL devices. */
class OpenClArraysTest extends DeviceArrays {
    @Override
    String driver() {
        return "opencl";
    }
}
