package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;
import java.util.Objects;

/**
 * The collectives of one communicator, by MPI's functions.
 *
 * <p>Gathering to one rank, scattering from one and all-to-all are messages, all at once, on a communicator of their own: MPI
 * libraries do the uneven forms the same way, and so each array is sent and received where it lies.
 */
final class MpiCollectives {
    private final MpiWorld world;
    private final Mpi mpi;
    private final long comm;
    private final long inner;
    private final int rank;
    private final int size;
    private final long inPlace;

    MpiCollectives(MpiWorld world, long comm, long inner, int rank, int size) {
        this.world = world;
        this.mpi = world.mpi();
        this.comm = comm;
        this.inner = inner;
        this.rank = rank;
        this.size = size;
        this.inPlace = world.library().abi().inPlace();
    }

    /** Carries out a collective that is one of MPI's. */
    void perform(Call call) {
        world.enter();
        try {
            switch (call.kind()) {
                case BARRIER -> world.check(mpi.barrier(comm), "MPI_Barrier");
                case BROADCAST -> broadcast(call.out()[0], call.root());
                case ALL_REDUCE -> allReduce(call.out()[0], op(call));
                case ALL_REDUCE_VALUES -> allReduce(call.doubles(), call.count(), op(call));
                case REDUCE -> {
                    boolean isRoot = rank == call.root();
                    Parcel data = isRoot ? Parcel.inOut(call.out()[0]) : Parcel.out(call.out()[0]);
                    reduce(data.address(), isRoot, data.count(), data.dtype(), op(call), call.root());
                    if (isRoot) data.arrived();
                    else data.sent();
                }
                case REDUCE_SCATTER -> reduceScatter(call.out(), call.in()[0], op(call));
                case ALL_GATHER -> allGather(call.out()[0], call.in());
                case GATHER, SCATTER, ALL_TO_ALL, SPLIT ->
                    throw new IllegalArgumentException(call.describe() + " is made of messages");
            }
        } finally {
            world.leave();
        }
    }

    private static ReduceOp op(Call call) {
        return Objects.requireNonNull(call.op());
    }

    private void broadcast(NDArray data, int root) {
        Parcel parcel = rank == root ? Parcel.out(data) : Parcel.in(data);
        Pieces pieces = world.pieces(data);
        for (int k = 0; k < pieces.count(); k++) {
            long at = parcel.address() + pieces.from(k) * data.dtype().bytes();
            broadcast(at, pieces.size(k), data.dtype(), root);
        }
        if (rank == root) parcel.sent();
        else parcel.arrived();
    }

    private void broadcast(long address, long count, DType dtype, int root) {
        if (count > 0) world.check(mpi.bcast(address, count, world.type(dtype), root, comm), "MPI_Bcast");
    }

    /** Broadcasts an array in another memory, by way of the ring. */
    void ferry(Call call, Outstanding outstanding) {
        NDArray data = call.out()[0];
        Ferry.Passage passage = new Ferry.Passage() {
            @Override
            public void begin(long address, long count) {
                if (world.sharesCores()) {
                    MpiRequest request = new MpiRequest(world, call, outstanding);
                    beginBroadcast(address, count, data.dtype(), call.root(), request);
                    request.await();
                    return;
                }
                world.enter();
                try {
                    broadcast(address, count, data.dtype(), call.root());
                } finally {
                    world.leave();
                }
            }

            @Override
            public void end() {}
        };
        if (rank == call.root()) world.ferry().send(data, world.pieces(data), passage);
        else world.ferry().receive(data, world.pieces(data), passage);
    }

    private void allReduce(NDArray data, ReduceOp op) {
        Parcel parcel = Parcel.inOut(data);
        DType dtype = data.dtype();
        long at = parcel.address();
        long left = parcel.count();
        while (left > 0) {
            long count = Math.min(left, world.most(dtype, op));
            int code = mpi.allreduce(inPlace, at, count, world.type(dtype), world.operation(dtype, op), comm);
            world.check(code, "MPI_Allreduce");
            at += count * dtype.bytes();
            left -= count;
        }
        parcel.arrived();
    }

    private void allReduce(double[] values, int count, ReduceOp op) {
        long at = pack(values, count);
        long operation = world.operation(DType.F64, op);
        world.check(mpi.allreduce(inPlace, at, count, world.type(DType.F64), operation, comm), "MPI_Allreduce");
        unpack(at, values, count);
    }

    private long pack(double[] values, int count) {
        long at = world.me().scratch(Math.max(8L, 8L * count));
        for (int i = 0; i < count; i++) HostMemory.ALL.set(JAVA_DOUBLE, at + 8L * i, values[i]);
        return at;
    }

    private static void unpack(long at, double[] values, int count) {
        for (int i = 0; i < count; i++) values[i] = HostMemory.ALL.get(JAVA_DOUBLE, at + 8L * i);
    }

    /** Reduces {@code count} elements at an address, in place on the root. */
    private void reduce(long address, boolean isRoot, long elements, DType dtype, ReduceOp op, int root) {
        long at = address;
        long left = elements;
        while (left > 0) {
            long count = Math.min(left, world.most(dtype, op));
            int code = mpi.reduce(
                    isRoot ? inPlace : at,
                    isRoot ? at : 0,
                    count,
                    world.type(dtype),
                    world.operation(dtype, op),
                    root,
                    comm);
            world.check(code, "MPI_Reduce");
            at += count * dtype.bytes();
            left -= count;
        }
    }

    private void reduceScatter(NDArray[] parts, NDArray into, ReduceOp op) {
        DType dtype = into.dtype();
        long total = total(parts);
        Parcel out = Parcel.out(parts, into);
        if (total > world.most(dtype, op)) {
            reduceEach(parts, into, op);
        } else {
            Parcel in = Parcel.in(into);
            boolean large = total > Mpi.mostInt();
            try (Buffer counts = Parcel.buffer(8L * size)) {
                for (int r = 0; r < size; r++) {
                    if (large) HostMemory.ALL.set(JAVA_LONG, counts.address() + 8L * r, parts[r].size());
                    else HostMemory.ALL.set(JAVA_INT, counts.address() + 4L * r, (int) parts[r].size());
                }
                long type = world.type(dtype);
                long operation = world.operation(dtype, op);
                int code = large
                        ? mpi.reduceScatterC(out.address(), in.address(), counts.address(), type, operation, comm)
                        : mpi.reduceScatter(out.address(), in.address(), counts.address(), type, operation, comm);
                world.check(code, "MPI_Reduce_scatter");
            }
            in.arrived();
        }
        out.sent();
    }

    /** Reduces the part of one rank after the other. */
    private void reduceEach(NDArray[] parts, NDArray into, ReduceOp op) {
        for (int r = 0; r < size; r++) {
            boolean isMine = r == rank;
            if (isMine) ArrayCopy.copy(into, parts[r], world.me());
            Parcel data = isMine ? Parcel.inOut(into) : Parcel.out(parts[r]);
            reduce(data.address(), isMine, data.count(), data.dtype(), op, r);
            if (isMine) data.arrived();
            else data.sent();
        }
    }

    private void allGather(NDArray part, NDArray[] into) {
        long total = total(into);
        if (total > world.most()) {
            ArrayCopy.copy(into[rank], part, world.me());
            for (int r = 0; r < size; r++) broadcast(into[r], r);
            return;
        }
        boolean large = total > Mpi.mostInt();
        Landing landing = new Landing(into, large);
        Parcel out = Parcel.out(part);
        long type = world.type(part.dtype());
        long from = landing.holds(part, rank) ? inPlace : out.address();
        int code = large
                ? mpi.allgathervC(
                        from, out.count(), type, landing.base(), landing.counts(), landing.displacements(), type, comm)
                : mpi.allgatherv(
                        from, out.count(), type, landing.base(), landing.counts(), landing.displacements(), type, comm);
        world.check(code, "MPI_Allgatherv");
        landing.arrived();
        out.sent();
    }

    static long total(NDArray[] arrays) {
        long total = 0;
        for (NDArray array : arrays) total += array.size();
        return total;
    }

    // Without waiting ----------------------------------------------------------------------------------------------

    /** Whether a collective is made of messages, which are begun and awaited. */
    static boolean isOfMessages(Call call) {
        return switch (call.kind()) {
            case GATHER, SCATTER, ALL_TO_ALL -> true;
            default -> false;
        };
    }

    /** Whether a collective has a form that does not wait. */
    static boolean canBegin(Call call) {
        return call.kind() != CallKind.REDUCE_SCATTER;
    }

    /** Begins a collective. */
    void begin(Call call, MpiRequest request) {
        switch (call.kind()) {
            case BARRIER -> world.check(mpi.ibarrier(comm, request.slot()), "MPI_Ibarrier");
            case BROADCAST -> beginBroadcast(call.out()[0], call.root(), request);
            case ALL_REDUCE -> beginAllReduce(call.out()[0], op(call), request);
            case ALL_GATHER -> beginAllGather(call.out()[0], call.in(), request);
            case ALL_REDUCE_VALUES -> beginAllReduce(call.doubles(), call.count(), op(call), request);
            case REDUCE -> beginReduce(call.out()[0], op(call), call.root(), request);
            case GATHER -> gather(call.out()[0], call.in(), call.root(), request);
            case SCATTER -> scatter(call.out(), call.in()[0], call.root(), request);
            case ALL_TO_ALL -> allToAll(call.out(), call.in(), request);
            default -> throw new IllegalArgumentException(call.describe() + " cannot be begun without waiting");
        }
    }

    private void beginBroadcast(NDArray data, int root, MpiRequest request) {
        Parcel parcel = rank == root ? Parcel.out(data) : Parcel.in(data);
        request.afterwards(rank == root ? parcel::sent : parcel::arrived);
        Pieces pieces = world.pieces(data);
        for (int k = 0; k < pieces.count(); k++) {
            long at = parcel.address() + pieces.from(k) * data.dtype().bytes();
            beginBroadcast(at, pieces.size(k), data.dtype(), root, request);
        }
    }

    private void beginBroadcast(long address, long count, DType dtype, int root, MpiRequest request) {
        if (count == 0) return;
        int code = mpi.ibcast(address, count, world.type(dtype), root, comm, request.slot());
        world.check(code, "MPI_Ibcast");
    }

    private void beginAllReduce(NDArray data, ReduceOp op, MpiRequest request) {
        Parcel parcel = Parcel.inOut(data);
        request.afterwards(parcel::arrived);
        DType dtype = data.dtype();
        long operation = world.operation(dtype, op);
        long at = parcel.address();
        long left = parcel.count();
        while (left > 0) {
            long count = Math.min(left, world.most(dtype, op));
            int code = mpi.iallreduce(inPlace, at, count, world.type(dtype), operation, comm, request.slot());
            world.check(code, "MPI_Iallreduce");
            at += count * dtype.bytes();
            left -= count;
        }
    }

    private void beginAllReduce(double[] values, int count, ReduceOp op, MpiRequest request) {
        long at = pack(values, count);
        request.afterwards(() -> unpack(at, values, count));
        int code = mpi.iallreduce(
                inPlace, at, count, world.type(DType.F64), world.operation(DType.F64, op), comm, request.slot());
        world.check(code, "MPI_Iallreduce");
    }

    private void beginReduce(NDArray data, ReduceOp op, int root, MpiRequest request) {
        boolean isRoot = rank == root;
        Parcel parcel = isRoot ? Parcel.inOut(data) : Parcel.out(data);
        request.afterwards(isRoot ? parcel::arrived : parcel::sent);
        DType dtype = data.dtype();
        long at = parcel.address();
        long left = parcel.count();
        while (left > 0) {
            long count = Math.min(left, world.most(dtype, op));
            int code = mpi.ireduce(
                    isRoot ? inPlace : at,
                    isRoot ? at : 0,
                    count,
                    world.type(dtype),
                    world.operation(dtype, op),
                    root,
                    comm,
                    request.slot());
            world.check(code, "MPI_Ireduce");
            at += count * dtype.bytes();
            left -= count;
        }
    }

    private void beginAllGather(NDArray part, NDArray[] into, MpiRequest request) {
        long total = total(into);
        if (total > world.most()) {
            ArrayCopy.copy(into[rank], part, world.me());
            for (int r = 0; r < size; r++) beginBroadcast(into[r], r, request);
            return;
        }
        boolean large = total > Mpi.mostInt();
        Landing landing = new Landing(into, large);
        Parcel out = Parcel.out(part);
        request.afterwards(landing::arrived);
        request.afterwards(out::sent);
        long type = world.type(part.dtype());
        long from = landing.holds(part, rank) ? inPlace : out.address();
        long base = landing.base();
        long counts = landing.counts();
        long displacements = landing.displacements();
        long slot = request.slot();
        int code = large
                ? mpi.iallgathervC(from, out.count(), type, base, counts, displacements, type, comm, slot)
                : mpi.iallgatherv(from, out.count(), type, base, counts, displacements, type, comm, slot);
        world.check(code, "MPI_Iallgatherv");
    }

    private void gather(NDArray part, NDArray[] into, int root, MpiRequest request) {
        if (rank != root) {
            request.send(Parcel.out(part), root, 0, inner);
            return;
        }
        for (int r = 0; r < size; r++) if (r != rank) request.receive(Parcel.in(into[r]), r, 0, inner);
        ArrayCopy.copy(into[rank], part, world.me());
    }

    private void scatter(NDArray[] parts, NDArray into, int root, MpiRequest request) {
        if (rank != root) {
            request.receive(Parcel.in(into), root, 0, inner);
            return;
        }
        for (int r = 0; r < size; r++) if (r != rank) request.send(Parcel.out(parts[r]), r, 0, inner);
        ArrayCopy.copy(into, parts[rank], world.me());
    }

    /** Each rank begins with its own neighbours, so that no rank is everybody's first. */
    private void allToAll(NDArray[] parts, NDArray[] into, MpiRequest request) {
        for (int d = 1; d < size; d++) {
            int from = (rank + size - d) % size;
            request.receive(Parcel.in(into[from]), from, 0, inner);
        }
        for (int d = 1; d < size; d++) {
            int to = (rank + d) % size;
            request.send(Parcel.out(parts[to]), to, 0, inner);
        }
        ArrayCopy.copy(into[rank], parts[rank], world.me());
    }
}
