package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A library of the Message Passing Interface: its functions by their C names without the prefix, arguments in C's order.
 *
 * <p>Every argument is a long, whether C takes an int, a pointer or a handle, so that one set of method handles serves all
 * implementations on 64-bit systems that pass each argument in a register or slot of its own: a callee that wants an int reads
 * the low half. What handles and constants are worth, {@link MpiAbi} says. Functions return MPI's error code. A function with
 * a count calls the form for large counts when the count needs it; {@link #hasLargeCounts} says whether there is one.
 *
 * <p>Functions are looked up when they are first used. One that the library lacks throws {@link UnsupportedOperationException}
 * when it is called.
 */
@SuppressWarnings("EnumOrdinal") // an array of addresses by number is what keeps the look-up at each call free
public final class Mpi {
    private static final Linker LINKER = Linker.nativeLinker();
    /** Smaller in tests, since it takes gigabytes to go beyond what an int holds. */
    private static final long MOST_INT = Long.getLong("penstock.mpi.int", Integer.MAX_VALUE);

    /** An {@code MPI_User_function}, for one type of elements that it knows. */
    @FunctionalInterface
    public interface UserFunction {
        /**
         * Combines {@code count} elements at {@code in} with those at {@code inOut}, and leaves the result there. Must not
         * throw: an exception that reached MPI would end the JVM without a word.
         */
        void combine(long in, long inOut, long count);
    }

    private enum Function {
        INIT_THREAD("MPI_Init_thread"),
        INITIALIZED("MPI_Initialized"),
        FINALIZE("MPI_Finalize"),
        FINALIZED("MPI_Finalized"),
        ABORT("MPI_Abort"),
        GET_LIBRARY_VERSION("MPI_Get_library_version"),
        ABI_GET_VERSION("MPI_Abi_get_version"),
        ERROR_STRING("MPI_Error_string"),
        COMM_SET_ERRHANDLER("MPI_Comm_set_errhandler"),
        COMM_RANK("MPI_Comm_rank"),
        COMM_SIZE("MPI_Comm_size"),
        COMM_DUP("MPI_Comm_dup"),
        COMM_IDUP("MPI_Comm_idup"),
        COMM_SPLIT("MPI_Comm_split"),
        COMM_SPLIT_TYPE("MPI_Comm_split_type"),
        COMM_FREE("MPI_Comm_free"),
        OP_CREATE("MPI_Op_create"),
        BARRIER("MPI_Barrier"),
        BCAST("MPI_Bcast"),
        ALLREDUCE("MPI_Allreduce"),
        ALLREDUCE_C("MPI_Allreduce_c"),
        REDUCE("MPI_Reduce"),
        REDUCE_C("MPI_Reduce_c"),
        REDUCE_SCATTER("MPI_Reduce_scatter"),
        REDUCE_SCATTER_C("MPI_Reduce_scatter_c"),
        ALLGATHER("MPI_Allgather"),
        ALLGATHERV("MPI_Allgatherv"),
        ALLGATHERV_C("MPI_Allgatherv_c"),
        SEND("MPI_Send"),
        RECV("MPI_Recv"),
        ISEND("MPI_Isend"),
        IRECV("MPI_Irecv"),
        IBARRIER("MPI_Ibarrier"),
        IBCAST("MPI_Ibcast"),
        IALLREDUCE("MPI_Iallreduce"),
        IALLREDUCE_C("MPI_Iallreduce_c"),
        IREDUCE("MPI_Ireduce"),
        IREDUCE_C("MPI_Ireduce_c"),
        IALLGATHERV("MPI_Iallgatherv"),
        IALLGATHERV_C("MPI_Iallgatherv_c"),
        QUERY_CUDA_SUPPORT("MPIX_Query_cuda_support"),
        GPU_QUERY_SUPPORT("MPIX_GPU_query_support"),
        QUERY_THREAD("MPI_Query_thread"),
        TEST("MPI_Test"),
        WAIT("MPI_Wait"),
        GET_COUNT("MPI_Get_count");

        private final String symbol;

        Function(String symbol) {
            this.symbol = symbol;
        }
    }

    private final String file;
    private final SymbolLookup symbols;
    private final @Nullable MemorySegment[] addresses = new MemorySegment[Function.values().length];
    private final boolean largeCounts;

    private Mpi(String file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
        this.largeCounts = has("MPI_Allreduce_c");
    }

    /**
     * Loads a library, which stays loaded for as long as the process lives.
     *
     * @param file its file name, searched for as the system does, or its path
     * @throws IllegalArgumentException when it cannot be loaded, with the loader's reason, or is no MPI library
     */
    public static Mpi load(String file) {
        String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
        if (!reason.isEmpty()) throw new IllegalArgumentException(reason);
        SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
        if (symbols.find("MPI_Init_thread").isEmpty())
            throw new IllegalArgumentException(file + " is no MPI library: it has no MPI_Init_thread");
        return new Mpi(file, symbols);
    }

    /** What the library was loaded as. */
    public String file() {
        return file;
    }

    /** Whether the library exports a symbol. */
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    /** The address of a symbol that the library exports. */
    public long address(String symbol) {
        return symbols.findOrThrow(symbol).address();
    }

    /** Whether the functions take counts beyond an int. */
    public boolean hasLargeCounts() {
        return largeCounts;
    }

    private MemorySegment address(Function function) {
        MemorySegment known = addresses[function.ordinal()];
        return known != null ? known : find(function);
    }

    private MemorySegment find(Function function) {
        MemorySegment found = symbols.find(function.symbol)
                .orElseThrow(() -> new UnsupportedOperationException(file + " has no " + function.symbol));
        addresses[function.ordinal()] = found;
        return found;
    }

    /** The largest count that C's int holds. */
    public static long mostInt() {
        return MOST_INT;
    }

    private MemorySegment address(long count, Function usual, Function large) {
        return address(count > MOST_INT ? large : usual);
    }

    // The process --------------------------------------------------------------------------------------------------

    /** {@code MPI_Init_thread}. */
    public int initThread(long argc, long argv, long required, long provided) {
        return LongCalls.call(address(Function.INIT_THREAD), argc, argv, required, provided);
    }

    /** {@code MPI_Initialized}. */
    public int initialized(long flag) {
        return LongCalls.call(address(Function.INITIALIZED), flag);
    }

    /** {@code MPI_Finalize}. */
    public int mpiFinalize() {
        return LongCalls.call(address(Function.FINALIZE));
    }

    /** {@code MPI_Finalized}. */
    public int finalized(long flag) {
        return LongCalls.call(address(Function.FINALIZED), flag);
    }

    /** {@code MPI_Abort}. */
    public int abort(long comm, long errorcode) {
        return LongCalls.call(address(Function.ABORT), comm, errorcode);
    }

    /** {@code MPI_Get_library_version}; may be called before initialisation. */
    public int getLibraryVersion(long version, long resultlen) {
        return LongCalls.call(address(Function.GET_LIBRARY_VERSION), version, resultlen);
    }

    /** {@code MPI_Abi_get_version}; may be called before initialisation. */
    public int abiGetVersion(long major, long minor) {
        return LongCalls.call(address(Function.ABI_GET_VERSION), major, minor);
    }

    /** {@code MPI_Error_string}. */
    public int errorString(long errorcode, long string, long resultlen) {
        return LongCalls.call(address(Function.ERROR_STRING), errorcode, string, resultlen);
    }

    /** {@code MPIX_Query_cuda_support}, an extension of Open MPI and MPICH; returns no error code but whether there is support. */
    public int queryCudaSupport() {
        return LongCalls.call(address(Function.QUERY_CUDA_SUPPORT));
    }

    /** {@code MPIX_GPU_query_support}, an extension of MPICH. */
    public int gpuQuerySupport(long gpuType, long isSupported) {
        return LongCalls.call(address(Function.GPU_QUERY_SUPPORT), gpuType, isSupported);
    }

    /** {@code MPI_Query_thread}. */
    public int queryThread(long provided) {
        return LongCalls.call(address(Function.QUERY_THREAD), provided);
    }

    // Communicators and operations ---------------------------------------------------------------------------------

    /** {@code MPI_Comm_set_errhandler}. */
    public int commSetErrhandler(long comm, long errhandler) {
        return LongCalls.call(address(Function.COMM_SET_ERRHANDLER), comm, errhandler);
    }

    /** {@code MPI_Comm_rank}. */
    public int commRank(long comm, long rank) {
        return LongCalls.call(address(Function.COMM_RANK), comm, rank);
    }

    /** {@code MPI_Comm_size}. */
    public int commSize(long comm, long size) {
        return LongCalls.call(address(Function.COMM_SIZE), comm, size);
    }

    /** {@code MPI_Comm_dup}. */
    public int commDup(long comm, long newcomm) {
        return LongCalls.call(address(Function.COMM_DUP), comm, newcomm);
    }

    /** {@code MPI_Comm_idup}. */
    public int commIdup(long comm, long newcomm, long request) {
        return LongCalls.call(address(Function.COMM_IDUP), comm, newcomm, request);
    }

    /** {@code MPI_Comm_split}. */
    public int commSplit(long comm, long color, long key, long newcomm) {
        return LongCalls.call(address(Function.COMM_SPLIT), comm, color, key, newcomm);
    }

    /** {@code MPI_Comm_split_type}. */
    public int commSplitType(long comm, long splitType, long key, long info, long newcomm) {
        return LongCalls.call(address(Function.COMM_SPLIT_TYPE), comm, splitType, key, info, newcomm);
    }

    /** {@code MPI_Comm_free}. */
    public int commFree(long comm) {
        return LongCalls.call(address(Function.COMM_FREE), comm);
    }

    /** {@code MPI_Op_create}. */
    public int opCreate(long function, long commute, long op) {
        return LongCalls.call(address(Function.OP_CREATE), function, commute, op);
    }

    /** The address of a C function that calls {@code function}, for {@link #opCreate}; it lives as long as the process. */
    public static long userFunction(UserFunction function) {
        try {
            MethodHandle combine = MethodHandles.lookup()
                    .findStatic(
                            Mpi.class,
                            "combine",
                            MethodType.methodType(
                                    void.class, UserFunction.class, long.class, long.class, long.class, long.class));
            FunctionDescriptor type = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
            return LINKER.upcallStub(combine.bindTo(function), type, Arena.global())
                    .address();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the function that MPI is to call is missing", e);
        }
    }

    @SuppressWarnings("unused") // by its method handle
    private static void combine(UserFunction function, long in, long inOut, long length, long datatype) {
        function.combine(
                in, inOut, MemorySegment.ofAddress(length).reinterpret(4).get(JAVA_INT, 0));
    }

    // Collectives --------------------------------------------------------------------------------------------------

    /** {@code MPI_Barrier}. */
    public int barrier(long comm) {
        return LongCalls.call(address(Function.BARRIER), comm);
    }

    /** {@code MPI_Bcast}. */
    public int bcast(long buffer, long count, long datatype, long root, long comm) {
        return LongCalls.call(address(Function.BCAST), buffer, count, datatype, root, comm);
    }

    /** {@code MPI_Allreduce}. */
    public int allreduce(long sendbuf, long recvbuf, long count, long datatype, long op, long comm) {
        return LongCalls.call(
                address(count, Function.ALLREDUCE, Function.ALLREDUCE_C), sendbuf, recvbuf, count, datatype, op, comm);
    }

    /** {@code MPI_Reduce}. */
    public int reduce(long sendbuf, long recvbuf, long count, long datatype, long op, long root, long comm) {
        return LongCalls.call(
                address(count, Function.REDUCE, Function.REDUCE_C), sendbuf, recvbuf, count, datatype, op, root, comm);
    }

    /** {@code MPI_Reduce_scatter}; counts are ints. */
    public int reduceScatter(long sendbuf, long recvbuf, long recvcounts, long datatype, long op, long comm) {
        return LongCalls.call(address(Function.REDUCE_SCATTER), sendbuf, recvbuf, recvcounts, datatype, op, comm);
    }

    /** {@code MPI_Reduce_scatter_c}; counts are longs. */
    public int reduceScatterC(long sendbuf, long recvbuf, long recvcounts, long datatype, long op, long comm) {
        return LongCalls.call(address(Function.REDUCE_SCATTER_C), sendbuf, recvbuf, recvcounts, datatype, op, comm);
    }

    /** {@code MPI_Allgather}. */
    public int allgather(
            long sendbuf, long sendcount, long sendtype, long recvbuf, long recvcount, long recvtype, long comm) {
        return LongCalls.call(
                address(Function.ALLGATHER), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    }

    /** {@code MPI_Allgatherv}; counts and displacements are ints. */
    public int allgatherv(
            long sendbuf,
            long sendcount,
            long sendtype,
            long recvbuf,
            long recvcounts,
            long displs,
            long recvtype,
            long comm) {
        return LongCalls.call(
                address(Function.ALLGATHERV),
                sendbuf,
                sendcount,
                sendtype,
                recvbuf,
                recvcounts,
                displs,
                recvtype,
                comm);
    }

    /** {@code MPI_Allgatherv_c}; counts and displacements are longs. */
    public int allgathervC(
            long sendbuf,
            long sendcount,
            long sendtype,
            long recvbuf,
            long recvcounts,
            long displs,
            long recvtype,
            long comm) {
        return LongCalls.call(
                address(Function.ALLGATHERV_C),
                sendbuf,
                sendcount,
                sendtype,
                recvbuf,
                recvcounts,
                displs,
                recvtype,
                comm);
    }

    // Messages -----------------------------------------------------------------------------------------------------

    /** {@code MPI_Send}. */
    public int send(long buf, long count, long datatype, long dest, long tag, long comm) {
        return LongCalls.call(address(Function.SEND), buf, count, datatype, dest, tag, comm);
    }

    /** {@code MPI_Recv}. */
    public int recv(long buf, long count, long datatype, long source, long tag, long comm, long status) {
        return LongCalls.call(address(Function.RECV), buf, count, datatype, source, tag, comm, status);
    }

    /** {@code MPI_Isend}. */
    public int isend(long buf, long count, long datatype, long dest, long tag, long comm, long request) {
        return LongCalls.call(address(Function.ISEND), buf, count, datatype, dest, tag, comm, request);
    }

    /** {@code MPI_Irecv}. */
    public int irecv(long buf, long count, long datatype, long source, long tag, long comm, long request) {
        return LongCalls.call(address(Function.IRECV), buf, count, datatype, source, tag, comm, request);
    }

    /** {@code MPI_Get_count}, into an int, for messages that were received with a count of an int. */
    public int getCount(long status, long datatype, long count) {
        return LongCalls.call(address(Function.GET_COUNT), status, datatype, count);
    }

    // Operations under way -----------------------------------------------------------------------------------------

    /** {@code MPI_Ibarrier}. */
    public int ibarrier(long comm, long request) {
        return LongCalls.call(address(Function.IBARRIER), comm, request);
    }

    /** {@code MPI_Ibcast}. */
    public int ibcast(long buffer, long count, long datatype, long root, long comm, long request) {
        return LongCalls.call(address(Function.IBCAST), buffer, count, datatype, root, comm, request);
    }

    /** {@code MPI_Iallreduce}. */
    public int iallreduce(long sendbuf, long recvbuf, long count, long datatype, long op, long comm, long request) {
        return LongCalls.call(
                address(count, Function.IALLREDUCE, Function.IALLREDUCE_C),
                sendbuf,
                recvbuf,
                count,
                datatype,
                op,
                comm,
                request);
    }

    /** {@code MPI_Ireduce}. */
    public int ireduce(
            long sendbuf, long recvbuf, long count, long datatype, long op, long root, long comm, long request) {
        return LongCalls.call(
                address(count, Function.IREDUCE, Function.IREDUCE_C),
                sendbuf,
                recvbuf,
                count,
                datatype,
                op,
                root,
                comm,
                request);
    }

    /** {@code MPI_Iallgatherv}; counts and displacements are ints and must live until the request is complete. */
    public int iallgatherv(
            long sendbuf,
            long sendcount,
            long sendtype,
            long recvbuf,
            long recvcounts,
            long displs,
            long recvtype,
            long comm,
            long request) {
        return LongCalls.call(
                address(Function.IALLGATHERV),
                sendbuf,
                sendcount,
                sendtype,
                recvbuf,
                recvcounts,
                displs,
                recvtype,
                comm,
                request);
    }

    /** {@code MPI_Iallgatherv_c}; counts and displacements are longs and must live until the request is complete. */
    public int iallgathervC(
            long sendbuf,
            long sendcount,
            long sendtype,
            long recvbuf,
            long recvcounts,
            long displs,
            long recvtype,
            long comm,
            long request) {
        return LongCalls.call(
                address(Function.IALLGATHERV_C),
                sendbuf,
                sendcount,
                sendtype,
                recvbuf,
                recvcounts,
                displs,
                recvtype,
                comm,
                request);
    }

    /** {@code MPI_Test}. */
    public int test(long request, long flag, long status) {
        return LongCalls.call(address(Function.TEST), request, flag, status);
    }

    /** {@code MPI_Wait}. */
    public int wait(long request, long status) {
        return LongCalls.call(address(Function.WAIT), request, status);
    }
}
