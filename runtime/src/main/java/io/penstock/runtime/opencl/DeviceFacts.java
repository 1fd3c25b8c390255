package io.penstock.runtime.opencl;

import io.penstock.foreign.OpenCl;

/**
 * What a driver tells of one of its devices.
 *
 * @param id its handle
 * @param name such as {@code NVIDIA H200}
 * @param version which OpenCL it speaks
 * @param driver the driver's version
 * @param available whether it can be used, and programs compiled for it
 * @param cpu whether it is the host's own processor
 * @param doubles whether it computes in double precision
 * @param units how many processors it has
 * @param groupItems the most items of a group
 * @param groupBytes the most memory that the items of a group share
 * @param memory how much memory it has
 * @param largest how much of that one allocation can have
 * @param unified whether host and device can use an allocation at the same time, by the same address
 */
record DeviceFacts(
        long id,
        String name,
        String version,
        String driver,
        boolean available,
        boolean cpu,
        boolean doubles,
        int units,
        int groupItems,
        long groupBytes,
        long memory,
        long largest,
        boolean unified) {

    static DeviceFacts of(Platform platform, long id) {
        OpenCl cl = platform.cl();
        long unified = optional(cl, id, OpenCl.CL_DEVICE_SVM_CAPABILITIES) & OpenCl.CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
        return new DeviceFacts(
                id,
                text(cl, id, OpenCl.CL_DEVICE_NAME),
                text(cl, id, OpenCl.CL_DEVICE_VERSION),
                text(cl, id, OpenCl.CL_DRIVER_VERSION),
                number(cl, id, OpenCl.CL_DEVICE_AVAILABLE) != 0
                        && number(cl, id, OpenCl.CL_DEVICE_COMPILER_AVAILABLE) != 0,
                (number(cl, id, OpenCl.CL_DEVICE_TYPE) & OpenCl.CL_DEVICE_TYPE_CPU) != 0,
                optional(cl, id, OpenCl.CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
                (int) number(cl, id, OpenCl.CL_DEVICE_MAX_COMPUTE_UNITS),
                (int) Math.min(Integer.MAX_VALUE, number(cl, id, OpenCl.CL_DEVICE_MAX_WORK_GROUP_SIZE)),
                number(cl, id, OpenCl.CL_DEVICE_LOCAL_MEM_SIZE),
                number(cl, id, OpenCl.CL_DEVICE_GLOBAL_MEM_SIZE),
                number(cl, id, OpenCl.CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                unified != 0 && cl.has("clSVMAlloc"));
    }

    private static String text(OpenCl cl, long id, int what) {
        return Platform.text(
                "clGetDeviceInfo", (bytes, answer, size) -> cl.getDeviceInfo(id, what, bytes, answer, size));
    }

    private static long number(OpenCl cl, long id, int what) {
        return Platform.number(
                "clGetDeviceInfo", (bytes, answer, size) -> cl.getDeviceInfo(id, what, bytes, answer, size));
    }

    /** A number that drivers of older versions do not know; zero then. */
    private static long optional(OpenCl cl, long id, int what) {
        try {
            return number(cl, id, what);
        } catch (OpenClException e) {
            return 0;
        }
    }
}
