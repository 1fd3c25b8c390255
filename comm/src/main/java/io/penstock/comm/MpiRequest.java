package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.array.DType;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Occupation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An operation under way within MPI: one of MPI's requests, or several that belong together. */
final class MpiRequest implements Request, Operation {
    private static final long NOT_COUNTED = -1;

    private final MpiWorld world;
    private final Mpi mpi;
    private final Operation what;
    private final Outstanding outstanding;
    private final List<Runnable> afterwards = new ArrayList<>(2);
    private long[] slots = new long[2];
    /** For what is received, how many elements must come. */
    private long[] expected = new long[2];

    private @Nullable DType type;
    private @Nullable LongConsumer arrived;
    private int begun;
    private int done;
    private boolean finished;

    MpiRequest(MpiWorld world, Operation what, Outstanding outstanding) {
        this.world = world;
        this.mpi = world.mpi();
        this.what = what;
        this.outstanding = outstanding;
    }

    /** A slot for one more of MPI's requests. */
    long slot() {
        return slot(NOT_COUNTED);
    }

    private long slot(long count) {
        if (begun == slots.length) {
            slots = Arrays.copyOf(slots, 2 * begun);
            expected = Arrays.copyOf(expected, 2 * begun);
        }
        long slot = world.slots().take();
        slots[begun] = slot;
        expected[begun++] = count;
        return slot;
    }

    /** Begins to send, in pieces. */
    void send(Parcel data, int destination, int tag, long comm) {
        afterwards.add(data::sent);
        Pieces pieces = world.pieces(data.dtype(), data.count());
        int bytes = data.dtype().bytes();
        for (int k = 0; k < pieces.count(); k++)
            send(data.address() + pieces.from(k) * bytes, pieces.size(k), data.dtype(), destination, tag, comm);
    }

    /** Begins to send a piece. */
    void send(long address, long count, DType dtype, int destination, int tag, long comm) {
        world.check(mpi.isend(address, count, world.type(dtype), destination, tag, comm, slot()), "MPI_Isend");
    }

    /** Begins to receive, in pieces. */
    void receive(Parcel data, int source, int tag, long comm) {
        afterwards.add(data::arrived);
        Pieces pieces = world.pieces(data.dtype(), data.count());
        int bytes = data.dtype().bytes();
        for (int k = 0; k < pieces.count(); k++)
            receive(data.address() + pieces.from(k) * bytes, pieces.size(k), data.dtype(), source, tag, comm);
    }

    /** Begins to receive a piece. */
    void receive(long address, long count, DType dtype, int source, int tag, long comm) {
        type = dtype;
        world.check(mpi.irecv(address, count, world.type(dtype), source, tag, comm, slot(count)), "MPI_Irecv");
    }

    /** Has something done with each piece when it has come, told how many elements that is. */
    void pieces(LongConsumer action) {
        arrived = action;
    }

    /** Has something done once all is there. */
    void afterwards(Runnable action) {
        afterwards.add(action);
    }

    @Override
    public boolean isDone() {
        if (finished) return true;
        world.checkAlive();
        for (; done < begun; done++) {
            long slot = slots[done];
            world.check(mpi.test(slot, MpiSlots.flag(slot), MpiSlots.status(slot)), "MPI_Test");
            if (HostMemory.ALL.get(JAVA_INT, MpiSlots.flag(slot)) == 0) return false;
            verify(done);
        }
        finish();
        return true;
    }

    @Override
    public void await() {
        if (finished) return;
        world.checkAlive();
        world.enter();
        try {
            if (world.sharesCores()) {
                CoreSharing.await(this::isDone);
                return;
            }
            for (; done < begun; done++) {
                long slot = slots[done];
                world.check(mpi.wait(slot, MpiSlots.status(slot)), "MPI_Wait");
                verify(done);
            }
        } finally {
            world.leave();
        }
        finish();
    }

    private void verify(int leg) {
        if (expected[leg] == NOT_COUNTED) return;
        world.verify(what, slots[leg], Objects.requireNonNull(type), expected[leg]);
        if (arrived != null) arrived.accept(expected[leg]);
    }

    private void finish() {
        finished = true;
        Occupation.within(() -> afterwards.forEach(Runnable::run));
        for (int i = 0; i < begun; i++) world.slots().give(slots[i]);
        outstanding.end(this);
    }

    @Override
    public String describe() {
        return what.describe();
    }
}
