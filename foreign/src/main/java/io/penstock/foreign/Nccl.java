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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

    private static final MemoryLayout UNIQUE_ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(UNIQUE_ID_BYTES, JAVA_BYTE).withName("internal"));
    private static final MethodHandle INIT = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, UNIQUE_ID, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WORDS =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

    // struct ncclConfig_t as of version 2.18.1; a library takes what is newer from its defaults.
    private static final long CONFIG_BYTES = 48;
    private static final int CONFIG_MAGIC = 0xcafebeef;
    private static final int CONFIG_VERSION = 21801;
    private static final int UNDEFINED = Integer.MIN_VALUE;

    private final String file;
    private final SymbolLookup symbols;
    private final Map<String, MemorySegment> functions = new ConcurrentHashMap<>();

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

    /** Looked up once; calls on the way of every collective take no lock. */
    private MemorySegment function(String symbol) {
        MemorySegment known = functions.get(symbol);
        if (known != null) return known;
        MemorySegment found =
                symbols.find(symbol).orElseThrow(() -> new UnsupportedOperationException(file + " has no " + symbol));
        functions.put(symbol, found);
        return found;
    }

    // The library --------------------------------------------------------------------------------------------------

    /** {@code ncclGetVersion}, into an int. */
    public int getVersion(long version) {
        return LongCalls.call(function("ncclGetVersion"), version);
    }

    /** {@code ncclGetUniqueId}, into {@value #UNIQUE_ID_BYTES} bytes. */
    public int getUniqueId(long uniqueId) {
        return LongCalls.call(function("ncclGetUniqueId"), uniqueId);
    }

    /** {@code ncclGetErrorString}: the address of the words. */
    public long getErrorString(int result) {
        return words(function("ncclGetErrorString"), result);
    }

    /** {@code ncclGetLastError}: the address of the words; {@code comm} may be zero. */
    public long getLastError(long comm) {
        return words(function("ncclGetLastError"), comm);
    }

    private static long words(MemorySegment function, long argument) {
        try {
            return (long) WORDS.invokeExact(function, argument);
        } catch (Throwable e) {
            throw LongCalls.unexpected(e);
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

    /** {@code ncclCommInitRankConfig}; {@code uniqueId} has {@value #UNIQUE_ID_BYTES} bytes, which go by value. */
    public int commInitRankConfig(long comm, int nranks, MemorySegment uniqueId, int rank, long config) {
        try {
            return (int) INIT.invokeExact(function("ncclCommInitRankConfig"), comm, nranks, uniqueId, rank, config);
        } catch (Throwable e) {
            throw LongCalls.unexpected(e);
        }
    }

    /** {@code ncclCommFinalize}. */
    public int commFinalize(long comm) {
        return LongCalls.call(function("ncclCommFinalize"), comm);
    }

    /** {@code ncclCommDestroy}. */
    public int commDestroy(long comm) {
        return LongCalls.call(function("ncclCommDestroy"), comm);
    }

    /** {@code ncclCommAbort}. */
    public int commAbort(long comm) {
        return LongCalls.call(function("ncclCommAbort"), comm);
    }

    /** {@code ncclCommGetAsyncError}, into an int. */
    public int commGetAsyncError(long comm, long asyncError) {
        return LongCalls.call(function("ncclCommGetAsyncError"), comm, asyncError);
    }

    // Communication ------------------------------------------------------------------------------------------------

    /** {@code ncclAllReduce}. */
    public int allReduce(long sendbuff, long recvbuff, long count, int datatype, int op, long comm, long stream) {
        return LongCalls.call(function("ncclAllReduce"), sendbuff, recvbuff, count, datatype, op, comm, stream);
    }

    /** {@code ncclReduce}. */
    public int reduce(
            long sendbuff, long recvbuff, long count, int datatype, int op, int root, long comm, long stream) {
        return LongCalls.call(function("ncclReduce"), sendbuff, recvbuff, count, datatype, op, root, comm, stream);
    }

    /** {@code ncclBroadcast}. */
    public int broadcast(long sendbuff, long recvbuff, long count, int datatype, int root, long comm, long stream) {
        return LongCalls.call(function("ncclBroadcast"), sendbuff, recvbuff, count, datatype, root, comm, stream);
    }

    /** {@code ncclSend}. */
    public int send(long sendbuff, long count, int datatype, int peer, long comm, long stream) {
        return LongCalls.call(function("ncclSend"), sendbuff, count, datatype, peer, comm, stream);
    }

    /** {@code ncclRecv}. */
    public int recv(long recvbuff, long count, int datatype, int peer, long comm, long stream) {
        return LongCalls.call(function("ncclRecv"), recvbuff, count, datatype, peer, comm, stream);
    }

    /** {@code ncclGroupStart}. */
    public int groupStart() {
        return LongCalls.call(function("ncclGroupStart"));
    }

    /** {@code ncclGroupEnd}. */
    public int groupEnd() {
        return LongCalls.call(function("ncclGroupEnd"));
    }
}
