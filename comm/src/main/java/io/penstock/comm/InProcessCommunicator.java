package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One rank's end of a group of threads in this JVM. */
final class InProcessCommunicator implements Communicator {
    private final InProcessGroup group;
    private final World world;
    private final RankState me;
    private final int rank;
    private final TrafficCounter traffic;
    private final Call valuesCall = Call.values();
    private final Reductions.Group reductions = (values, count) -> allReduce(values, count, ReduceOp.SUM);
    private final @Nullable InProcessCommunicator parent;
    private final Set<InProcessCommunicator> children = new LinkedHashSet<>();
    private final Outstanding outstanding = new Outstanding();
    private Rendezvous last;
    private boolean closed;

    InProcessCommunicator(InProcessGroup group, RankState me, @Nullable InProcessCommunicator parent) {
        this.parent = parent;
        if (parent != null) parent.children.add(this);
        this.group = group;
        this.world = group.world();
        this.me = me;
        this.rank = group.rankOf(me);
        this.traffic = new TrafficCounter(parent == null ? null : parent.traffic);
        this.last = group.start();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return group.size();
    }

    @Override
    public String name() {
        return group.name();
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
        collective(broadcastCall(data, root), rank == root ? bytes(data) : 0);
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
        boolean isRoot = rank == checkRank(root, "root");
        NDArray[] in = isRoot ? perRank(into, "into", part.dtype()) : new NDArray[0];
        collective(Call.gather(part, in, root), isRoot ? 0 : bytes(part));
    }

    @Override
    public void scatter(List<NDArray> parts, NDArray into, int root) {
        Objects.requireNonNull(into, "into is null");
        boolean isRoot = rank == checkRank(root, "root");
        NDArray[] out = isRoot ? perRank(parts, "parts", into.dtype()) : new NDArray[0];
        collective(Call.scatter(out, into, root), bytes(out, rank));
    }

    @Override
    public void allToAll(List<NDArray> parts, List<NDArray> into) {
        Call call = allToAllCall(parts, into);
        collective(call, bytes(call.out(), rank));
    }

    @Override
    public Request ibarrier() {
        return begin(Call.barrier(), 0);
    }

    @Override
    public Request ibroadcast(NDArray data, int root) {
        return begin(broadcastCall(data, root), rank == root ? bytes(data) : 0);
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
        return begin(call, bytes(call.out(), rank));
    }

    @Override
    public Communicator split(int colour, int key) {
        if (colour < 0) throw new IllegalArgumentException("colour is " + colour + "; expected 0 or more");
        Rendezvous met = collective(Call.split(colour, key), 0);
        return new InProcessCommunicator(met.divided(rank), me, this);
    }

    private Call broadcastCall(NDArray data, int root) {
        Objects.requireNonNull(data, "data is null");
        return Call.broadcast(data, checkRank(root, "root"));
    }

    private Call allReduceCall(NDArray data, ReduceOp op) {
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

    private Rendezvous collective(Call call, long bytes) {
        Rendezvous next = next(call, bytes);
        next.enter(rank, call);
        next.await(me);
        return next;
    }

    private Request begin(Call call, long bytes) {
        Rendezvous next = next(call, bytes);
        CollectiveRequest request = new CollectiveRequest(world, me, call, next, outstanding);
        outstanding.begin(request, call.arrays());
        next.request(rank, call);
        return request;
    }

    private Rendezvous next(Call call, long bytes) {
        checkOpen();
        me.entered(call);
        traffic.sent(bytes);
        last = group.after(last);
        return last;
    }

    // Messages -----------------------------------------------------------------------------------------------------

    @Override
    public void send(NDArray data, int destination, int tag) {
        post(outgoing(data, destination, tag)).await();
    }

    @Override
    public void receive(NDArray data, int source, int tag) {
        post(incoming(data, source, tag)).await();
    }

    @Override
    public void sendReceive(NDArray send, int destination, NDArray receive, int source, int tag) {
        Transfer incoming = incoming(receive, source, tag);
        Transfer outgoing = outgoing(send, destination, tag);
        post(incoming);
        post(outgoing);
        outgoing.await();
        incoming.await();
    }

    @Override
    public Request isend(NDArray data, int destination, int tag) {
        Transfer transfer = outgoing(data, destination, tag);
        outstanding.begin(transfer, List.of(data));
        return post(transfer);
    }

    @Override
    public Request ireceive(NDArray data, int source, int tag) {
        Transfer transfer = incoming(data, source, tag);
        outstanding.begin(transfer, List.of(data));
        return post(transfer);
    }

    private Transfer outgoing(NDArray data, int destination, int tag) {
        Objects.requireNonNull(data, "data is null");
        return Transfer.send(group, rank, checkRank(destination, "destination"), checkTag(tag), data, outstanding);
    }

    private Transfer incoming(NDArray data, int source, int tag) {
        Objects.requireNonNull(data, "data is null");
        return Transfer.receive(group, rank, checkRank(source, "source"), checkTag(tag), data, outstanding);
    }

    private Transfer post(Transfer transfer) {
        checkOpen();
        me.entered(transfer);
        if (transfer.isSend()) traffic.sent(transfer.bytes());
        transfer.post();
        return transfer;
    }

    // Checks -------------------------------------------------------------------------------------------------------

    private void checkOpen() {
        if (closed) throw new IllegalStateException("the " + name() + " was closed on rank " + rank);
        world.check();
    }

    private int checkRank(int value, String what) {
        if (value < 0 || value >= size())
            throw new IllegalArgumentException(
                    what + " is " + value + "; expected 0 to " + (size() - 1) + " in the " + name());
        return value;
    }

    private static int checkTag(int tag) {
        if (tag < 0) throw new IllegalArgumentException("tag is " + tag + "; expected 0 or more");
        return tag;
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

    private static long bytes(NDArray array) {
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
    }

    /** Checks, at the end of a rank's program, that nothing was begun and left. */
    void finish() {
        requireAllAwaited("ended");
        world.check();
    }

    /** Lets go of what was begun, once the ranks have failed and nobody touches this rank's arrays. */
    void abandon() {
        outstanding.abandon();
        children.forEach(InProcessCommunicator::abandon);
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
        for (InProcessCommunicator child : children) child.collectOutstanding(into);
    }
}
