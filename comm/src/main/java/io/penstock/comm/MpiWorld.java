package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** This process as one rank of an MPI job: what all of its communicators share. */
@SuppressWarnings("EnumOrdinal") // an array by number keeps the look-up at each message free
final class MpiWorld {
    /** The largest count of one message; for tests, since it takes gigabytes to go beyond the real one. */
    private static final String MOST = "penstock.mpi.most";

    private static final String CHECK = "penstock.check";
    private static final VarHandle INSIDE;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(MpiWorld.class, "inside", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MpiLibrary library;
    private final Mpi mpi;
    private final MpiOperations operations;
    private final MpiSlots slots;
    private final MpiCounts counts;
    /** For the calls that block, of which there is one at a time. */
    private final long slot;

    private final boolean threadsMultiple;
    private final boolean largeCounts;
    private final long most;
    private final long[] pieces = new long[DType.values().length];
    private final boolean checked = System.getProperty(CHECK, "").contains("collectives");
    private final int size;
    private final long comm;
    private final RankState me;
    private final Ferry ferry;
    private final MemorySegment cells = Arena.global().allocate(64, 64);
    /** The number of the call that blocks within MPI, 0 when none does; written by the rank's thread, read by the watch. */
    private volatile long inside;

    private long entries;
    private final GpuAwareness gpu;
    private boolean sharesCores;
    private volatile @Nullable Failure failure;

    /** Initialises MPI. */
    MpiWorld(MpiLibrary library) {
        this.library = library;
        this.mpi = library.mpi();
        this.threadsMultiple = library.initialise() >= library.abi().threadMultiple();
        this.operations = new MpiOperations(library);
        this.slots = new MpiSlots(library.abi());
        this.slot = slots.take();
        this.counts = new MpiCounts(library);
        Long limit = Long.getLong(MOST);
        this.largeCounts = limit == null && mpi.hasLargeCounts();
        this.most = limit != null ? limit : largeCounts ? Long.MAX_VALUE : Mpi.mostInt();
        for (DType dtype : DType.values())
            pieces[dtype.ordinal()] =
                    Math.max(1, Math.min(Math.min(most, Mpi.mostInt()), Pieces.BYTES / dtype.bytes()));
        long comm = library.abi().commWorld();
        check(mpi.commSize(comm, cells.address()), "MPI_Comm_size");
        this.size = cells.get(JAVA_INT, 0);
        check(mpi.commRank(comm, cells.address()), "MPI_Comm_rank");
        int rank = cells.get(JAVA_INT, 0);
        // Not MPI's own: what a rank calls alone would meet there with what the others call when they end.
        check(mpi.commDup(comm, cell()), "MPI_Comm_dup");
        this.comm = handle();
        this.gpu = GpuAwareness.of(mpi, System.getenv());
        gpu.prepare();
        this.me = new RankState(rank, size);
        this.ferry = new Ferry(me.staging(), Math.max(Pieces.BYTES, 16));
    }

    MpiLibrary library() {
        return library;
    }

    Mpi mpi() {
        return mpi;
    }

    GpuAwareness gpu() {
        return gpu;
    }

    MpiSlots slots() {
        return slots;
    }

    /** The slot of the call that blocks. */
    long slot() {
        return slot;
    }

    RankState me() {
        return me;
    }

    int size() {
        return size;
    }

    /** MPI's communicator of all ranks for what programs call. */
    long comm() {
        return comm;
    }

    /** Whether collectives are compared between the ranks before they begin. */
    boolean isChecked() {
        return checked;
    }

    boolean hasLargeCounts() {
        return largeCounts;
    }

    boolean hasThreadsMultiple() {
        return threadsMultiple;
    }

    /** Says how many ranks share the cores of this process. */
    void sharers(int ranks) {
        sharesCores = CoreSharing.isNeeded(ranks);
    }

    /** Whether a rank that waits has to leave its core to others. */
    boolean sharesCores() {
        return sharesCores;
    }

    /** How many elements a whole piece of a message has. */
    long piece(DType dtype) {
        return pieces[dtype.ordinal()];
    }

    /** How a message is cut. */
    Pieces pieces(DType dtype, long elements) {
        return new Pieces(elements, piece(dtype));
    }

    Pieces pieces(NDArray data) {
        return pieces(data.dtype(), data.size());
    }

    /** Whether an array has a whole piece at least. */
    boolean isCut(NDArray data) {
        return data.size() >= piece(data.dtype());
    }

    /** What takes arrays across that MPI cannot reach. */
    Ferry ferry() {
        return ferry;
    }

    /** The largest count of one collective. */
    long most() {
        return most;
    }

    /** The largest count of one reduction. */
    long most(DType dtype, ReduceOp op) {
        return MpiOperations.isOwn(dtype, op) ? Math.min(most, Mpi.mostInt()) : most;
    }

    long type(DType dtype) {
        return operations.type(dtype);
    }

    long operation(DType dtype, ReduceOp op) {
        return operations.operation(dtype, op);
    }

    /** Throws, in MPI's own words, when a function returned an error. */
    void check(int code, String function) {
        if (code != 0) throw error(code, function);
    }

    private CommunicatorException error(int code, String function) {
        Operation last = me().last();
        String where = last == null ? "" : " in call " + me().calls() + " " + last.describe();
        return new CommunicatorException("rank " + me().rank() + ": " + function + " failed" + where + ": "
                + library.errorText(code) + "; MPI is " + library.version());
    }

    /** Throws when a message that came, whose status is in a slot, is shorter than it must be. */
    void verify(Operation what, long arrived, DType dtype, long expected) {
        long type = type(dtype);
        if (counts.isWhole(arrived, dtype, type, expected)) return;
        long count = counts.count(arrived, type);
        throw new CommunicatorException("sender and receiver disagree about a message: rank " + me.rank() + " got "
                + (count < 0 ? "no whole number of elements" : count + " elements") + " in " + what.describe());
    }

    /** Tells the watch that the rank's thread is about to wait within MPI; it may learn of it a moment later. */
    void enter() {
        INSIDE.setRelease(this, ++entries);
    }

    /** Tells the watch that the wait is over. */
    void leave() {
        INSIDE.setRelease(this, 0L);
    }

    /** What {@link #enter} announced and {@link #leave} has not ended: the same number means the same wait. */
    long inside() {
        return inside;
    }

    @Nullable
    Failure failure() {
        return failure;
    }

    /** Ends this rank's part in the job; returns why, which is what came first. */
    synchronized Failure fail(Failure why) {
        Failure first = failure;
        if (first != null) return first;
        failure = why;
        return why;
    }

    void checkAlive() {
        Failure why = failure;
        if (why != null) throw why.exception();
    }

    /** A handle that MPI writes to an address of {@link #cell}. */
    long handle() {
        long value = cells.get(JAVA_LONG, 0);
        return library.abi().intHandles() ? value & 0xffff_ffffL : value;
    }

    /** Where MPI may write a handle or a number. */
    long cell() {
        cells.set(JAVA_LONG, 0, 0);
        return cells.address();
    }

    int number() {
        return cells.get(JAVA_INT, 0);
    }
}
