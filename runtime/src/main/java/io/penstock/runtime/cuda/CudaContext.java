package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;

import io.penstock.foreign.Cuda;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A device's primary context, the one that NVIDIA's libraries share, and what the driver says of the device. */
final class CudaContext {
    private final CudaDriver driver;
    private final int ordinal;
    private final int device;
    private final long handle;

    /** Opens the context of the device of a number, counted from 0. */
    CudaContext(CudaDriver driver, int ordinal) {
        this.driver = driver;
        this.ordinal = ordinal;
        CallingThread thread = CallingThread.get();
        driver.check(calls().deviceGet(thread.answer(), ordinal), "cuDeviceGet");
        this.device = thread.answeredInt(0);
        driver.check(calls().devicePrimaryCtxRetain(thread.answer(), device), "cuDevicePrimaryCtxRetain");
        this.handle = thread.answered(0);
    }

    private CudaContext(CudaContext beside) {
        this.driver = beside.driver;
        this.ordinal = beside.ordinal;
        this.device = beside.device;
        CallingThread thread = CallingThread.get();
        driver.check(calls().ctxCreate(thread.answer(), 0, 0, device), "cuCtxCreate");
        this.handle = thread.answered(0);
        thread.forget();
    }

    /** Another context of the same device, which shares nothing with this one. */
    CudaContext another() {
        return new CudaContext(this);
    }

    CudaDriver driver() {
        return driver;
    }

    Cuda calls() {
        return driver.calls();
    }

    int ordinal() {
        return ordinal;
    }

    long handle() {
        return handle;
    }

    /** Makes this the context of the calling thread, which must not be a virtual one. */
    CallingThread enter() {
        CallingThread thread = CallingThread.get();
        thread.enter(driver, handle);
        return thread;
    }

    /** Throws unless a call has succeeded. */
    void check(int code, String call) {
        driver.check(code, call);
    }

    /** An attribute of the device. */
    int attribute(int attribute) {
        CallingThread thread = CallingThread.get();
        check(calls().deviceGetAttribute(thread.answer(), attribute, device), "cuDeviceGetAttribute");
        return thread.answeredInt(0);
    }

    /** The device's model. */
    String model() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(256);
            check(calls().deviceGetName(name.address(), name.byteSize(), device), "cuDeviceGetName");
            return name.getString(0);
        }
    }

    /** The device's place on the bus. */
    String busId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(64);
            check(calls().deviceGetPCIBusId(name.address(), name.byteSize(), device), "cuDeviceGetPCIBusId");
            return name.getString(0);
        }
    }

    /** What the device's code is compiled for, such as {@code sm_90}. */
    String architecture() {
        return "sm_" + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    }

    /** How much memory the device has. */
    long totalMemory() {
        CallingThread thread = CallingThread.get();
        check(calls().deviceTotalMem(thread.answer(), device), "cuDeviceTotalMem");
        return thread.answered(0);
    }

    /** How much of it is free, as the driver sees it: what is pooled counts as used. */
    long freeMemory() {
        CallingThread thread = enter();
        check(calls().memGetInfo(thread.answer(), thread.answer() + 8), "cuMemGetInfo");
        return thread.answered(0);
    }

    /** Whether the driver says that the device can reach another's memory. */
    boolean claimsAccessTo(CudaContext other) {
        CallingThread thread = CallingThread.get();
        check(calls().deviceCanAccessPeer(thread.answer(), device, other.device), "cuDeviceCanAccessPeer");
        return thread.answeredInt(0) != 0;
    }
}
