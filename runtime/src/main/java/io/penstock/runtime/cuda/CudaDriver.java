package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_ASSERT;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_CONTAINED;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_ECC_UNCORRECTABLE;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_EXTERNAL_DEVICE;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_HARDWARE_STACK_ERROR;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_ILLEGAL_ADDRESS;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_LAUNCH_FAILED;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_LAUNCH_TIMEOUT;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_NVLINK_UNCORRECTABLE;
import static io.penstock.foreign.CudaValues.CUDA_ERROR_UNKNOWN;
import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Cuda;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.JvmSignals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The CUDA driver, initialised, its errors made exceptions. */
final class CudaDriver {
    private final Cuda calls;

    private CudaDriver(Cuda calls) {
        this.calls = calls;
    }

    /**
     * Loads and initialises the driver.
     *
     * @throws IllegalArgumentException when it cannot be loaded
     * @throws CudaException when it finds no device, or does not work
     */
    static CudaDriver load(String file) {
        JvmSignals signals = JvmSignals.record();
        CudaDriver driver = new CudaDriver(Cuda.load(file));
        driver.check(driver.calls.init(0), "cuInit");
        signals.restore(file);
        return driver;
    }

    /** The driver's functions, unchecked. */
    Cuda calls() {
        return calls;
    }

    /** Throws unless a call has succeeded. */
    void check(int code, String call) {
        if (code != CUDA_SUCCESS) throw failure(code, call);
    }

    /** The exception for a call that has failed. */
    CudaException failure(int code, String call) {
        return new CudaException(code, call + ": " + name(code) + ", " + description(code));
    }

    /** An error's name in C. */
    String name(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(JAVA_LONG);
            return calls.getErrorName(code, text.address()) == CUDA_SUCCESS ? string(text) : "CUDA error " + code;
        }
    }

    private String description(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(JAVA_LONG);
            return calls.getErrorString(code, text.address()) == CUDA_SUCCESS
                    ? string(text)
                    : "which it does not explain";
        }
    }

    private static String string(MemorySegment pointer) {
        return HostMemory.ALL.getString(pointer.get(JAVA_LONG, 0));
    }

    /** Whether an error is one after which its context answers every call with an error. */
    static boolean isSticky(int code) {
        return switch (code) {
            case CUDA_ERROR_ECC_UNCORRECTABLE,
                    CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUDA_ERROR_CONTAINED,
                    CUDA_ERROR_ILLEGAL_ADDRESS,
                    CUDA_ERROR_LAUNCH_TIMEOUT,
                    CUDA_ERROR_ASSERT,
                    CUDA_ERROR_EXTERNAL_DEVICE,
                    CUDA_ERROR_UNKNOWN -> true;
            default -> code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED;
        };
    }

    /** The newest CUDA version that the driver serves, such as 13.0. */
    String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            check(calls.driverGetVersion(version.address()), "cuDriverGetVersion");
            int number = version.get(JAVA_INT, 0);
            return number / 1000 + "." + number % 1000 / 10;
        }
    }

    /** How many devices there are. */
    int devices() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            check(calls.deviceGetCount(count.address()), "cuDeviceGetCount");
            return count.get(JAVA_INT, 0);
        }
    }
}
