package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Occupation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rank's end of a group: checks what it is asked before anything is sent, counts it, keeps account of what was begun, and
 * leaves the carrying out to its kind.
 */
abstract class CheckedCommunicator implements Communicator {
    /** The tag of messages that are part of an exchange. */
    private static final int EXCHANGE = 0x4a11;

    /** What MPI promises of every library. */
    private static final int MOST_TAG = 32_767;

    private final RankState me;
    private final TrafficCounter traffic;
    private final Call valuesCall = Call.values();
    private final Reductions.Group reductions = (values, count) -> allReduce(values, count, ReduceOp.SUM);
    private final @Nullable CheckedCommunicator parent;
    private final Set<CheckedCommunicator> children = new LinkedHashSet<>();
    private final Outstanding outstanding = new Outstanding();
    private boolean closed;

    CheckedCommunicator(RankState me, @Nullable CheckedCommunicator parent) {
        this.me = me;
        this.parent = parent;
        this.traffic = new TrafficCounter(parent == null ? null : parent.traffic);
        if (parent != null) parent.children.add(this);
    }

    // What a kind of communicator does -----------------------------------------------------------------------------

    /** Throws when the ranks have failed. */
    abstract void checkAlive();

    /** Carries out a collective. */
    abstract void perform(Call call);

    /** Begins a collective on memory that is free for it; the request is among {@link #outstanding} until it has been awaited. */
    abstract Request begin(Call call, Occupation memory);

    /** Carries out a split. */
    abstract Communicator divide(Call call);

    /** Sends and returns once the array may be used again. */
    abstract void carry(NDArray data, int destination, int tag);

    /** Receives. */
    abstract void accept(NDArray data, int source, int tag);

    /** Sends and receives at the same time. */
    abstract void exchange(NDArray send, int destination, NDArray receive, int source, int tag);

    /** Begins to send. */
    abstract Request beginCarry(NDArray data, int destination, int tag, Occupation memory);

    /** Begins to receive. */
    abstract Request beginAccept(NDArray data, int source, int tag, Occupation memory);

    /** Carries out a collective on arrays that cannot be reached, in pieces; false when nothing was done. */
    boolean performInPieces(Call call) {
        return false;
    }

    /** Sends an array that cannot be reached, in pieces; false when nothing was done. */
    boolean carryInPieces(NDArray data, int destination, int tag) {
        return false;
    }

    /** Receives an array that cannot be reached, in pieces; false when nothing was done. */
    boolean acceptInPieces(NDArray data, int source, int tag) {
        return false;
    }

    /** Begins to send a copy that is being made. */
    Request beginCarry(NDArray copy, int destination, int tag, Occupation memory, Staged staged) {
        awaitMemory(copy, false);
        return beginCarry(copy, destination, tag, memory);
    }

    /** Begins to receive in a copy. */
    Request beginAccept(NDArray copy, int source, int tag, Occupation memory, Staged staged) {
        return beginAccept(copy, source, tag, memory);
    }

    /** Submits a collective to a queue, where the arrays are such that one carries it out; false when nothing was done. */
    boolean enqueue(Call call) {
        return false;
    }

    /** What stands for a call that was submitted to a queue. */
    Request done() {
        throw new IllegalStateException("the " + name() + " submits nothing");
    }

    /** Submits an exchange to a queue; false when nothing was done. */
    boolean enqueue(List<Envelope> sends, List<Envelope> receives) {
        return false;
    }

    /** A call of NCCL's has waited on this rank's device, where it is first, for other ranks. */
    void waitsOnDevice(String what, long nanos, RanksOptions options) {}

    /** Whether a call may be given an array where it lies; others are staged through memory that the host can address. */
    boolean reaches(NDArray array, @Nullable Call call, boolean waits) {
        return array.buffer().isHostAddressable();
    }

    /** Frees what the kind holds. */
    abstract void free();

    RankState me() {
        return me;
    }

    Outstanding outstanding() {
        return outstanding;
    }

    @Override
    public Traffic traffic() {
        return traffic.read();
    }

    @Override
    public Reductions.Group reductions() {
        return reductions;
    }

    // Collectives --------------------------------------------------------------------------------------------------

    @Override
    public void barrier() {
        collective(Call.barrier(), 0);
    }

    @Override
    public void broadcast(NDArray data, int root) {
        collective(broadcastCall(data, root), rank() == root ? bytes(data) : 0);
    }

    @Override
    public void allReduce(NDArray data, ReduceOp op) {
        collective(allReduceCall(data, op), bytes(data));
    }

    @Override
    public void allReduce(double[] values, int count, ReduceOp op) {
        Objects.requireNonNull(values, "values is null");
        Objects.requireNonNull(op, "op is null");
        if (count < 0 || count > values.length)
            throw new IllegalArgumentException(
                    "count is " + count + "; expected 0 to " + values.length + ", the length of values");
        valuesCall.reuse(values, count, op);
        collective(valuesCall, 8L * count);
    }

    @Override
    public void reduce(NDArray data, ReduceOp op, int root) {
        checkReducible(data, op);
        collective(Call.reduce(data, op, checkRank(root, "root")), bytes(data));
    }

    @Override
    public void reduceScatter(List<NDArray> parts, NDArray into, ReduceOp op) {
        checkReducible(into, op);
        NDArray[] out = perRank(parts, "parts", into.dtype());
        collective(Call.reduceScatter(out, into, op), bytes(out, -1));
    }

    @Override
    public void allGather(NDArray part, List<NDArray> into) {
        collective(allGatherCall(part, into), bytes(part));
    }

    @Override
    public void gather(NDArray part, List<NDArray> into, int root) {
        Objects.requireNonNull(part, "part is null");
        boolean isRoot = rank() == checkRank(root, "root");
        NDArray[] in = isRoot ? perRank(into, "into", part.dtype()) : new NDArray[0];
        collective(Call.gather(part, in, root), isRoot ? 0 : bytes(part));
    }

    @Override
    public void scatter(List<NDArray> parts, NDArray into, int root) {
        Objects.requireNonNull(into, "into is null");
        boolean isRoot = rank() == checkRank(root, "root");
        NDArray[] out = isRoot ? perRank(parts, "parts", into.dtype()) : new NDArray[0];
        collective(Call.scatter(out, into, root), bytes(out, rank()));
    }

    @Override
    public void allToAll(List<NDArray> parts, List<NDArray> into) {
        Call call = allToAllCall(parts, into);
        collective(call, bytes(call.out(), rank()));
    }

    @Override
    public Request ibarrier() {
        return begin(Call.barrier(), 0);
    }

    @Override
    public Request ibroadcast(NDArray data, int root) {
        return begin(broadcastCall(data, root), rank() == root ? bytes(data) : 0);
    }

    @Override
    public Request iallReduce(NDArray data, ReduceOp op) {
        return begin(allReduceCall(data, op), bytes(data));
    }

    @Override
    public Request iallGather(NDArray part, List<NDArray> into) {
        return begin(allGatherCall(part, into), bytes(part));
    }

    @Override
    public Request iallToAll(List<NDArray> parts, List<NDArray> into) {
        Call call = allToAllCall(parts, into);
        return begin(call, bytes(call.out(), rank()));
    }

    @Override
    public Communicator split(int colour, int key) {
        if (colour < 0) throw new IllegalArgumentException("colour is " + colour + "; expected 0 or more");
        Call call = Call.split(colour, key);
        count(call, 0);
        return divide(call);
    }

    private Call broadcastCall(NDArray data, int root) {
        Objects.requireNonNull(data, "data is null");
        return Call.broadcast(data, checkRank(root, "root"));
    }

    private static Call allReduceCall(NDArray data, ReduceOp op) {
        checkReducible(data, op);
        return Call.allReduce(data, op);
    }

    private Call allGatherCall(NDArray part, List<NDArray> into) {
        Objects.requireNonNull(part, "part is null");
        return Call.allGather(part, perRank(into, "into", part.dtype()));
    }

    private Call allToAllCall(List<NDArray> parts, List<NDArray> into) {
        NDArray[] out = perRank(parts, "parts", null);
        return Call.allToAll(out, perRank(into, "into", out[0].dtype()));
    }

    private void collective(Call call, long bytes) {
        count(call, bytes);
        if (enqueue(call)) return;
        if (reachesAll(call, true)) {
            call.awaitMemory(rank());
            perform(call);
            return;
        }
        if (performInPieces(call)) return;
        Staged staged = new Staged(me.staging(), false, array -> reaches(array, call, true));
        Call reachable = call.within(staged, rank());
        reachable.awaitMemory(rank());
        perform(reachable);
        staged.arrived();
    }

    private Request begin(Call call, long bytes) {
        count(call, bytes);
        if (enqueue(call)) return done();
        Occupation memory = Occupation.begin(call.describe(), call.accesses(rank()));
        try {
            if (reachesAll(call, false)) return begin(call, memory);
            Staged staged = new Staged(me.staging(), true, array -> reaches(array, call, false));
            Call reachable = call.within(staged, rank());
            reachable.awaitMemory(rank());
            memory.finish(staged::arrived);
            return begin(reachable, memory);
        } catch (RuntimeException | Error e) {
            memory.end(e);
            throw e;
        }
    }

    private void count(Call call, long bytes) {
        for (NDArray array : call.out()) requireOpen(array);
        for (NDArray array : call.in()) requireOpen(array);
        Overlap.check(call, rank());
        checkOpen();
        me.entered(call);
        traffic.sent(bytes);
    }

    // Messages -----------------------------------------------------------------------------------------------------

    @Override
    public void send(NDArray data, int destination, int tag) {
        sending(data, destination, tag);
        if (reaches(data, null, true)) {
            awaitMemory(data, false);
            carry(data, destination, tag);
            return;
        }
        if (carryInPieces(data, destination, tag)) return;
        Staged staged = staged(true);
        NDArray reachable = staged.reachable(data, true, false);
        awaitMemory(reachable, false);
        carry(reachable, destination, tag);
        staged.arrived();
    }

    @Override
    public void receive(NDArray data, int source, int tag) {
        checkMessage(data, source, "source", tag);
        if (reaches(data, null, true)) {
            awaitMemory(data, true);
            accept(data, source, tag);
            return;
        }
        if (acceptInPieces(data, source, tag)) return;
        Staged staged = staged(true);
        NDArray reachable = staged.reachable(data, false, true);
        awaitMemory(reachable, true);
        accept(reachable, source, tag);
        staged.arrived();
    }

    @Override
    public void sendReceive(NDArray send, int destination, NDArray receive, int source, int tag) {
        checkMessage(receive, source, "source", tag);
        checkMessage(send, destination, "destination", tag);
        Overlap.check(send, receive);
        traffic.sent(bytes(send));
        Staged staged = staged(true);
        NDArray out = staged.reachable(send, true, false);
        NDArray in = staged.reachable(receive, false, true);
        awaitMemory(out, false);
        awaitMemory(in, true);
        exchange(out, destination, in, source, tag);
        staged.arrived();
    }

    @Override
    public Request isend(NDArray data, int destination, int tag) {
        sending(data, destination, tag);
        Occupation memory = Occupation.begin("send", List.of(new Access(data.buffer(), data.region(), false)));
        try {
            if (reaches(data, null, false)) return beginCarry(data, destination, tag, memory);
            Staged staged = staged(false);
            NDArray reachable = staged.reachable(data, true, false);
            memory.finish(staged::arrived);
            return beginCarry(reachable, destination, tag, memory, staged);
        } catch (RuntimeException | Error e) {
            memory.end(e);
            throw e;
        }
    }

    @Override
    public Request ireceive(NDArray data, int source, int tag) {
        checkMessage(data, source, "source", tag);
        Occupation memory = Occupation.begin("receive", List.of(new Access(data.buffer(), data.region(), true)));
        try {
            if (reaches(data, null, false)) return beginAccept(data, source, tag, memory);
            Staged staged = staged(false);
            NDArray reachable = staged.reachable(data, false, true);
            memory.finish(staged::arrived);
            return beginAccept(reachable, source, tag, memory, staged);
        } catch (RuntimeException | Error e) {
            memory.end(e);
            throw e;
        }
    }

    @Override
    public Request iexchange(List<Envelope> sends, List<Envelope> receives) {
        for (Envelope each : receives) checkMessage(each.array(), each.rank(), "the rank of an envelope", EXCHANGE);
        for (Envelope each : sends) checkMessage(each.array(), each.rank(), "the rank of an envelope", EXCHANGE);
        Overlap.check(sends, receives);
        if (enqueue(sends, receives)) {
            for (Envelope each : sends) traffic.sent(bytes(each.array()));
            return done();
        }
        List<Request> requests = new ArrayList<>(sends.size() + receives.size());
        for (Envelope each : receives) requests.add(ireceive(each.array(), each.rank(), EXCHANGE));
        for (Envelope each : sends) requests.add(isend(each.array(), each.rank(), EXCHANGE));
        return Request.all(requests);
    }

    @Override
    public boolean isQueued(NDArray array) {
        return false;
    }

    boolean reachesAll(Call call, boolean waits) {
        for (NDArray array : call.out()) if (!reaches(array, call, waits)) return false;
        for (NDArray array : call.in()) if (!reaches(array, call, waits)) return false;
        return true;
    }

    private Staged staged(boolean waits) {
        return new Staged(me.staging(), !waits, array -> reaches(array, null, waits));
    }

    /** Waits until the host, which MPI and other ranks are, may use an array: for the work in conflict and for nothing else. */
    static void awaitMemory(NDArray array, boolean writes) {
        Buffer buffer = array.buffer();
        if (buffer.isBusy()) buffer.await(array.region(), writes);
    }

    private void sending(NDArray data, int destination, int tag) {
        checkMessage(data, destination, "destination", tag);
        traffic.sent(bytes(data));
    }

    private void checkMessage(NDArray data, int peer, String what, int tag) {
        Objects.requireNonNull(data, "data is null");
        checkRank(peer, what);
        checkTag(tag);
        requireOpen(data);
        checkOpen();
    }

    // Checks -------------------------------------------------------------------------------------------------------

    private void checkOpen() {
        if (closed) throw new IllegalStateException("the " + name() + " was closed on rank " + rank());
        checkAlive();
    }

    /**
     * Refuses an array that was freed, before anything is sent: those who carry out a call rely on its memory, which may be another
     * array's by now.
     */
    private static void requireOpen(NDArray array) {
        array.buffer().address();
    }

    private int checkRank(int value, String what) {
        if (value < 0 || value >= size())
            throw new IllegalArgumentException(
                    what + " is " + value + "; expected 0 to " + (size() - 1) + " in the " + name());
        return value;
    }

    private static void checkTag(int tag) {
        if (tag < 0 || tag > MOST_TAG)
            throw new IllegalArgumentException("tag is " + tag + "; expected 0 to " + MOST_TAG);
    }

    private static void checkReducible(NDArray data, ReduceOp op) {
        Objects.requireNonNull(data, "data is null");
        Objects.requireNonNull(op, "op is null");
        if (data.dtype().isComplex() && (op == ReduceOp.MIN || op == ReduceOp.MAX))
            throw new IllegalArgumentException("op is " + op + " for elements of " + data.dtype()
                    + "; expected SUM or PROD, complex numbers have no order");
    }

    private NDArray[] perRank(List<NDArray> arrays, String what, @Nullable DType dtype) {
        Objects.requireNonNull(arrays, what + " is null");
        if (arrays.size() != size())
            throw new IllegalArgumentException(what + " has " + arrays.size() + " arrays; expected " + size()
                    + ", one for each rank of the " + name());
        NDArray[] result = arrays.toArray(new NDArray[0]);
        DType expected = dtype == null ? result[0].dtype() : dtype;
        for (int r = 0; r < result.length; r++) {
            if (Objects.requireNonNull(result[r], what + " holds null").dtype() != expected)
                throw new IllegalArgumentException(what + "[" + r + "] is of type " + result[r].dtype() + "; expected "
                        + expected + " like the others");
        }
        return result;
    }

    static long bytes(NDArray array) {
        return array.size() * array.dtype().bytes();
    }

    /** The bytes of all arrays except the one that stays. */
    private static long bytes(NDArray[] arrays, int staying) {
        long sum = 0;
        for (int r = 0; r < arrays.length; r++) if (r != staying) sum += bytes(arrays[r]);
        return sum;
    }

    // End ----------------------------------------------------------------------------------------------------------

    /** Does not wait for the other ranks: a rank that closes because it failed must get to say so. */
    @Override
    public void close() {
        if (closed) return;
        closed = true;
        requireAllAwaited("closed the " + name());
        if (parent != null) parent.children.remove(this);
        free();
    }

    /** Checks, at the end of a rank's program, that nothing was begun and left. */
    void finish() {
        requireAllAwaited("ended");
        checkAlive();
    }

    /** Lets go of what was begun, once the ranks have failed and nobody touches this rank's arrays. */
    void abandon() {
        outstanding.abandon();
        children.forEach(CheckedCommunicator::abandon);
    }

    private void requireAllAwaited(String what) {
        List<String> left = new ArrayList<>();
        collectOutstanding(left);
        if (!left.isEmpty())
            throw new CommunicatorException("rank " + me.rank() + " " + what + " without awaiting what it had begun: "
                    + String.join("; ", left));
    }

    private void collectOutstanding(List<String> into) {
        into.addAll(outstanding.describe());
        for (CheckedCommunicator child : children) child.collectOutstanding(into);
    }

    @Override
    public String toString() {
        return "rank " + rank() + " of " + name();
    }
}
