package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Nccl;
import io.penstock.runtime.Access;
import io.penstock.runtime.Occupation;
import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.cuda.CudaQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One rank's end of a group whose ranks have a GPU each. Calls on arrays in that GPU's memory are NCCL's, as work of a queue: they
 * return once they are issued, and whoever touches the arrays comes after them, as after any work. All others are those of the
 * communicator that this one was made from.
 *
 * <p>Exchanges, and collectives whose parts may differ in size, are groups of messages or broadcasts, without padding: one piece of work that
 * names all of its arrays. Complex numbers travel as pairs. What NCCL reduces by other rules than Java's, the products of complex numbers
 * and the smallest and largest of floating-point numbers, goes the other way.
 *
 * <p>Single messages go as those of the communicator below: NCCL knows no tags, and must be given all messages that wait for each other at
 * once (docs/decisions/0015).
 */
final class NcclCommunicator extends CheckedCommunicator {
    private static final Request DONE = new Request() {
        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public void await() {
            // The arrays' next users come after the work, which has been issued.
        }
    };

    private final CheckedCommunicator base;
    private final boolean ownsBase;
    private final CudaDevice device;
    private final CudaQueue queue;
    private final NcclHandle handle;
    private final Nccl nccl;

    NcclCommunicator(CheckedCommunicator base, @Nullable NcclCommunicator parent, CudaDevice device, Nccl nccl) {
        super(base.me(), parent);
        this.base = base;
        this.ownsBase = parent != null;
        this.device = device;
        this.queue = base.me().ncclQueue(device);
        this.nccl = nccl;
        this.handle = new NcclHandle(nccl, device, queue, base);
    }

    @Override
    public int rank() {
        return base.rank();
    }

    @Override
    public int size() {
        return base.size();
    }

    @Override
    public String name() {
        return base.name() + " with NCCL on " + device.name();
    }

    @Override
    void checkAlive() {
        base.checkAlive();
        handle.requireAlive();
    }

    // Choice -------------------------------------------------------------------------------------------------------

    /** Whatever its strides: ranks may differ in these, and must not in the way that a call goes. */
    private boolean isHere(NDArray array) {
        return array.device().equals(device) && !array.buffer().isHostAddressable();
    }

    private boolean isHere(List<Envelope> envelopes) {
        for (Envelope each : envelopes) if (!isHere(each.array())) return false;
        return true;
    }

    @Override
    public boolean isQueued(NDArray array) {
        return isHere(array);
    }

    private boolean isHere(Call call) {
        for (NDArray array : call.out()) if (!isHere(array)) return false;
        for (NDArray array : call.in()) if (!isHere(array)) return false;
        return call.out().length + call.in().length > 0;
    }

    private static boolean reducesAlike(Call call) {
        ReduceOp op = Objects.requireNonNull(call.op());
        DType dtype = Objects.requireNonNull(call.dtype());
        return switch (op) {
            case SUM -> true;
            case PROD -> !dtype.isComplex();
            case MIN, MAX -> dtype.kind() == DType.Kind.INTEGER;
        };
    }

    @Override
    boolean reaches(NDArray array, @Nullable Call call, boolean waits) {
        return base.reaches(array, call, waits);
    }

    // Collectives --------------------------------------------------------------------------------------------------

    @Override
    boolean enqueue(Call call) {
        if (!isHere(call) || (call.kind().reduces() && !reducesAlike(call))) return false;
        Packed packed = new Packed(queue);
        Call here = call.within(packed, rank());
        submit(call.describe(), here.accesses(rank()), () -> issue(here));
        packed.submitted();
        return true;
    }

    @Override
    boolean enqueue(List<Envelope> sends, List<Envelope> receives) {
        if (!isHere(sends) || !isHere(receives)) return false;
        Packed packed = new Packed(queue);
        List<Envelope> out = new ArrayList<>(sends.size());
        List<Envelope> in = new ArrayList<>(receives.size());
        List<Access> accesses = new ArrayList<>(sends.size() + receives.size());
        for (Envelope each : sends) {
            NDArray array = packed.reachable(each.array(), true, false);
            out.add(new Envelope(each.rank(), array));
            accesses.add(new Access(array.buffer(), array.region(), false));
        }
        for (Envelope each : receives) {
            NDArray array = packed.reachable(each.array(), false, true);
            in.add(new Envelope(each.rank(), array));
            accesses.add(new Access(array.buffer(), array.region(), true));
        }
        Exchange exchange = new Exchange(sends.size(), receives.size());
        me().entered(exchange);
        submit(exchange.describe(), accesses, () -> {
            for (Envelope each : out) send(each.array(), each.rank());
            for (Envelope each : in) receive(each.array(), each.rank());
        });
        packed.submitted();
        return true;
    }

    private record Exchange(int sends, int receives) implements Operation {
        @Override
        public String describe() {
            return "exchange(" + sends + " sent, " + receives + " received)";
        }
    }

    private void submit(String what, List<Access> accesses, Runnable calls) {
        NcclWatch.Call watched = new NcclWatch.Call(what);
        watched.submitted(queue.submit(what, accesses, () -> {
            handle.watch().issuing(watched);
            handle.group(what, calls);
        }));
    }

    private void issue(Call call) {
        NDArray[] out = call.out();
        NDArray[] in = call.in();
        int me = rank();
        switch (call.kind()) {
            case BROADCAST -> broadcast(out[0], out[0], call.root());
            case ALL_REDUCE -> {
                long at = address(out[0]);
                int type = type(out[0]);
                int code = nccl.allReduce(at, at, count(out[0]), type, op(call), handle.comm(), queue.stream());
                handle.took(code, "ncclAllReduce");
            }
            case REDUCE -> reduce(out[0], out[0], call, call.root());
            case REDUCE_SCATTER -> {
                for (int r = 0; r < out.length; r++) reduce(out[r], in[0], call, r);
            }
            case ALL_GATHER -> {
                for (int r = 0; r < in.length; r++) broadcast(r == me ? out[0] : in[r], in[r], r);
            }
            case GATHER -> {
                send(out[0], call.root());
                if (me == call.root()) for (int r = 0; r < in.length; r++) receive(in[r], r);
            }
            case SCATTER -> {
                if (me == call.root()) for (int r = 0; r < out.length; r++) send(out[r], r);
                receive(in[0], call.root());
            }
            case ALL_TO_ALL -> {
                for (int r = 0; r < out.length; r++) send(out[r], r);
                for (int r = 0; r < in.length; r++) receive(in[r], r);
            }
            case BARRIER, ALL_REDUCE_VALUES, SPLIT -> throw new IllegalArgumentException(call.describe());
        }
    }

    private void broadcast(NDArray from, NDArray to, int root) {
        if (to.size() == 0) return;
        int code = nccl.broadcast(address(from), address(to), count(to), type(to), root, handle.comm(), queue.stream());
        handle.took(code, "ncclBroadcast");
    }

    private void reduce(NDArray from, NDArray to, Call call, int root) {
        if (from.size() == 0) return;
        int code = nccl.reduce(
                address(from), address(to), count(from), type(from), op(call), root, handle.comm(), queue.stream());
        handle.took(code, "ncclReduce");
    }

    private void send(NDArray data, int peer) {
        if (data.size() == 0) return;
        int code = nccl.send(address(data), count(data), type(data), peer, handle.comm(), queue.stream());
        handle.took(code, "ncclSend");
    }

    private void receive(NDArray data, int peer) {
        if (data.size() == 0) return;
        int code = nccl.recv(address(data), count(data), type(data), peer, handle.comm(), queue.stream());
        handle.took(code, "ncclRecv");
    }

    private static int op(Call call) {
        return switch (Objects.requireNonNull(call.op())) {
            case SUM -> Nccl.SUM;
            case PROD -> Nccl.PROD;
            case MIN -> Nccl.MIN;
            case MAX -> Nccl.MAX;
        };
    }

    private static int type(NDArray array) {
        return switch (array.dtype()) {
            case U8 -> Nccl.UINT8;
            case I32 -> Nccl.INT32;
            case I64 -> Nccl.INT64;
            case F32, C64 -> Nccl.FLOAT32;
            case F64, C128 -> Nccl.FLOAT64;
        };
    }

    private static long count(NDArray array) {
        return array.dtype().isComplex() ? 2 * array.size() : array.size();
    }

    /** On the device; nobody waits, since the ledger orders the work that uses it. */
    private static long address(NDArray array) {
        return array.buffer().address()
                - array.buffer().offset()
                + array.region().offset();
    }

    @Override
    void perform(Call call) {
        base.perform(call);
    }

    @Override
    Request begin(Call call, Occupation memory) {
        return base.begin(call, memory);
    }

    @Override
    Communicator divide(Call call) {
        CheckedCommunicator part = (CheckedCommunicator) base.divide(call);
        return new NcclCommunicator(part, this, device, nccl);
    }

    @Override
    Request done() {
        return DONE;
    }

    @Override
    void carry(NDArray data, int destination, int tag) {
        base.carry(data, destination, tag);
    }

    @Override
    void accept(NDArray data, int source, int tag) {
        base.accept(data, source, tag);
    }

    @Override
    void exchange(NDArray send, int destination, NDArray receive, int source, int tag) {
        base.exchange(send, destination, receive, source, tag);
    }

    @Override
    Request beginCarry(NDArray data, int destination, int tag, Occupation memory) {
        return base.beginCarry(data, destination, tag, memory);
    }

    @Override
    Request beginAccept(NDArray data, int source, int tag, Occupation memory) {
        return base.beginAccept(data, source, tag, memory);
    }

    @Override
    boolean performInPieces(Call call) {
        return base.performInPieces(call);
    }

    @Override
    boolean carryInPieces(NDArray data, int destination, int tag) {
        return base.carryInPieces(data, destination, tag);
    }

    @Override
    boolean acceptInPieces(NDArray data, int source, int tag) {
        return base.acceptInPieces(data, source, tag);
    }

    @Override
    Request beginCarry(NDArray copy, int destination, int tag, Occupation memory, Staged staged) {
        return base.beginCarry(copy, destination, tag, memory, staged);
    }

    @Override
    Request beginAccept(NDArray copy, int source, int tag, Occupation memory, Staged staged) {
        return base.beginAccept(copy, source, tag, memory, staged);
    }

    @Override
    void free() {
        handle.watch().end(queue.submit(List.of(), () -> {}));
        if (ownsBase) base.free();
    }
}
