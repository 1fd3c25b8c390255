package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Access;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rank's call of a collective: what it hands over and where it wants to receive. */
final class Call implements Demand, Operation {
    static final int NO_ROOT = -1;
    private static final NDArray[] NONE = {};
    /** Stands for the call of a rank that has not come yet. */
    static final Call ABSENT = barrier();

    private final CallKind kind;
    private final int root;
    private final NDArray[] out;
    private final NDArray[] in;
    private @Nullable ReduceOp op;
    private double[] values = {};
    private int count;
    private int colour;
    private int key;

    private Call(CallKind kind, @Nullable ReduceOp op, int root, NDArray[] out, NDArray[] in) {
        this.kind = kind;
        this.op = op;
        this.root = root;
        this.out = out;
        this.in = in;
    }

    static Call barrier() {
        return new Call(CallKind.BARRIER, null, NO_ROOT, NONE, NONE);
    }

    static Call broadcast(NDArray data, int root) {
        NDArray[] arrays = {data};
        return new Call(CallKind.BROADCAST, null, root, arrays, arrays);
    }

    static Call allReduce(NDArray data, ReduceOp op) {
        NDArray[] arrays = {data};
        return new Call(CallKind.ALL_REDUCE, op, NO_ROOT, arrays, arrays);
    }

    static Call reduce(NDArray data, ReduceOp op, int root) {
        NDArray[] arrays = {data};
        return new Call(CallKind.REDUCE, op, root, arrays, arrays);
    }

    static Call reduceScatter(NDArray[] parts, NDArray into, ReduceOp op) {
        return new Call(CallKind.REDUCE_SCATTER, op, NO_ROOT, parts, new NDArray[] {into});
    }

    static Call allGather(NDArray part, NDArray[] into) {
        return new Call(CallKind.ALL_GATHER, null, NO_ROOT, new NDArray[] {part}, into);
    }

    static Call gather(NDArray part, NDArray[] into, int root) {
        return new Call(CallKind.GATHER, null, root, new NDArray[] {part}, into);
    }

    static Call scatter(NDArray[] parts, NDArray into, int root) {
        return new Call(CallKind.SCATTER, null, root, parts, new NDArray[] {into});
    }

    static Call allToAll(NDArray[] parts, NDArray[] into) {
        return new Call(CallKind.ALL_TO_ALL, null, NO_ROOT, parts, into);
    }

    static Call split(int colour, int key) {
        Call call = new Call(CallKind.SPLIT, null, NO_ROOT, NONE, NONE);
        call.colour = colour;
        call.key = key;
        return call;
    }

    /** A call that {@link #reuse} fills anew each time, so that the smallest reductions allocate nothing. */
    static Call values() {
        return new Call(CallKind.ALL_REDUCE_VALUES, ReduceOp.SUM, NO_ROOT, NONE, NONE);
    }

    void reuse(double[] newValues, int newCount, ReduceOp newOp) {
        values = newValues;
        count = newCount;
        op = newOp;
    }

    @Override
    public CallKind kind() {
        return kind;
    }

    @Override
    public int root() {
        return root;
    }

    @Override
    public @Nullable ReduceOp op() {
        return op;
    }

    NDArray[] out() {
        return out;
    }

    NDArray[] in() {
        return in;
    }

    double[] doubles() {
        return values;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int colour() {
        return colour;
    }

    @Override
    public int key() {
        return key;
    }

    /** Whether a rank changes the arrays that it hands over: it gets the result there. */
    private boolean writesOut(int rank) {
        return switch (kind) {
            case ALL_REDUCE -> true;
            case REDUCE -> rank == root;
            case BROADCAST -> rank != root;
            default -> false;
        };
    }

    /** Whether the arrays that a rank receives in are those that it hands over. */
    boolean isInPlace() {
        return kind == CallKind.ALL_REDUCE || kind == CallKind.REDUCE || kind == CallKind.BROADCAST;
    }

    /** What the call does to the memory of a rank. */
    List<Access> accesses(int rank) {
        List<Access> accesses = new ArrayList<>(out.length + in.length);
        boolean writes = writesOut(rank);
        for (NDArray array : out) accesses.add(new Access(array.buffer(), array.region(), writes));
        if (!isInPlace()) for (NDArray array : in) accesses.add(new Access(array.buffer(), array.region(), true));
        return accesses;
    }

    /** The same call with other arrays where the communicator cannot reach its own. */
    Call within(Substitutes staged, int rank) {
        boolean reads = kind != CallKind.BROADCAST || rank == root;
        NDArray[] newOut = staged.reachable(out, reads, writesOut(rank));
        return new Call(kind, op, root, newOut, isInPlace() ? newOut : staged.reachable(in, false, true));
    }

    /** Whether the host can address none of the arrays. */
    boolean isOfDevicesOnly() {
        for (NDArray array : out) if (array.buffer().isHostAddressable()) return false;
        for (NDArray array : in) if (array.buffer().isHostAddressable()) return false;
        return true;
    }

    /** Waits until the rank's arrays are free for the call. */
    void awaitMemory(int rank) {
        boolean writes = writesOut(rank);
        for (NDArray array : out) CheckedCommunicator.awaitMemory(array, writes);
        if (!isInPlace()) for (NDArray array : in) CheckedCommunicator.awaitMemory(array, true);
    }

    @Override
    public @Nullable DType dtype() {
        if (out.length > 0) return out[0].dtype();
        return in.length > 0 ? in[0].dtype() : null;
    }

    @Override
    public int givers() {
        return out.length;
    }

    @Override
    public long gives(int part) {
        return out[part].size();
    }

    @Override
    public int takers() {
        return in.length;
    }

    @Override
    public long takes(int part) {
        return in[part].size();
    }

    @Override
    public String describe() {
        return Demand.super.describe();
    }
}
