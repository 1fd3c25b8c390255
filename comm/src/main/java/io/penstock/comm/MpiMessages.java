package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.Occupation;
import java.util.ArrayDeque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Messages between two ranks of one communicator. Those of a piece or more are cut, the same way by both ends wherever their arrays
 * lie ({@link Pieces}).
 */
final class MpiMessages {
    private final MpiWorld world;
    private final Mpi mpi;
    private final long comm;
    private final Outstanding outstanding;
    private final IntFunction<String> label;
    /** The message that the rank's thread blocks in, used again and again so that the smallest messages allocate nothing. */
    private @Nullable Message blocking;

    /**
     * For one communicator of MPI's.
     *
     * @param label names a rank for people
     */
    MpiMessages(MpiWorld world, long comm, Outstanding outstanding, IntFunction<String> label) {
        this.world = world;
        this.mpi = world.mpi();
        this.comm = comm;
        this.outstanding = outstanding;
        this.label = label;
    }

    /** A message, for people. */
    private static final class Message implements Operation {
        private final IntFunction<String> label;
        private boolean isSend;
        private NDArray data;
        private int peer;
        private int tag;

        Message(IntFunction<String> label, boolean isSend, NDArray data, int peer, int tag) {
            this.label = label;
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
            return Transfer.describe(isSend, data, label.apply(peer), tag);
        }
    }

    private MpiRequest request(boolean isSend, NDArray data, int peer, int tag) {
        Message message = new Message(label, isSend, data, peer, tag);
        world.me().entered(message);
        return new MpiRequest(world, message, outstanding);
    }

    /**
     * A message that is over when its call returns. Fresh memory of Java's heap costs more than the rest of a small message: the system
     * clears it page by page. The watch, which may be reading what is filled here, looks only at a thread that waits for long.
     */
    private Message blocking(boolean isSend, NDArray data, int peer, int tag) {
        Message message = blocking;
        if (message == null) blocking = message = new Message(label, isSend, data, peer, tag);
        else message.fill(isSend, data, peer, tag);
        world.me().entered(message);
        return message;
    }

    /** Whether a message is one of MPI's, which the call may wait for within MPI. */
    private boolean isWhole(NDArray data) {
        return data.size() < world.piece(data.dtype()) && !world.sharesCores();
    }

    void send(NDArray data, int destination, int tag) {
        Message message = blocking(true, data, destination, tag);
        if (!isWhole(data)) {
            MpiRequest request = new MpiRequest(world, message, outstanding);
            request.send(Parcel.out(data), destination, tag, comm);
            request.await();
        } else if (data.isContiguous()) {
            send(Parcel.place(data, false), data.size(), data.dtype(), destination, tag);
        } else {
            Parcel parcel = Parcel.out(data);
            send(parcel.address(), parcel.count(), data.dtype(), destination, tag);
            parcel.sent();
        }
    }

    private void send(long address, long count, DType dtype, int destination, int tag) {
        world.enter();
        try {
            world.check(mpi.send(address, count, world.type(dtype), destination, tag, comm), "MPI_Send");
        } finally {
            world.leave();
        }
    }

    void receive(NDArray data, int source, int tag) {
        Message message = blocking(false, data, source, tag);
        if (!isWhole(data)) {
            MpiRequest request = new MpiRequest(world, message, outstanding);
            request.receive(Parcel.in(data), source, tag, comm);
            request.await();
        } else if (data.isContiguous()) {
            receive(message, Parcel.place(data, true), data.size(), source, tag);
        } else {
            Parcel parcel = Parcel.in(data);
            receive(message, parcel.address(), parcel.count(), source, tag);
            parcel.arrived();
        }
    }

    private void receive(Message message, long address, long count, int source, int tag) {
        DType dtype = message.data.dtype();
        long slot = world.slot();
        world.enter();
        try {
            int code = mpi.recv(address, count, world.type(dtype), source, tag, comm, MpiSlots.status(slot));
            world.check(code, "MPI_Recv");
            world.verify(message, slot, dtype, count);
        } finally {
            world.leave();
        }
    }

    void exchange(NDArray send, int destination, NDArray receive, int source, int tag) {
        MpiRequest incoming = request(false, receive, source, tag);
        incoming.receive(Parcel.in(receive), source, tag, comm);
        send(send, destination, tag);
        incoming.await();
    }

    Request begin(boolean isSend, NDArray data, int peer, int tag, Occupation memory) {
        MpiRequest request = request(isSend, data, peer, tag);
        outstanding.begin(request, request, memory, () -> {
            if (isSend) request.send(Parcel.out(data), peer, tag, comm);
            else request.receive(Parcel.in(data), peer, tag, comm);
        });
        return request;
    }

    // What MPI cannot reach ----------------------------------------------------------------------------------------

    /** Sends or receives an array in another memory, by way of the ring; false where it is too small for that. */
    boolean ferry(boolean isSend, NDArray data, int peer, int tag) {
        if (data.size() < world.piece(data.dtype())) return false;
        Message message = blocking(isSend, data, peer, tag);
        Passage passage = new Passage(message);
        if (isSend) world.ferry().send(data, world.pieces(data), passage);
        else world.ferry().receive(data, world.pieces(data), passage);
        return true;
    }

    private final class Passage implements Ferry.Passage {
        private final Message message;
        private final ArrayDeque<MpiRequest> under = new ArrayDeque<>(Ferry.SLOTS);

        Passage(Message message) {
            this.message = message;
        }

        @Override
        public void begin(long address, long count) {
            MpiRequest request = new MpiRequest(world, message, outstanding);
            DType dtype = message.data.dtype();
            if (message.isSend) request.send(address, count, dtype, message.peer, message.tag, comm);
            else request.receive(address, count, dtype, message.peer, message.tag, comm);
            under.add(request);
        }

        @Override
        public void end() {
            under.remove().await();
        }
    }

    /** Begins to send a copy in pinned memory, each piece as soon as it has been copied there. */
    Request beginStaged(NDArray copy, int destination, int tag, Occupation memory) {
        MpiRequest request = request(true, copy, destination, tag);
        outstanding.begin(request, request, memory);
        Pieces pieces = world.pieces(copy);
        NDArray flat = copy.reshape(-1);
        try {
            for (int k = 0; k < pieces.count(); k++) {
                long from = pieces.from(k);
                NDArray piece = flat.slice(0, from, from + pieces.size(k));
                request.send(Parcel.place(piece, false), piece.size(), piece.dtype(), destination, tag, comm);
            }
        } catch (RuntimeException | Error e) {
            outstanding.end(request, e);
            throw e;
        }
        return request;
    }

    /** Begins to receive in a copy in pinned memory, and has each piece that has come copied from there. */
    Request beginStaged(NDArray copy, int source, int tag, Occupation memory, Staged staged) {
        MpiRequest request = request(false, copy, source, tag);
        request.pieces(staged::arrived);
        outstanding.begin(request, request, memory, () -> request.receive(Parcel.in(copy), source, tag, comm));
        return request;
    }
}
