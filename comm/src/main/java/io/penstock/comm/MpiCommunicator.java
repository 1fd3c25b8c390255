package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
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
    /** The message that the rank's thread blocks in, used again and again so that the smallest messages allocate nothing. */
    private @Nullable Message blocking;

    private long sequence;

    /** The group of all ranks. */
    MpiCommunicator(MpiWorld world) {
        this(
                world,
                world.library().abi().commWorld(),
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
     * Device memory, where MPI takes it. Not for collectives without waiting, for which Open MPI takes none, nor where Java combines
     * the elements.
     */
    @Override
    boolean reaches(NDArray array, @Nullable Call call, boolean waits) {
        if (array.buffer().isHostAddressable()) return true;
        if (!world.gpu().takes(array, world.library())) return false;
        return call == null || (waits && call.isOfDevicesOnly() && takesDevices(call));
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
        boolean asks = world.sharesCores() && MpiCollectives.canBegin(call) && reachesAll(call, false);
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
    Request begin(Call call, Occupation memory) {
        agree(call);
        MpiRequest request = new MpiRequest(world, call, outstanding());
        outstanding().begin(request, request, memory);
        Occupation.within(() -> collectives.begin(call, request));
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

    /** A message of this group, for people. */
    private static final class Message implements Operation {
        private final MpiCommunicator group;
        private boolean isSend;
        private NDArray data;
        private int peer;
        private int tag;

        Message(MpiCommunicator group, boolean isSend, NDArray data, int peer, int tag) {
            this.group = group;
            this.data = data;
            fill(isSend, data, peer, tag);
        }

        final void fill(boolean newIsSend, NDArray newData, int newPeer, int newTag) {
            isSend = newIsSend;
            data = newData;
            peer = newPeer;
            tag = newTag;
        }

        @Override
        public String describe() {
            return Transfer.describe(isSend, data, group.label(peer), tag);
        }
    }

    private Message message(boolean isSend, NDArray data, int peer, int tag) {
        Message message = new Message(this, isSend, data, peer, tag);
        me().entered(message);
        return message;
    }

    /**
     * A message that is over when its call returns. Fresh memory of Java's heap costs more than the rest of a small message: the system
     * clears it page by page. The watch, which may be reading what is filled here, looks only at a thread that waits for long.
     */
    private Message blocking(boolean isSend, NDArray data, int peer, int tag) {
        Message message = blocking;
        if (message == null) blocking = message = new Message(this, isSend, data, peer, tag);
        else message.fill(isSend, data, peer, tag);
        me().entered(message);
        return message;
    }

    @Override
    void carry(NDArray data, int destination, int tag) {
        Message message = blocking(true, data, destination, tag);
        if (world.sharesCores()) {
            MpiRequest request = new MpiRequest(world, message, outstanding());
            request.send(Parcel.out(data), destination, tag, comm);
            request.await();
            return;
        }
        if (data.isContiguous()) {
            send(Parcel.place(data, false), data.size(), data.dtype(), destination, tag);
            return;
        }
        Parcel parcel = Parcel.out(data);
        send(parcel.address(), parcel.count(), data.dtype(), destination, tag);
        parcel.sent();
    }

    private void send(long address, long elements, DType dtype, int destination, int tag) {
        long type = world.type(dtype);
        long at = address;
        long left = elements;
        world.enter();
        try {
            do {
                long count = Math.min(left, world.most());
                world.check(mpi.send(at, count, type, destination, tag, comm), "MPI_Send");
                at += count * dtype.bytes();
                left -= count;
            } while (left > 0);
        } finally {
            world.leave();
        }
    }

    @Override
    void accept(NDArray data, int source, int tag) {
        Message message = blocking(false, data, source, tag);
        if (world.sharesCores()) {
            MpiRequest request = new MpiRequest(world, message, outstanding());
            request.receive(Parcel.in(data), source, tag, comm);
            request.await();
            return;
        }
        if (data.isContiguous()) {
            receive(message, Parcel.place(data, true), data.size(), source, tag);
            return;
        }
        Parcel parcel = Parcel.in(data);
        receive(message, parcel.address(), parcel.count(), source, tag);
        parcel.arrived();
    }

    private void receive(Message message, long address, long elements, int source, int tag) {
        DType dtype = message.data.dtype();
        long type = world.type(dtype);
        long slot = world.slot();
        long at = address;
        long left = elements;
        world.enter();
        try {
            do {
                long count = Math.min(left, world.most());
                world.check(mpi.recv(at, count, type, source, tag, comm, MpiSlots.status(slot)), "MPI_Recv");
                world.verify(message, slot, dtype, count);
                at += count * dtype.bytes();
                left -= count;
            } while (left > 0);
        } finally {
            world.leave();
        }
    }

    @Override
    void exchange(NDArray send, int destination, NDArray receive, int source, int tag) {
        MpiRequest incoming = new MpiRequest(world, message(false, receive, source, tag), outstanding());
        incoming.receive(Parcel.in(receive), source, tag, comm);
        carry(send, destination, tag);
        incoming.await();
    }

    @Override
    Request beginCarry(NDArray data, int destination, int tag, Occupation memory) {
        MpiRequest request = new MpiRequest(world, message(true, data, destination, tag), outstanding());
        outstanding().begin(request, request, memory);
        Occupation.within(() -> request.send(Parcel.out(data), destination, tag, comm));
        return request;
    }

    @Override
    Request beginAccept(NDArray data, int source, int tag, Occupation memory) {
        MpiRequest request = new MpiRequest(world, message(false, data, source, tag), outstanding());
        outstanding().begin(request, request, memory);
        Occupation.within(() -> request.receive(Parcel.in(data), source, tag, comm));
        return request;
    }

    // End ----------------------------------------------------------------------------------------------------------

    @Override
    void free() {
        free(inner);
        if (comm != world.library().abi().commWorld()) free(comm);
    }

    private void free(long handle) {
        long cell = world.cell();
        HostMemory.ALL.set(JAVA_LONG, cell, handle);
        world.check(mpi.commFree(cell), "MPI_Comm_free");
    }
}
