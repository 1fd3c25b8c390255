package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Occupation;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One rank's end of a group of processes, by MPI. */
final class MpiCommunicator extends CheckedCommunicator {
    private final MpiWorld world;
    private final Mpi mpi;
    private final long comm;
    /** For what this library sends on its own account, so that no message of the program's can be mistaken for it. */
    private final long inner;

    private final int[] members;
    private final int rank;
    private final String name;
    private final MpiCollectives collectives;
    private final MpiMessages messages;
    private long sequence;

    /** The group of all ranks. */
    MpiCommunicator(MpiWorld world) {
        this(
                world,
                world.comm(),
                IntStream.range(0, world.size()).toArray(),
                "MPI group of " + world.size() + " ranks",
                null);
    }

    private MpiCommunicator(MpiWorld world, long comm, int[] members, String name, @Nullable MpiCommunicator parent) {
        super(world.me(), parent);
        this.world = world;
        this.mpi = world.mpi();
        this.comm = comm;
        this.members = members;
        this.name = name;
        this.rank = IntStream.range(0, members.length)
                .filter(r -> members[r] == world.me().rank())
                .findFirst()
                .orElseThrow();
        this.inner = duplicate();
        this.collectives = new MpiCollectives(world, comm, inner, rank, members.length);
        this.messages = new MpiMessages(world, comm, outstanding(), this::label);
    }

    private long duplicate() {
        world.enter();
        try {
            if (!world.sharesCores()) {
                world.check(mpi.commDup(comm, world.cell()), "MPI_Comm_dup");
                return world.handle();
            }
        } finally {
            world.leave();
        }
        MpiRequest request = new MpiRequest(world, Call.split(0, 0), outstanding());
        world.check(mpi.commIdup(comm, world.cell(), request.slot()), "MPI_Comm_idup");
        request.await();
        return world.handle();
    }

    /** Where ranks share cores: waits for all of them before a call of MPI's that would keep cores busy until they come. */
    void meet() {
        if (!world.sharesCores()) return;
        MpiRequest request = new MpiRequest(world, Call.barrier(), outstanding());
        collectives.begin(Call.barrier(), request);
        request.await();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    void checkAlive() {
        world.checkAlive();
    }

    /** Whether this MPI takes device memory. */
    GpuAwareness awareness() {
        return world.gpu();
    }

    /**
     * Device memory, where MPI takes it. Not for collectives without waiting, for which Open MPI takes none, and as which all are
     * carried out where ranks share cores; nor where Java combines the elements.
     */
    @Override
    boolean reaches(NDArray array, @Nullable Call call, boolean waits) {
        if (array.buffer().isHostAddressable()) return true;
        if (!world.gpu().takes(array, world.library())) return false;
        return call == null || (waits && !world.sharesCores() && call.isOfDevicesOnly() && takesDevices(call));
    }

    private static boolean takesDevices(Call call) {
        return switch (call.kind()) {
            case BROADCAST, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> true;
            case ALL_REDUCE, REDUCE ->
                !MpiOperations.isOwn(Objects.requireNonNull(call.dtype()), Objects.requireNonNull(call.op()));
            case BARRIER, ALL_REDUCE_VALUES, REDUCE_SCATTER, SPLIT -> false;
        };
    }

    /** How messages name a rank: by its number here, and by its number among all ranks where that differs. */
    String label(int of) {
        return members[of] == of ? "rank " + of : "rank " + of + " (" + members[of] + " of all)";
    }

    // Collectives --------------------------------------------------------------------------------------------------

    @Override
    void perform(Call call) {
        agree(call);
        boolean asks = world.sharesCores() && MpiCollectives.canBegin(call);
        if (asks || MpiCollectives.isOfMessages(call)) {
            MpiRequest request = new MpiRequest(world, call, outstanding());
            collectives.begin(call, request);
            request.await();
        } else {
            meet();
            collectives.perform(call);
        }
    }

    @Override
    boolean performInPieces(Call call) {
        if (call.kind() != CallKind.BROADCAST || !world.isCut(call.out()[0])) return false;
        agree(call);
        collectives.ferry(call, outstanding());
        return true;
    }

    @Override
    Request begin(Call call, Occupation memory) {
        agree(call);
        MpiRequest request = new MpiRequest(world, call, outstanding());
        outstanding().begin(request, request, memory, () -> collectives.begin(call, request));
        return request;
    }

    /** What can be known without asking others always is; the rest when the ranks were asked to compare their calls. */
    private void agree(Call call) {
        sequence++;
        if (!Agreement.isConsistent(call, rank))
            throw new CommunicatorException(label(rank) + " gives itself another number of elements than it takes from"
                    + " itself in collective " + sequence + " of the " + name + ": " + call.describe());
        if (!world.isChecked()) return;
        Demand[] calls = SentDemand.exchange(world, inner, size(), call);
        String difference = Agreement.difference(calls);
        if (difference == null) return;
        throw world.fail(new Failure(Agreement.message(difference, sequence, name, calls, this::label), null))
                .exception();
    }

    @Override
    Communicator divide(Call call) {
        agree(call);
        meet();
        world.enter();
        try {
            world.check(mpi.commSplit(comm, call.colour(), call.key(), world.cell()), "MPI_Comm_split");
            long part = world.handle();
            world.check(mpi.commSize(part, world.cell()), "MPI_Comm_size");
            int[] chosen = members(part, world.number());
            String title = "MPI group of ranks " + Arrays.toString(chosen) + " of " + world.size();
            return new MpiCommunicator(world, part, chosen, title, this);
        } finally {
            world.leave();
        }
    }

    /** The numbers among all ranks of those in a group. */
    private int[] members(long part, int size) {
        long int32 = world.library().abi().types().int32();
        long mine = world.me().scratch(4L * (size + 1));
        long all = mine + 4;
        HostMemory.ALL.set(JAVA_INT, mine, world.me().rank());
        world.check(mpi.allgather(mine, 1, int32, all, 1, int32, part), "MPI_Allgather");
        int[] result = new int[size];
        Arrays.setAll(result, r -> HostMemory.ALL.get(JAVA_INT, all + 4L * r));
        return result;
    }

    // Messages -----------------------------------------------------------------------------------------------------

    @Override
    void carry(NDArray data, int destination, int tag) {
        messages.send(data, destination, tag);
    }

    @Override
    void accept(NDArray data, int source, int tag) {
        messages.receive(data, source, tag);
    }

    @Override
    void exchange(NDArray send, int destination, NDArray receive, int source, int tag) {
        messages.exchange(send, destination, receive, source, tag);
    }

    @Override
    Request beginCarry(NDArray data, int destination, int tag, Occupation memory) {
        return messages.begin(true, data, destination, tag, memory);
    }

    @Override
    Request beginAccept(NDArray data, int source, int tag, Occupation memory) {
        return messages.begin(false, data, source, tag, memory);
    }

    @Override
    boolean carryInPieces(NDArray data, int destination, int tag) {
        return messages.ferry(true, data, destination, tag);
    }

    @Override
    boolean acceptInPieces(NDArray data, int source, int tag) {
        return messages.ferry(false, data, source, tag);
    }

    @Override
    Request beginCarry(NDArray copy, int destination, int tag, Occupation memory, Staged staged) {
        return messages.beginStaged(copy, destination, tag, memory);
    }

    @Override
    Request beginAccept(NDArray copy, int source, int tag, Occupation memory, Staged staged) {
        return messages.beginStaged(copy, source, tag, memory, staged);
    }

    // End ----------------------------------------------------------------------------------------------------------

    @Override
    void free() {
        free(inner);
        if (comm != world.comm()) free(comm);
    }

    private void free(long handle) {
        long cell = world.cell();
        HostMemory.ALL.set(JAVA_LONG, cell, handle);
        world.check(mpi.commFree(cell), "MPI_Comm_free");
    }
}
