package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;

/**
 * NVIDIA's library of collective communication between GPUs: its functions by their C names without the prefix, arguments in C's
 * order. Pointers, handles, counts and streams are longs, all else ints. Functions return the library's result code.
 *
 * <p>A function that this version of the library lacks throws {@link UnsupportedOperationException} when it is called.
 */
public final class Nccl {
    /** The result of a call that has succeeded. */
    public static final int SUCCESS = 0;
    /** The result of a call that was refused; the communicator may be used all the same. */
    public static final int INVALID_ARGUMENT = 4;
    /** The result of a call of a non-blocking communicator that is under way. */
    public static final int IN_PROGRESS = 7;

    /** The size of an {@code ncclUniqueId} in bytes. */
    public static final int UNIQUE_ID_BYTES = 128;

    /** The colour of a rank that takes no part in a split. */
    public static final int SPLIT_NOCOLOR = -1;

    /** {@code ncclDataType_t}: unsigned bytes. */
    public static final int UINT8 = 1;
    /** {@code ncclDataType_t}: ints. */
    public static final int INT32 = 2;
    /** {@code ncclDataType_t}: longs. */
    public static final int INT64 = 4;
    /** {@code ncclDataType_t}: floats. */
    public static final int FLOAT32 = 7;
    /** {@code ncclDataType_t}: doubles. */
    public static final int FLOAT64 = 8;

    /** {@code ncclRedOp_t}: sums. */
    public static final int SUM = 0;
    /** {@code ncclRedOp_t}: products. */
    public static final int PROD = 1;
    /** {@code ncclRedOp_t}: the largest. */
    public static final int MAX = 2;
    /** {@code ncclRedOp_t}: the smallest. */
    public static final int MIN = 3;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout UNIQUE_ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(UNIQUE_ID_BYTES, JAVA_BYTE).withName("internal"));

    // struct ncclConfig_t as of version 2.18.1; a library takes what is newer from its defaults.
    private static final long CONFIG_BYTES = 48;
    private static final int CONFIG_MAGIC = 0xcafebeef;
    private static final int CONFIG_VERSION = 21801;
    private static final int UNDEFINED = Integer.MIN_VALUE;

    private final String file;
    private final SymbolLookup symbols;
    private final Map<String, MethodHandle> handles = new HashMap<>();

    private Nccl(String file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
    }

    /**
     * Loads the library, which stays loaded for as long as the process lives.
     *
     * @param file its file name, searched for as the system does, or its path
     * @throws IllegalArgumentException when it cannot be loaded, with the loader's reason, or is no such library
     */
    public static Nccl load(String file) {
        String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
        if (!reason.isEmpty()) throw new IllegalArgumentException(reason);
        SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
        if (symbols.find("ncclCommInitRankConfig").isEmpty())
            throw new IllegalArgumentException(
                    file + " is no NCCL, or one before 2.14: it has no ncclCommInitRankConfig");
        return new Nccl(file, symbols);
    }

    /** What the library was loaded as. */
    public String file() {
        return file;
    }

    /** Whether the library exports a function, by its C name. */
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    private static FunctionDescriptor of(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_INT, arguments);
    }

    private synchronized MethodHandle handle(String symbol, FunctionDescriptor type) {
        return handles.computeIfAbsent(symbol, name -> {
            MemorySegment address =
                    symbols.find(name).orElseThrow(() -> new UnsupportedOperationException(file + " has no " + name));
            return LINKER.downcallHandle(address, type);
        });
    }

    private int call(String symbol, FunctionDescriptor type, Object... arguments) {
        try {
            return (int) handle(symbol, type).invokeWithArguments(arguments);
        } catch (UnsupportedOperationException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the call of " + symbol + " failed", e);
        }
    }

    // The library --------------------------------------------------------------------------------------------------

    /** {@code ncclGetVersion}, into an int. */
    public int getVersion(long version) {
        return call("ncclGetVersion", of(JAVA_LONG), version);
    }

    /** {@code ncclGetUniqueId}, into {@value #UNIQUE_ID_BYTES} bytes. */
    public int getUniqueId(long uniqueId) {
        return call("ncclGetUniqueId", of(JAVA_LONG), uniqueId);
    }

    /** {@code ncclGetErrorString}: the address of the words. */
    public long getErrorString(int result) {
        return words("ncclGetErrorString", FunctionDescriptor.of(JAVA_LONG, JAVA_INT), result);
    }

    /** {@code ncclGetLastError}: the address of the words; {@code comm} may be zero. */
    public long getLastError(long comm) {
        return words("ncclGetLastError", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), comm);
    }

    private long words(String symbol, FunctionDescriptor type, Object argument) {
        try {
            return (long) handle(symbol, type).invokeWithArguments(argument);
        } catch (UnsupportedOperationException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the call of " + symbol + " failed", e);
        }
    }

    /** A text of the library's at an address that it has returned. */
    public static String text(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    // Communicators ------------------------------------------------------------------------------------------------

    /** A {@code struct ncclConfig_t} that says whether calls block, and is otherwise as the library likes it. */
    public static MemorySegment config(Arena arena, boolean blocking) {
        MemorySegment config = arena.allocate(CONFIG_BYTES, 8);
        config.set(JAVA_LONG, 0, CONFIG_BYTES);
        config.set(JAVA_INT, 8, CONFIG_MAGIC);
        config.set(JAVA_INT, 12, CONFIG_VERSION);
        config.set(JAVA_INT, 16, blocking ? 1 : 0);
        config.set(JAVA_INT, 20, UNDEFINED);
        config.set(JAVA_INT, 24, UNDEFINED);
        config.set(JAVA_INT, 28, UNDEFINED);
        config.set(JAVA_LONG, 32, 0);
        config.set(JAVA_INT, 40, UNDEFINED);
        return config;
    }

    /** {@code ncclCommInitRank}; {@code uniqueId} has {@value #UNIQUE_ID_BYTES} bytes, which go by value. */
    public int commInitRank(long comm, int nranks, MemorySegment uniqueId, int rank) {
        return call("ncclCommInitRank", of(JAVA_LONG, JAVA_INT, UNIQUE_ID, JAVA_INT), comm, nranks, uniqueId, rank);
    }

    /** {@code ncclCommInitRankConfig}; {@code uniqueId} has {@value #UNIQUE_ID_BYTES} bytes, which go by value. */
    public int commInitRankConfig(long comm, int nranks, MemorySegment uniqueId, int rank, long config) {
        FunctionDescriptor type = of(JAVA_LONG, JAVA_INT, UNIQUE_ID, JAVA_INT, JAVA_LONG);
        return call("ncclCommInitRankConfig", type, comm, nranks, uniqueId, rank, config);
    }

    /** {@code ncclCommInitAll}. */
    public int commInitAll(long comms, int ndev, long devlist) {
        return call("ncclCommInitAll", of(JAVA_LONG, JAVA_INT, JAVA_LONG), comms, ndev, devlist);
    }

    /** {@code ncclCommSplit}. */
    public int commSplit(long comm, int color, int key, long newcomm, long config) {
        FunctionDescriptor type = of(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        return call("ncclCommSplit", type, comm, color, key, newcomm, config);
    }

    /** {@code ncclCommFinalize}. */
    public int commFinalize(long comm) {
        return call("ncclCommFinalize", of(JAVA_LONG), comm);
    }

    /** {@code ncclCommDestroy}. */
    public int commDestroy(long comm) {
        return call("ncclCommDestroy", of(JAVA_LONG), comm);
    }

    /** {@code ncclCommAbort}. */
    public int commAbort(long comm) {
        return call("ncclCommAbort", of(JAVA_LONG), comm);
    }

    /** {@code ncclCommGetAsyncError}, into an int. */
    public int commGetAsyncError(long comm, long asyncError) {
        return call("ncclCommGetAsyncError", of(JAVA_LONG, JAVA_LONG), comm, asyncError);
    }

    /** {@code ncclCommCount}, into an int. */
    public int commCount(long comm, long count) {
        return call("ncclCommCount", of(JAVA_LONG, JAVA_LONG), comm, count);
    }

    /** {@code ncclCommCuDevice}, into an int. */
    public int commCuDevice(long comm, long device) {
        return call("ncclCommCuDevice", of(JAVA_LONG, JAVA_LONG), comm, device);
    }

    /** {@code ncclCommUserRank}, into an int. */
    public int commUserRank(long comm, long rank) {
        return call("ncclCommUserRank", of(JAVA_LONG, JAVA_LONG), comm, rank);
    }

    // Memory -------------------------------------------------------------------------------------------------------

    /** {@code ncclMemAlloc}, the address into a long. */
    public int memAlloc(long pointer, long size) {
        return call("ncclMemAlloc", of(JAVA_LONG, JAVA_LONG), pointer, size);
    }

    /** {@code ncclMemFree}. */
    public int memFree(long pointer) {
        return call("ncclMemFree", of(JAVA_LONG), pointer);
    }

    /** {@code ncclCommRegister}, the handle into a long. */
    public int commRegister(long comm, long buff, long size, long handle) {
        return call("ncclCommRegister", of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), comm, buff, size, handle);
    }

    /** {@code ncclCommDeregister}. */
    public int commDeregister(long comm, long handle) {
        return call("ncclCommDeregister", of(JAVA_LONG, JAVA_LONG), comm, handle);
    }

    // Communication ------------------------------------------------------------------------------------------------

    private static final FunctionDescriptor REDUCTION =
            of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor ROOTED =
            of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor MESSAGE =
            of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor EXCHANGE =
            of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

    /** {@code ncclAllReduce}. */
    public int allReduce(long sendbuff, long recvbuff, long count, int datatype, int op, long comm, long stream) {
        return call("ncclAllReduce", REDUCTION, sendbuff, recvbuff, count, datatype, op, comm, stream);
    }

    /** {@code ncclReduceScatter}. */
    public int reduceScatter(
            long sendbuff, long recvbuff, long recvcount, int datatype, int op, long comm, long stream) {
        return call("ncclReduceScatter", REDUCTION, sendbuff, recvbuff, recvcount, datatype, op, comm, stream);
    }

    /** {@code ncclReduce}. */
    public int reduce(
            long sendbuff, long recvbuff, long count, int datatype, int op, int root, long comm, long stream) {
        FunctionDescriptor type =
                of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        return call("ncclReduce", type, sendbuff, recvbuff, count, datatype, op, root, comm, stream);
    }

    /** {@code ncclBroadcast}. */
    public int broadcast(long sendbuff, long recvbuff, long count, int datatype, int root, long comm, long stream) {
        return call("ncclBroadcast", ROOTED, sendbuff, recvbuff, count, datatype, root, comm, stream);
    }

    /** {@code ncclBcast}, in place. */
    public int bcast(long buff, long count, int datatype, int root, long comm, long stream) {
        return call("ncclBcast", MESSAGE, buff, count, datatype, root, comm, stream);
    }

    /** {@code ncclAllGather}. */
    public int allGather(long sendbuff, long recvbuff, long sendcount, int datatype, long comm, long stream) {
        return call("ncclAllGather", EXCHANGE, sendbuff, recvbuff, sendcount, datatype, comm, stream);
    }

    /** {@code ncclAlltoAll}, from 2.28 on. */
    public int alltoAll(long sendbuff, long recvbuff, long count, int datatype, long comm, long stream) {
        return call("ncclAlltoAll", EXCHANGE, sendbuff, recvbuff, count, datatype, comm, stream);
    }

    /** {@code ncclGather}, from 2.28 on. */
    public int gather(long sendbuff, long recvbuff, long count, int datatype, int root, long comm, long stream) {
        return call("ncclGather", ROOTED, sendbuff, recvbuff, count, datatype, root, comm, stream);
    }

    /** {@code ncclScatter}, from 2.28 on. */
    public int scatter(long sendbuff, long recvbuff, long count, int datatype, int root, long comm, long stream) {
        return call("ncclScatter", ROOTED, sendbuff, recvbuff, count, datatype, root, comm, stream);
    }

    /** {@code ncclSend}. */
    public int send(long sendbuff, long count, int datatype, int peer, long comm, long stream) {
        return call("ncclSend", MESSAGE, sendbuff, count, datatype, peer, comm, stream);
    }

    /** {@code ncclRecv}. */
    public int recv(long recvbuff, long count, int datatype, int peer, long comm, long stream) {
        return call("ncclRecv", MESSAGE, recvbuff, count, datatype, peer, comm, stream);
    }

    /** {@code ncclGroupStart}. */
    public int groupStart() {
        return call("ncclGroupStart", of());
    }

    /** {@code ncclGroupEnd}. */
    public int groupEnd() {
        return call("ncclGroupEnd", of());
    }
}
