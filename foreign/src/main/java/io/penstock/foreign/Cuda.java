package io.penstock.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;

/**
 * The driver of NVIDIA's devices: its functions by their C names without the prefix, arguments in C's order.
 *
 * <p>Every argument is a long, whether C takes an int, an address, a handle or a {@code CUmemLocation}, so that few shapes of
 * calls serve them all. Where the header maps a name to a later version of the function, that version is called. All return the
 * driver's error code. {@link CudaValues} holds the constants and structs.
 *
 * <p>A function that the driver lacks throws {@link UnsupportedOperationException} when it is called.
 */
@SuppressWarnings("EnumOrdinal") // an array of addresses by number is what keeps the look-up at each call free
public final class Cuda {
    /** The functions, with their symbols and how many arguments they take. */
    enum Function {
        INIT("cuInit", 1),
        DRIVER_GET_VERSION("cuDriverGetVersion", 1),
        GET_ERROR_NAME("cuGetErrorName", 2),
        GET_ERROR_STRING("cuGetErrorString", 2),
        DEVICE_GET_COUNT("cuDeviceGetCount", 1),
        DEVICE_GET("cuDeviceGet", 2),
        DEVICE_GET_NAME("cuDeviceGetName", 3),
        DEVICE_GET_PCIBUS_ID("cuDeviceGetPCIBusId", 3),
        DEVICE_TOTAL_MEM("cuDeviceTotalMem_v2", 2),
        DEVICE_GET_ATTRIBUTE("cuDeviceGetAttribute", 3),
        DEVICE_CAN_ACCESS_PEER("cuDeviceCanAccessPeer", 3),
        DEVICE_PRIMARY_CTX_RETAIN("cuDevicePrimaryCtxRetain", 2),
        CTX_CREATE("cuCtxCreate_v4", 4),
        CTX_SET_CURRENT("cuCtxSetCurrent", 1),
        CTX_ENABLE_PEER_ACCESS("cuCtxEnablePeerAccess", 2),
        STREAM_CREATE_WITH_PRIORITY("cuStreamCreateWithPriority", 3),
        STREAM_SYNCHRONIZE("cuStreamSynchronize", 1),
        STREAM_QUERY("cuStreamQuery", 1),
        STREAM_WAIT_EVENT("cuStreamWaitEvent", 3),
        EVENT_CREATE("cuEventCreate", 2),
        EVENT_DESTROY("cuEventDestroy_v2", 1),
        EVENT_RECORD("cuEventRecord", 2),
        EVENT_QUERY("cuEventQuery", 1),
        EVENT_ELAPSED_TIME("cuEventElapsedTime_v2", 3),
        MEM_GET_INFO("cuMemGetInfo_v2", 2),
        MEM_ALLOC("cuMemAlloc_v2", 2),
        MEM_FREE("cuMemFree_v2", 1),
        MEM_HOST_ALLOC("cuMemHostAlloc", 3),
        MEM_FREE_HOST("cuMemFreeHost", 1),
        MEM_ALLOC_MANAGED("cuMemAllocManaged", 3),
        MEM_POOL_CREATE("cuMemPoolCreate", 2),
        MEM_POOL_SET_ATTRIBUTE("cuMemPoolSetAttribute", 3),
        MEM_POOL_GET_ATTRIBUTE("cuMemPoolGetAttribute", 3),
        MEM_POOL_SET_ACCESS("cuMemPoolSetAccess", 3),
        MEM_POOL_TRIM_TO("cuMemPoolTrimTo", 2),
        MEM_ALLOC_FROM_POOL_ASYNC("cuMemAllocFromPoolAsync", 4),
        MEM_FREE_ASYNC("cuMemFreeAsync", 2),
        MEM_PREFETCH_ASYNC("cuMemPrefetchAsync_v2", 5),
        MEM_ADVISE("cuMemAdvise_v2", 4),
        POINTER_GET_ATTRIBUTE("cuPointerGetAttribute", 3),
        MEMCPY_ASYNC("cuMemcpyAsync", 4),
        MEMCPY_PEER_ASYNC("cuMemcpyPeerAsync", 6),
        MEMCPY3_DASYNC("cuMemcpy3DAsync_v2", 2),
        MEMSET_D8_ASYNC("cuMemsetD8Async", 4),
        MEMSET_D16_ASYNC("cuMemsetD16Async", 4),
        MEMSET_D32_ASYNC("cuMemsetD32Async", 4),
        MEMSET_D2_D8_ASYNC("cuMemsetD2D8Async", 6),
        MEMSET_D2_D16_ASYNC("cuMemsetD2D16Async", 6),
        MEMSET_D2_D32_ASYNC("cuMemsetD2D32Async", 6),
        MODULE_LOAD_DATA_EX("cuModuleLoadDataEx", 5),
        MODULE_UNLOAD("cuModuleUnload", 1),
        MODULE_GET_FUNCTION("cuModuleGetFunction", 3),
        FUNC_GET_ATTRIBUTE("cuFuncGetAttribute", 3),
        FUNC_SET_ATTRIBUTE("cuFuncSetAttribute", 3),
        LAUNCH_KERNEL("cuLaunchKernel", 11),
        OCCUPANCY_MAX_ACTIVE_BLOCKS_PER_MULTIPROCESSOR("cuOccupancyMaxActiveBlocksPerMultiprocessor", 4),
        STREAM_BEGIN_CAPTURE("cuStreamBeginCapture_v2", 2),
        STREAM_END_CAPTURE("cuStreamEndCapture", 2),
        GRAPH_INSTANTIATE("cuGraphInstantiateWithFlags", 3),
        GRAPH_EXEC_UPDATE("cuGraphExecUpdate_v2", 3),
        GRAPH_LAUNCH("cuGraphLaunch", 2),
        GRAPH_DESTROY("cuGraphDestroy", 1),
        GRAPH_EXEC_DESTROY("cuGraphExecDestroy", 1);

        final String symbol;
        final int arity;

        Function(String symbol, int arity) {
            this.symbol = symbol;
            this.arity = arity;
        }
    }

    private final String file;
    private final @Nullable MemorySegment[] addresses = new MemorySegment[Function.values().length];

    private Cuda(String file, SymbolLookup symbols) {
        this.file = file;
        for (Function function : Function.values())
            addresses[function.ordinal()] = symbols.find(function.symbol).orElse(null);
    }

    /**
     * Loads the driver, which stays loaded for as long as the process lives. It is not initialised yet.
     *
     * @param file its file name, searched for as the system does, or its path
     * @throws IllegalArgumentException when it cannot be loaded, with the loader's reason, or is no such driver
     */
    public static Cuda load(String file) {
        String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
        if (!reason.isEmpty()) throw new IllegalArgumentException(reason);
        SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
        if (symbols.find("cuInit").isEmpty())
            throw new IllegalArgumentException(file + " is no CUDA driver: it has no cuInit");
        return new Cuda(file, symbols);
    }

    /** What the driver was loaded as. */
    public String file() {
        return file;
    }

    private MemorySegment address(Function function) {
        MemorySegment address = addresses[function.ordinal()];
        if (address == null)
            throw new UnsupportedOperationException(file + " has no " + function.symbol + "; a newer driver is needed");
        return address;
    }

    /** Initialises the driver; flags is zero. */
    public int init(long flags) {
        return LongCalls.call(address(Function.INIT), flags);
    }

    /** Writes the newest CUDA version that the driver serves, as an int: 1000 times the major plus 10 times the minor. */
    public int driverGetVersion(long driverVersion) {
        return LongCalls.call(address(Function.DRIVER_GET_VERSION), driverVersion);
    }

    /** Writes the address of an error code's name. */
    public int getErrorName(long error, long pStr) {
        return LongCalls.call(address(Function.GET_ERROR_NAME), error, pStr);
    }

    /** Writes the address of an error code's description. */
    public int getErrorString(long error, long pStr) {
        return LongCalls.call(address(Function.GET_ERROR_STRING), error, pStr);
    }

    /** Writes how many devices there are, as an int. */
    public int deviceGetCount(long count) {
        return LongCalls.call(address(Function.DEVICE_GET_COUNT), count);
    }

    /** Writes the handle of a device, an int. */
    public int deviceGet(long device, long ordinal) {
        return LongCalls.call(address(Function.DEVICE_GET), device, ordinal);
    }

    /** Writes a device's name, at most {@code len} bytes with its final zero. */
    public int deviceGetName(long name, long len, long dev) {
        return LongCalls.call(address(Function.DEVICE_GET_NAME), name, len, dev);
    }

    /** Writes a device's place on the PCI bus, at most {@code len} bytes with its final zero. */
    public int deviceGetPCIBusId(long pciBusId, long len, long dev) {
        return LongCalls.call(address(Function.DEVICE_GET_PCIBUS_ID), pciBusId, len, dev);
    }

    /** Writes how much memory a device has. */
    public int deviceTotalMem(long bytes, long dev) {
        return LongCalls.call(address(Function.DEVICE_TOTAL_MEM), bytes, dev);
    }

    /** Writes an attribute of a device, an int. */
    public int deviceGetAttribute(long pi, long attrib, long dev) {
        return LongCalls.call(address(Function.DEVICE_GET_ATTRIBUTE), pi, attrib, dev);
    }

    /** Writes whether a device may be able to reach another's memory, as an int. */
    public int deviceCanAccessPeer(long canAccessPeer, long dev, long peerDev) {
        return LongCalls.call(address(Function.DEVICE_CAN_ACCESS_PEER), canAccessPeer, dev, peerDev);
    }

    /** Makes or shares a device's primary context, and writes its handle. */
    public int devicePrimaryCtxRetain(long pctx, long dev) {
        return LongCalls.call(address(Function.DEVICE_PRIMARY_CTX_RETAIN), pctx, dev);
    }

    /** Makes a context of its own, makes it current, and writes its handle. */
    public int ctxCreate(long pctx, long ctxCreateParams, long flags, long dev) {
        return LongCalls.call(address(Function.CTX_CREATE), pctx, ctxCreateParams, flags, dev);
    }

    /** Makes a context the calling thread's. */
    public int ctxSetCurrent(long ctx) {
        return LongCalls.call(address(Function.CTX_SET_CURRENT), ctx);
    }

    /** Lets the current context reach the memory of another. */
    public int ctxEnablePeerAccess(long peerContext, long flags) {
        return LongCalls.call(address(Function.CTX_ENABLE_PEER_ACCESS), peerContext, flags);
    }

    /** Makes a stream in the current context. */
    public int streamCreateWithPriority(long phStream, long flags, long priority) {
        return LongCalls.call(address(Function.STREAM_CREATE_WITH_PRIORITY), phStream, flags, priority);
    }

    /** Blocks until a stream's work is over. */
    public int streamSynchronize(long hStream) {
        return LongCalls.call(address(Function.STREAM_SYNCHRONIZE), hStream);
    }

    /** Tells whether a stream's work is over. */
    public int streamQuery(long hStream) {
        return LongCalls.call(address(Function.STREAM_QUERY), hStream);
    }

    /** Makes what a stream is given later wait, on the device, for an event. */
    public int streamWaitEvent(long hStream, long hEvent, long flags) {
        return LongCalls.call(address(Function.STREAM_WAIT_EVENT), hStream, hEvent, flags);
    }

    /** Makes an event in the current context. */
    public int eventCreate(long phEvent, long flags) {
        return LongCalls.call(address(Function.EVENT_CREATE), phEvent, flags);
    }

    /** Ends an event. */
    public int eventDestroy(long hEvent) {
        return LongCalls.call(address(Function.EVENT_DESTROY), hEvent);
    }

    /** Has an event happen once what a stream was given so far is over. */
    public int eventRecord(long hEvent, long hStream) {
        return LongCalls.call(address(Function.EVENT_RECORD), hEvent, hStream);
    }

    /** Tells whether an event has happened. */
    public int eventQuery(long hEvent) {
        return LongCalls.call(address(Function.EVENT_QUERY), hEvent);
    }

    /** Writes the milliseconds between two events, a float. */
    public int eventElapsedTime(long pMilliseconds, long hStart, long hEnd) {
        return LongCalls.call(address(Function.EVENT_ELAPSED_TIME), pMilliseconds, hStart, hEnd);
    }

    /** Writes how much memory of the current context's device is free, and how much there is. */
    public int memGetInfo(long free, long total) {
        return LongCalls.call(address(Function.MEM_GET_INFO), free, total);
    }

    /** Allocates memory on the current context's device. */
    public int memAlloc(long dptr, long bytesize) {
        return LongCalls.call(address(Function.MEM_ALLOC), dptr, bytesize);
    }

    /** Frees memory, perhaps after a wait for the device. */
    public int memFree(long dptr) {
        return LongCalls.call(address(Function.MEM_FREE), dptr);
    }

    /** Allocates host memory that devices reach and the system never moves. */
    public int memHostAlloc(long pp, long bytesize, long flags) {
        return LongCalls.call(address(Function.MEM_HOST_ALLOC), pp, bytesize, flags);
    }

    /** Frees such host memory. */
    public int memFreeHost(long p) {
        return LongCalls.call(address(Function.MEM_FREE_HOST), p);
    }

    /** Allocates memory that moves between the host and the devices as it is used. */
    public int memAllocManaged(long dptr, long bytesize, long flags) {
        return LongCalls.call(address(Function.MEM_ALLOC_MANAGED), dptr, bytesize, flags);
    }

    /** Makes a pool. */
    public int memPoolCreate(long pool, long poolProps) {
        return LongCalls.call(address(Function.MEM_POOL_CREATE), pool, poolProps);
    }

    /** Sets an attribute of a pool from the address of its value. */
    public int memPoolSetAttribute(long pool, long attr, long value) {
        return LongCalls.call(address(Function.MEM_POOL_SET_ATTRIBUTE), pool, attr, value);
    }

    /** Writes an attribute of a pool. */
    public int memPoolGetAttribute(long pool, long attr, long value) {
        return LongCalls.call(address(Function.MEM_POOL_GET_ATTRIBUTE), pool, attr, value);
    }

    /** Says which devices reach a pool's memory. */
    public int memPoolSetAccess(long pool, long map, long count) {
        return LongCalls.call(address(Function.MEM_POOL_SET_ACCESS), pool, map, count);
    }

    /** Gives a pool's unused memory back to the system. */
    public int memPoolTrimTo(long pool, long minBytesToKeep) {
        return LongCalls.call(address(Function.MEM_POOL_TRIM_TO), pool, minBytesToKeep);
    }

    /** Takes memory from a pool, for use after what the stream was given so far. */
    public int memAllocFromPoolAsync(long dptr, long bytesize, long pool, long hStream) {
        return LongCalls.call(address(Function.MEM_ALLOC_FROM_POOL_ASYNC), dptr, bytesize, pool, hStream);
    }

    /** Gives memory back to its pool after what the stream was given so far. */
    public int memFreeAsync(long dptr, long hStream) {
        return LongCalls.call(address(Function.MEM_FREE_ASYNC), dptr, hStream);
    }

    /** Moves managed memory; the location is {@link CudaValues#location}'s. */
    public int memPrefetchAsync(long devPtr, long count, long location, long flags, long hStream) {
        return LongCalls.call(address(Function.MEM_PREFETCH_ASYNC), devPtr, count, location, flags, hStream);
    }

    /** Says how managed memory will be used; the location is {@link CudaValues#location}'s. */
    public int memAdvise(long devPtr, long count, long advice, long location) {
        return LongCalls.call(address(Function.MEM_ADVISE), devPtr, count, advice, location);
    }

    /** Writes what the driver knows of an address. */
    public int pointerGetAttribute(long data, long attribute, long ptr) {
        return LongCalls.call(address(Function.POINTER_GET_ATTRIBUTE), data, attribute, ptr);
    }

    /** Copies between any two addresses. */
    public int memcpyAsync(long dst, long src, long byteCount, long hStream) {
        return LongCalls.call(address(Function.MEMCPY_ASYNC), dst, src, byteCount, hStream);
    }

    /** Copies between the devices of two contexts. */
    public int memcpyPeerAsync(
            long dstDevice, long dstContext, long srcDevice, long srcContext, long byteCount, long hStream) {
        return LongCalls.call(
                address(Function.MEMCPY_PEER_ASYNC), dstDevice, dstContext, srcDevice, srcContext, byteCount, hStream);
    }

    /** Copies a box that a {@link CudaValues#MEMCPY3D} describes. */
    public int memcpy3DAsync(long pCopy, long hStream) {
        return LongCalls.call(address(Function.MEMCPY3_DASYNC), pCopy, hStream);
    }

    /** Sets bytes. */
    public int memsetD8Async(long dstDevice, long uc, long n, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D8_ASYNC), dstDevice, uc, n, hStream);
    }

    /** Sets 16-bit words. */
    public int memsetD16Async(long dstDevice, long us, long n, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D16_ASYNC), dstDevice, us, n, hStream);
    }

    /** Sets 32-bit words. */
    public int memsetD32Async(long dstDevice, long ui, long n, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D32_ASYNC), dstDevice, ui, n, hStream);
    }

    /** Sets a rectangle of bytes. */
    public int memsetD2D8Async(long dstDevice, long dstPitch, long uc, long width, long height, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D2_D8_ASYNC), dstDevice, dstPitch, uc, width, height, hStream);
    }

    /** Sets a rectangle of 16-bit words. */
    public int memsetD2D16Async(long dstDevice, long dstPitch, long us, long width, long height, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D2_D16_ASYNC), dstDevice, dstPitch, us, width, height, hStream);
    }

    /** Sets a rectangle of 32-bit words. */
    public int memsetD2D32Async(long dstDevice, long dstPitch, long ui, long width, long height, long hStream) {
        return LongCalls.call(address(Function.MEMSET_D2_D32_ASYNC), dstDevice, dstPitch, ui, width, height, hStream);
    }

    /** Loads code, PTX or a binary, into the current context. */
    public int moduleLoadDataEx(long module, long image, long numOptions, long options, long optionValues) {
        return LongCalls.call(address(Function.MODULE_LOAD_DATA_EX), module, image, numOptions, options, optionValues);
    }

    /** Unloads code. */
    public int moduleUnload(long hmod) {
        return LongCalls.call(address(Function.MODULE_UNLOAD), hmod);
    }

    /** Writes the handle of a kernel. */
    public int moduleGetFunction(long hfunc, long hmod, long name) {
        return LongCalls.call(address(Function.MODULE_GET_FUNCTION), hfunc, hmod, name);
    }

    /** Writes an attribute of a kernel, an int. */
    public int funcGetAttribute(long pi, long attrib, long hfunc) {
        return LongCalls.call(address(Function.FUNC_GET_ATTRIBUTE), pi, attrib, hfunc);
    }

    /** Sets an attribute of a kernel. */
    public int funcSetAttribute(long hfunc, long attrib, long value) {
        return LongCalls.call(address(Function.FUNC_SET_ATTRIBUTE), hfunc, attrib, value);
    }

    /** Launches a kernel; {@code kernelParams} points to the addresses of its arguments. */
    public int launchKernel(
            long f,
            long gridDimX,
            long gridDimY,
            long gridDimZ,
            long blockDimX,
            long blockDimY,
            long blockDimZ,
            long sharedMemBytes,
            long hStream,
            long kernelParams,
            long extra) {
        return LongCalls.call(
                address(Function.LAUNCH_KERNEL),
                f,
                gridDimX,
                gridDimY,
                gridDimZ,
                blockDimX,
                blockDimY,
                blockDimZ,
                sharedMemBytes,
                hStream,
                kernelParams,
                extra);
    }

    /** Writes how many blocks of a size a multiprocessor runs at a time. */
    public int occupancyMaxActiveBlocksPerMultiprocessor(
            long numBlocks, long func, long blockSize, long dynamicSMemSize) {
        return LongCalls.call(
                address(Function.OCCUPANCY_MAX_ACTIVE_BLOCKS_PER_MULTIPROCESSOR),
                numBlocks,
                func,
                blockSize,
                dynamicSMemSize);
    }

    /** Has a stream note down what it is given instead of running it. */
    public int streamBeginCapture(long hStream, long mode) {
        return LongCalls.call(address(Function.STREAM_BEGIN_CAPTURE), hStream, mode);
    }

    /** Ends that, and writes the handle of the graph noted down. */
    public int streamEndCapture(long hStream, long phGraph) {
        return LongCalls.call(address(Function.STREAM_END_CAPTURE), hStream, phGraph);
    }

    /** Makes a graph ready to run. */
    public int graphInstantiate(long phGraphExec, long hGraph, long flags) {
        return LongCalls.call(address(Function.GRAPH_INSTANTIATE), phGraphExec, hGraph, flags);
    }

    /** Changes a ready graph to do what another of the same shape does. */
    public int graphExecUpdate(long hGraphExec, long hGraph, long resultInfo) {
        return LongCalls.call(address(Function.GRAPH_EXEC_UPDATE), hGraphExec, hGraph, resultInfo);
    }

    /** Runs a graph. */
    public int graphLaunch(long hGraphExec, long hStream) {
        return LongCalls.call(address(Function.GRAPH_LAUNCH), hGraphExec, hStream);
    }

    /** Ends a graph. */
    public int graphDestroy(long hGraph) {
        return LongCalls.call(address(Function.GRAPH_DESTROY), hGraph);
    }

    /** Ends a ready graph. */
    public int graphExecDestroy(long hGraphExec) {
        return LongCalls.call(address(Function.GRAPH_EXEC_DESTROY), hGraphExec);
    }
}
