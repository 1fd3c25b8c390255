package io.penstock.bench.copy;

import io.penstock.runtime.Device;
import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.opencl.OpenClDevice;

/** Which devices can work together. */
final class Reach {
    private Reach() {}

    /** Whether two devices are of one driver. */
    static boolean sameDriver(Device a, Device b) {
        if (a instanceof OpenClDevice one && b instanceof OpenClDevice other) return one.reaches(other);
        return a instanceof CudaDevice && b instanceof CudaDevice;
    }

    /** Whether kernels of a device may use another one's memory, which is not unified. */
    static boolean ofPlainMemory(Device device, Device owner) {
        if (device instanceof CudaDevice one && owner instanceof CudaDevice other) return one.reaches(other);
        return sameDriver(device, owner);
    }
}
