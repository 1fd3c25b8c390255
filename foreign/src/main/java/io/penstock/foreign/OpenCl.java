package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The loader of OpenCL drivers: its functions by their C names without the prefix, arguments in C's order. Pointers, handles,
 * sizes and bit fields are longs, {@code cl_int}, {@code cl_uint} and {@code cl_bool} ints.
 *
 * <p>What stands here is OpenCL 1.2, and of later versions what is marked so; {@link #has} tells what a library exports, and a
 * device's version what its driver can do. Functions are bound when they are first used, since each new shape of call costs
 * milliseconds. One that the library lacks throws {@link UnsupportedOperationException} when it is called.
 */
public final class OpenCl {
    /** {@code CL_SUCCESS}. */
    public static final int CL_SUCCESS = 0;
    /** {@code CL_DEVICE_NOT_FOUND}. */
    public static final int CL_DEVICE_NOT_FOUND = -1;
    /** {@code CL_MEM_OBJECT_ALLOCATION_FAILURE}. */
    public static final int CL_MEM_OBJECT_ALLOCATION_FAILURE = -4;
    /** {@code CL_OUT_OF_RESOURCES}. */
    public static final int CL_OUT_OF_RESOURCES = -5;
    /** {@code CL_OUT_OF_HOST_MEMORY}. */
    public static final int CL_OUT_OF_HOST_MEMORY = -6;
    /** {@code CL_INVALID_KERNEL_NAME}. */
    public static final int CL_INVALID_KERNEL_NAME = -46;
    /** {@code CL_INVALID_BUFFER_SIZE}. */
    public static final int CL_INVALID_BUFFER_SIZE = -61;
    /** {@code CL_PLATFORM_NOT_FOUND_KHR}. */
    public static final int CL_PLATFORM_NOT_FOUND_KHR = -1001;
    /** {@code CL_PLATFORM_VERSION}. */
    public static final int CL_PLATFORM_VERSION = 0x0901;
    /** {@code CL_PLATFORM_NAME}. */
    public static final int CL_PLATFORM_NAME = 0x0902;
    /** {@code CL_DEVICE_TYPE}. */
    public static final int CL_DEVICE_TYPE = 0x1000;
    /** {@code CL_DEVICE_MAX_COMPUTE_UNITS}. */
    public static final int CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002;
    /** {@code CL_DEVICE_MAX_WORK_GROUP_SIZE}. */
    public static final int CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004;
    /** {@code CL_DEVICE_MAX_WORK_ITEM_SIZES}. */
    public static final int CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005;
    /** {@code CL_DEVICE_MAX_MEM_ALLOC_SIZE}. */
    public static final int CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010;
    /** {@code CL_DEVICE_GLOBAL_MEM_SIZE}. */
    public static final int CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F;
    /** {@code CL_DEVICE_LOCAL_MEM_SIZE}. */
    public static final int CL_DEVICE_LOCAL_MEM_SIZE = 0x1023;
    /** {@code CL_DEVICE_AVAILABLE}. */
    public static final int CL_DEVICE_AVAILABLE = 0x1027;
    /** {@code CL_DEVICE_COMPILER_AVAILABLE}. */
    public static final int CL_DEVICE_COMPILER_AVAILABLE = 0x1028;
    /** {@code CL_DEVICE_NAME}. */
    public static final int CL_DEVICE_NAME = 0x102B;
    /** {@code CL_DRIVER_VERSION}. */
    public static final int CL_DRIVER_VERSION = 0x102D;
    /** {@code CL_DEVICE_VERSION}. */
    public static final int CL_DEVICE_VERSION = 0x102F;
    /** {@code CL_DEVICE_DOUBLE_FP_CONFIG}. */
    public static final int CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032;
    /** {@code CL_DEVICE_SVM_CAPABILITIES}. */
    public static final int CL_DEVICE_SVM_CAPABILITIES = 0x1053;
    /** {@code CL_CONTEXT_PLATFORM}. */
    public static final int CL_CONTEXT_PLATFORM = 0x1084;
    /** {@code CL_PROGRAM_BINARY_SIZES}. */
    public static final int CL_PROGRAM_BINARY_SIZES = 0x1165;
    /** {@code CL_PROGRAM_BINARIES}. */
    public static final int CL_PROGRAM_BINARIES = 0x1166;
    /** {@code CL_PROGRAM_BUILD_LOG}. */
    public static final int CL_PROGRAM_BUILD_LOG = 0x1183;
    /** {@code CL_KERNEL_WORK_GROUP_SIZE}. */
    public static final int CL_KERNEL_WORK_GROUP_SIZE = 0x11B0;
    /** {@code CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE}. */
    public static final int CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3;
    /** {@code CL_EVENT_COMMAND_EXECUTION_STATUS}. */
    public static final int CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3;
    /** {@code CL_PROFILING_COMMAND_START}. */
    public static final int CL_PROFILING_COMMAND_START = 0x1282;
    /** {@code CL_PROFILING_COMMAND_END}. */
    public static final int CL_PROFILING_COMMAND_END = 0x1283;
    /** {@code CL_DEVICE_TYPE_ALL}. */
    public static final long CL_DEVICE_TYPE_ALL = 0xFFFFFFFFL;
    /** {@code CL_DEVICE_TYPE_CPU}. */
    public static final long CL_DEVICE_TYPE_CPU = 2;
    /** {@code CL_DEVICE_SVM_FINE_GRAIN_BUFFER}. */
    public static final long CL_DEVICE_SVM_FINE_GRAIN_BUFFER = 2;
    /** {@code CL_QUEUE_PROFILING_ENABLE}. */
    public static final long CL_QUEUE_PROFILING_ENABLE = 2;
    /** {@code CL_MEM_READ_WRITE}. */
    public static final long CL_MEM_READ_WRITE = 1;
    /** {@code CL_MEM_ALLOC_HOST_PTR}. */
    public static final long CL_MEM_ALLOC_HOST_PTR = 16;
    /** {@code CL_MEM_SVM_FINE_GRAIN_BUFFER}. */
    public static final long CL_MEM_SVM_FINE_GRAIN_BUFFER = 1024;
    /** {@code CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED}. */
    public static final long CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED = 2;
    /** {@code CL_MAP_READ}. */
    public static final long CL_MAP_READ = 1;
    /** {@code CL_MAP_WRITE}. */
    public static final long CL_MAP_WRITE = 2;

    private static final Map<Integer, String> ERRORS = Map.ofEntries(
            Map.entry(-1, "CL_DEVICE_NOT_FOUND"),
            Map.entry(-2, "CL_DEVICE_NOT_AVAILABLE"),
            Map.entry(-3, "CL_COMPILER_NOT_AVAILABLE"),
            Map.entry(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
            Map.entry(-5, "CL_OUT_OF_RESOURCES"),
            Map.entry(-6, "CL_OUT_OF_HOST_MEMORY"),
            Map.entry(-7, "CL_PROFILING_INFO_NOT_AVAILABLE"),
            Map.entry(-8, "CL_MEM_COPY_OVERLAP"),
            Map.entry(-9, "CL_IMAGE_FORMAT_MISMATCH"),
            Map.entry(-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED"),
            Map.entry(-11, "CL_BUILD_PROGRAM_FAILURE"),
            Map.entry(-12, "CL_MAP_FAILURE"),
            Map.entry(-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"),
            Map.entry(-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"),
            Map.entry(-15, "CL_COMPILE_PROGRAM_FAILURE"),
            Map.entry(-16, "CL_LINKER_NOT_AVAILABLE"),
            Map.entry(-17, "CL_LINK_PROGRAM_FAILURE"),
            Map.entry(-18, "CL_DEVICE_PARTITION_FAILED"),
            Map.entry(-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"),
            Map.entry(-30, "CL_INVALID_VALUE"),
            Map.entry(-31, "CL_INVALID_DEVICE_TYPE"),
            Map.entry(-32, "CL_INVALID_PLATFORM"),
            Map.entry(-33, "CL_INVALID_DEVICE"),
            Map.entry(-34, "CL_INVALID_CONTEXT"),
            Map.entry(-35, "CL_INVALID_QUEUE_PROPERTIES"),
            Map.entry(-36, "CL_INVALID_COMMAND_QUEUE"),
            Map.entry(-37, "CL_INVALID_HOST_PTR"),
            Map.entry(-38, "CL_INVALID_MEM_OBJECT"),
            Map.entry(-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"),
            Map.entry(-40, "CL_INVALID_IMAGE_SIZE"),
            Map.entry(-41, "CL_INVALID_SAMPLER"),
            Map.entry(-42, "CL_INVALID_BINARY"),
            Map.entry(-43, "CL_INVALID_BUILD_OPTIONS"),
            Map.entry(-44, "CL_INVALID_PROGRAM"),
            Map.entry(-45, "CL_INVALID_PROGRAM_EXECUTABLE"),
            Map.entry(-46, "CL_INVALID_KERNEL_NAME"),
            Map.entry(-47, "CL_INVALID_KERNEL_DEFINITION"),
            Map.entry(-48, "CL_INVALID_KERNEL"),
            Map.entry(-49, "CL_INVALID_ARG_INDEX"),
            Map.entry(-50, "CL_INVALID_ARG_VALUE"),
            Map.entry(-51, "CL_INVALID_ARG_SIZE"),
            Map.entry(-52, "CL_INVALID_KERNEL_ARGS"),
            Map.entry(-53, "CL_INVALID_WORK_DIMENSION"),
            Map.entry(-54, "CL_INVALID_WORK_GROUP_SIZE"),
            Map.entry(-55, "CL_INVALID_WORK_ITEM_SIZE"),
            Map.entry(-56, "CL_INVALID_GLOBAL_OFFSET"),
            Map.entry(-57, "CL_INVALID_EVENT_WAIT_LIST"),
            Map.entry(-58, "CL_INVALID_EVENT"),
            Map.entry(-59, "CL_INVALID_OPERATION"),
            Map.entry(-60, "CL_INVALID_GL_OBJECT"),
            Map.entry(-61, "CL_INVALID_BUFFER_SIZE"),
            Map.entry(-62, "CL_INVALID_MIP_LEVEL"),
            Map.entry(-63, "CL_INVALID_GLOBAL_WORK_SIZE"),
            Map.entry(-64, "CL_INVALID_PROPERTY"),
            Map.entry(-65, "CL_INVALID_IMAGE_DESCRIPTOR"),
            Map.entry(-66, "CL_INVALID_COMPILER_OPTIONS"),
            Map.entry(-67, "CL_INVALID_LINKER_OPTIONS"),
            Map.entry(-68, "CL_INVALID_DEVICE_PARTITION_COUNT"),
            Map.entry(-69, "CL_INVALID_PIPE_SIZE"),
            Map.entry(-70, "CL_INVALID_DEVICE_QUEUE"),
            Map.entry(-71, "CL_INVALID_SPEC_ID"),
            Map.entry(-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED"),
            Map.entry(-1001, "CL_PLATFORM_NOT_FOUND_KHR"));

    private static final Linker LINKER = Linker.nativeLinker();
    private static final List<String> FILES = List.of("libOpenCL.so.1", "libOpenCL.so");

    private final String file;
    private final SymbolLookup symbols;

    /** One function, bound when it is first called. */
    private final class Call {
        private final String symbol;
        private final FunctionDescriptor type;
        private @Nullable MethodHandle bound;

        Call(String symbol, FunctionDescriptor type) {
            this.symbol = symbol;
            this.type = type;
        }

        MethodHandle handle() {
            MethodHandle handle = bound;
            if (handle == null) {
                MemorySegment address = symbols.find(symbol)
                        .orElseThrow(() -> new UnsupportedOperationException(file + " has no " + symbol));
                bound = handle = LINKER.downcallHandle(address, type);
            }
            return handle;
        }
    }

    // Platforms and devices -------------------------------------------------------------------------------------------
    private final Call getPlatformIDs =
            new Call("clGetPlatformIDs", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call getPlatformInfo = new Call(
            "clGetPlatformInfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call getDeviceIDs = new Call(
            "clGetDeviceIDs", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call getDeviceInfo = new Call(
            "clGetDeviceInfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call getDeviceAndHostTimer =
            new Call("clGetDeviceAndHostTimer", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    // Contexts and queues ---------------------------------------------------------------------------------------------
    private final Call createContext = new Call(
            "clCreateContext",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call createCommandQueue = new Call(
            "clCreateCommandQueue", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call releaseCommandQueue =
            new Call("clReleaseCommandQueue", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final Call flush = new Call("clFlush", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final Call finish = new Call("clFinish", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    // Memory ----------------------------------------------------------------------------------------------------------
    private final Call createBuffer = new Call(
            "clCreateBuffer", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call releaseMemObject = new Call("clReleaseMemObject", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final Call svmAlloc =
            new Call("clSVMAlloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private final Call svmFree = new Call("clSVMFree", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    // Programs and kernels --------------------------------------------------------------------------------------------
    private final Call createProgramWithSource = new Call(
            "clCreateProgramWithSource",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call createProgramWithBinary = new Call(
            "clCreateProgramWithBinary",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call buildProgram = new Call(
            "clBuildProgram",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call getProgramInfo = new Call(
            "clGetProgramInfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call getProgramBuildInfo = new Call(
            "clGetProgramBuildInfo",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call releaseProgram = new Call("clReleaseProgram", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final Call createKernel =
            new Call("clCreateKernel", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call releaseKernel = new Call("clReleaseKernel", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final Call setKernelArg =
            new Call("clSetKernelArg", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call setKernelArgSVMPointer =
            new Call("clSetKernelArgSVMPointer", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private final Call getKernelWorkGroupInfo = new Call(
            "clGetKernelWorkGroupInfo",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    // Commands --------------------------------------------------------------------------------------------------------
    private final Call enqueueNDRangeKernel = new Call(
            "clEnqueueNDRangeKernel",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
    private final Call enqueueReadBuffer = new Call(
            "clEnqueueReadBuffer",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
    private final Call enqueueWriteBuffer = new Call(
            "clEnqueueWriteBuffer",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
    private final Call enqueueReadBufferRect = new Call(
            "clEnqueueReadBufferRect",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueWriteBufferRect = new Call(
            "clEnqueueWriteBufferRect",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueCopyBuffer = new Call(
            "clEnqueueCopyBuffer",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
    private final Call enqueueCopyBufferRect = new Call(
            "clEnqueueCopyBufferRect",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueFillBuffer = new Call(
            "clEnqueueFillBuffer",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
    private final Call enqueueMapBuffer = new Call(
            "clEnqueueMapBuffer",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG));
    private final Call enqueueUnmapMemObject = new Call(
            "clEnqueueUnmapMemObject",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueMigrateMemObjects = new Call(
            "clEnqueueMigrateMemObjects",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueMarkerWithWaitList = new Call(
            "clEnqueueMarkerWithWaitList", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final Call enqueueBarrierWithWaitList = new Call(
            "clEnqueueBarrierWithWaitList", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    // Events ----------------------------------------------------------------------------------------------------------
    private final Call waitForEvents =
            new Call("clWaitForEvents", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private final Call getEventInfo = new Call(
            "clGetEventInfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call getEventProfilingInfo = new Call(
            "clGetEventProfilingInfo",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private final Call releaseEvent = new Call("clReleaseEvent", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    private OpenCl(String file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
    }

    /**
     * Loads the system's loader of drivers, which stays loaded for as long as the process lives.
     *
     * @throws IllegalArgumentException when there is none, with the reason
     */
    public static OpenCl load() {
        List<String> reasons = new ArrayList<>();
        for (String file : FILES) {
            String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
            if (reason.isEmpty()) return new OpenCl(file, SymbolLookup.libraryLookup(file, Arena.global()));
            reasons.add(reason);
        }
        throw new IllegalArgumentException(String.join("; ", reasons));
    }

    /** Whether the library exports a symbol. */
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    /** The name of an error code, such as {@code CL_INVALID_VALUE}. */
    public static String errorName(int code) {
        return ERRORS.getOrDefault(code, code == CL_SUCCESS ? "CL_SUCCESS" : "OpenCL error " + code);
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof UnsupportedOperationException missing) return missing;
        return new IllegalStateException("a downcall to OpenCL failed", e);
    }

    // Platforms and devices -------------------------------------------------------------------------------------------
    /** {@code clGetPlatformIDs}. */
    public int getPlatformIDs(int numEntries, long platforms, long numPlatforms) {
        try {
            return (int) getPlatformIDs.handle().invokeExact(numEntries, platforms, numPlatforms);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetPlatformInfo}. */
    public int getPlatformInfo(
            long platform, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getPlatformInfo
                    .handle()
                    .invokeExact(platform, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetDeviceIDs}. */
    public int getDeviceIDs(long platform, long deviceType, int numEntries, long devices, long numDevices) {
        try {
            return (int) getDeviceIDs.handle().invokeExact(platform, deviceType, numEntries, devices, numDevices);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetDeviceInfo}. */
    public int getDeviceInfo(long device, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getDeviceInfo
                    .handle()
                    .invokeExact(device, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetDeviceAndHostTimer}, from version 2.1 on. */
    public int getDeviceAndHostTimer(long device, long deviceTimestamp, long hostTimestamp) {
        try {
            return (int) getDeviceAndHostTimer.handle().invokeExact(device, deviceTimestamp, hostTimestamp);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Contexts and queues ---------------------------------------------------------------------------------------------
    /** {@code clCreateContext}. */
    public long createContext(
            long properties, int numDevices, long devices, long pfnNotify, long userData, long errcodeRet) {
        try {
            return (long) createContext
                    .handle()
                    .invokeExact(properties, numDevices, devices, pfnNotify, userData, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clCreateCommandQueue}. */
    public long createCommandQueue(long context, long device, long properties, long errcodeRet) {
        try {
            return (long) createCommandQueue.handle().invokeExact(context, device, properties, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clReleaseCommandQueue}. */
    public int releaseCommandQueue(long commandQueue) {
        try {
            return (int) releaseCommandQueue.handle().invokeExact(commandQueue);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clFlush}. */
    public int flush(long commandQueue) {
        try {
            return (int) flush.handle().invokeExact(commandQueue);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clFinish}. */
    public int finish(long commandQueue) {
        try {
            return (int) finish.handle().invokeExact(commandQueue);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Memory ----------------------------------------------------------------------------------------------------------
    /** {@code clCreateBuffer}. */
    public long createBuffer(long context, long flags, long size, long hostPtr, long errcodeRet) {
        try {
            return (long) createBuffer.handle().invokeExact(context, flags, size, hostPtr, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clReleaseMemObject}. */
    public int releaseMemObject(long memobj) {
        try {
            return (int) releaseMemObject.handle().invokeExact(memobj);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clSVMAlloc}, from version 2.0 on. */
    public long svmAlloc(long context, long flags, long size, int alignment) {
        try {
            return (long) svmAlloc.handle().invokeExact(context, flags, size, alignment);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clSVMFree}, from version 2.0 on. */
    public void svmFree(long context, long svmPointer) {
        try {
            svmFree.handle().invokeExact(context, svmPointer);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Programs and kernels --------------------------------------------------------------------------------------------
    /** {@code clCreateProgramWithSource}. */
    public long createProgramWithSource(long context, int count, long strings, long lengths, long errcodeRet) {
        try {
            return (long) createProgramWithSource.handle().invokeExact(context, count, strings, lengths, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clCreateProgramWithBinary}. */
    public long createProgramWithBinary(
            long context,
            int numDevices,
            long deviceList,
            long lengths,
            long binaries,
            long binaryStatus,
            long errcodeRet) {
        try {
            return (long) createProgramWithBinary
                    .handle()
                    .invokeExact(context, numDevices, deviceList, lengths, binaries, binaryStatus, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clBuildProgram}. */
    public int buildProgram(
            long program, int numDevices, long deviceList, long options, long pfnNotify, long userData) {
        try {
            return (int)
                    buildProgram.handle().invokeExact(program, numDevices, deviceList, options, pfnNotify, userData);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetProgramInfo}. */
    public int getProgramInfo(
            long program, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getProgramInfo
                    .handle()
                    .invokeExact(program, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetProgramBuildInfo}. */
    public int getProgramBuildInfo(
            long program, long device, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getProgramBuildInfo
                    .handle()
                    .invokeExact(program, device, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clReleaseProgram}. */
    public int releaseProgram(long program) {
        try {
            return (int) releaseProgram.handle().invokeExact(program);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clCreateKernel}. */
    public long createKernel(long program, long kernelName, long errcodeRet) {
        try {
            return (long) createKernel.handle().invokeExact(program, kernelName, errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clReleaseKernel}. */
    public int releaseKernel(long kernel) {
        try {
            return (int) releaseKernel.handle().invokeExact(kernel);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clSetKernelArg}. */
    public int setKernelArg(long kernel, int argIndex, long argSize, long argValue) {
        try {
            return (int) setKernelArg.handle().invokeExact(kernel, argIndex, argSize, argValue);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clSetKernelArgSVMPointer}, from version 2.0 on. */
    public int setKernelArgSVMPointer(long kernel, int argIndex, long argValue) {
        try {
            return (int) setKernelArgSVMPointer.handle().invokeExact(kernel, argIndex, argValue);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetKernelWorkGroupInfo}. */
    public int getKernelWorkGroupInfo(
            long kernel, long device, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getKernelWorkGroupInfo
                    .handle()
                    .invokeExact(kernel, device, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Commands --------------------------------------------------------------------------------------------------------
    /** {@code clEnqueueNDRangeKernel}. */
    public int enqueueNDRangeKernel(
            long commandQueue,
            long kernel,
            int workDim,
            long globalWorkOffset,
            long globalWorkSize,
            long localWorkSize,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueNDRangeKernel
                    .handle()
                    .invokeExact(
                            commandQueue,
                            kernel,
                            workDim,
                            globalWorkOffset,
                            globalWorkSize,
                            localWorkSize,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueReadBuffer}. */
    public int enqueueReadBuffer(
            long commandQueue,
            long buffer,
            int blockingRead,
            long offset,
            long size,
            long ptr,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueReadBuffer
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            blockingRead,
                            offset,
                            size,
                            ptr,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueWriteBuffer}. */
    public int enqueueWriteBuffer(
            long commandQueue,
            long buffer,
            int blockingWrite,
            long offset,
            long size,
            long ptr,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueWriteBuffer
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            blockingWrite,
                            offset,
                            size,
                            ptr,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueReadBufferRect}. */
    public int enqueueReadBufferRect(
            long commandQueue,
            long buffer,
            int blockingRead,
            long bufferOrigin,
            long hostOrigin,
            long region,
            long bufferRowPitch,
            long bufferSlicePitch,
            long hostRowPitch,
            long hostSlicePitch,
            long ptr,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueReadBufferRect
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            blockingRead,
                            bufferOrigin,
                            hostOrigin,
                            region,
                            bufferRowPitch,
                            bufferSlicePitch,
                            hostRowPitch,
                            hostSlicePitch,
                            ptr,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueWriteBufferRect}. */
    public int enqueueWriteBufferRect(
            long commandQueue,
            long buffer,
            int blockingWrite,
            long bufferOrigin,
            long hostOrigin,
            long region,
            long bufferRowPitch,
            long bufferSlicePitch,
            long hostRowPitch,
            long hostSlicePitch,
            long ptr,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueWriteBufferRect
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            blockingWrite,
                            bufferOrigin,
                            hostOrigin,
                            region,
                            bufferRowPitch,
                            bufferSlicePitch,
                            hostRowPitch,
                            hostSlicePitch,
                            ptr,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueCopyBuffer}. */
    public int enqueueCopyBuffer(
            long commandQueue,
            long srcBuffer,
            long dstBuffer,
            long srcOffset,
            long dstOffset,
            long size,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueCopyBuffer
                    .handle()
                    .invokeExact(
                            commandQueue,
                            srcBuffer,
                            dstBuffer,
                            srcOffset,
                            dstOffset,
                            size,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueCopyBufferRect}. */
    public int enqueueCopyBufferRect(
            long commandQueue,
            long srcBuffer,
            long dstBuffer,
            long srcOrigin,
            long dstOrigin,
            long region,
            long srcRowPitch,
            long srcSlicePitch,
            long dstRowPitch,
            long dstSlicePitch,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueCopyBufferRect
                    .handle()
                    .invokeExact(
                            commandQueue,
                            srcBuffer,
                            dstBuffer,
                            srcOrigin,
                            dstOrigin,
                            region,
                            srcRowPitch,
                            srcSlicePitch,
                            dstRowPitch,
                            dstSlicePitch,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueFillBuffer}. */
    public int enqueueFillBuffer(
            long commandQueue,
            long buffer,
            long pattern,
            long patternSize,
            long offset,
            long size,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueFillBuffer
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            pattern,
                            patternSize,
                            offset,
                            size,
                            numEventsInWaitList,
                            eventWaitList,
                            event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueMapBuffer}. */
    public long enqueueMapBuffer(
            long commandQueue,
            long buffer,
            int blockingMap,
            long mapFlags,
            long offset,
            long size,
            int numEventsInWaitList,
            long eventWaitList,
            long event,
            long errcodeRet) {
        try {
            return (long) enqueueMapBuffer
                    .handle()
                    .invokeExact(
                            commandQueue,
                            buffer,
                            blockingMap,
                            mapFlags,
                            offset,
                            size,
                            numEventsInWaitList,
                            eventWaitList,
                            event,
                            errcodeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueUnmapMemObject}. */
    public int enqueueUnmapMemObject(
            long commandQueue, long memobj, long mappedPtr, int numEventsInWaitList, long eventWaitList, long event) {
        try {
            return (int) enqueueUnmapMemObject
                    .handle()
                    .invokeExact(commandQueue, memobj, mappedPtr, numEventsInWaitList, eventWaitList, event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueMigrateMemObjects}. */
    public int enqueueMigrateMemObjects(
            long commandQueue,
            int numMemObjects,
            long memObjects,
            long flags,
            int numEventsInWaitList,
            long eventWaitList,
            long event) {
        try {
            return (int) enqueueMigrateMemObjects
                    .handle()
                    .invokeExact(
                            commandQueue, numMemObjects, memObjects, flags, numEventsInWaitList, eventWaitList, event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueMarkerWithWaitList}. */
    public int enqueueMarkerWithWaitList(long commandQueue, int numEventsInWaitList, long eventWaitList, long event) {
        try {
            return (int) enqueueMarkerWithWaitList
                    .handle()
                    .invokeExact(commandQueue, numEventsInWaitList, eventWaitList, event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clEnqueueBarrierWithWaitList}. */
    public int enqueueBarrierWithWaitList(long commandQueue, int numEventsInWaitList, long eventWaitList, long event) {
        try {
            return (int) enqueueBarrierWithWaitList
                    .handle()
                    .invokeExact(commandQueue, numEventsInWaitList, eventWaitList, event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Events ----------------------------------------------------------------------------------------------------------
    /** {@code clWaitForEvents}. */
    public int waitForEvents(int numEvents, long eventList) {
        try {
            return (int) waitForEvents.handle().invokeExact(numEvents, eventList);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetEventInfo}. */
    public int getEventInfo(long event, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int)
                    getEventInfo.handle().invokeExact(event, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clGetEventProfilingInfo}. */
    public int getEventProfilingInfo(
            long event, int paramName, long paramValueSize, long paramValue, long paramValueSizeRet) {
        try {
            return (int) getEventProfilingInfo
                    .handle()
                    .invokeExact(event, paramName, paramValueSize, paramValue, paramValueSizeRet);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code clReleaseEvent}. */
    public int releaseEvent(long event) {
        try {
            return (int) releaseEvent.handle().invokeExact(event);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
