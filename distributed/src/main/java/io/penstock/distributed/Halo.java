package io.penstock.distributed;

import io.penstock.array.NDArray;
import io.penstock.comm.Envelope;
import io.penstock.comm.Request;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows beyond its own block that each rank needs of a distributed array, and the exchange that brings them.
 *
 * <p>"Rows" are slices along the axis that the array is cut along, whichever it is. Who sends which rows to whom follows from the
 * layout, so every rank computes it for itself and only the rows travel: at most one message from one rank to another, all of
 * them under way at once, however many ranks a halo reaches across. Own rows are neither copied nor sent to oneself, so work on
 * them can go on between {@link #start} and {@link #finish}.
 *
 * <p>Rows in a device's memory travel through pinned memory, by copies on a queue of their own: they wait for what wrote the rows
 * and not for what was submitted since, so work that is submitted between {@link #start} and {@link #finish} runs meanwhile. Where the ranks'
 * communicator is NCCL's, rows travel from device to device instead, as one exchange.
 *
 * <p>The memory for received rows is allocated once, with the halo, and belongs to the scope that was open then. A halo holds
 * one exchange at a time and is used by one thread a rank.
 */
public final class Halo implements AutoCloseable {
    private static final int TAG = 0x4a10;

    /** The queues by which a thread copies rows, one for each device. */
    private static final ThreadLocal<Map<Device, Queue>> COPIES = ThreadLocal.withInitial(HashMap::new);

    private final DistributedSpace space;
    private final NDArray before;
    private final NDArray after;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final List<Incoming> incoming = new ArrayList<>();
    private final List<Request> underway = new ArrayList<>();
    private boolean started;

    /** Whether the exchange under way is the devices' business. */
    private boolean queued;

    /**
     * Rows {@code from} to {@code to} of the own part, which rank {@code destination} needs.
     *
     * @param packed what they are copied to before they travel; null where they travel as they are
     */
    private record Outgoing(
            int destination, long from, long to, @Nullable NDArray packed) {}

    /**
     * Where the rows that come from rank {@code source} go.
     *
     * @param landing what receives them, {@code rows} itself or what is copied there then
     */
    private record Incoming(int source, NDArray rows, NDArray landing) {}

    private Halo(DistributedSpace space, long[] from, long[] to) {
        SpaceCheck.compare(space);
        this.space = space;
        Layout layout = space.layout();
        int axis = layout.axis();
        int me = space.ranks().rank();
        long start = layout.start(me);
        long end = layout.end(me);
        before = slab(start - from[me]);
        after = slab(to[me] - end);
        for (int r = 0; r < layout.ranks(); r++) {
            if (r == me) continue;
            long theirStart = layout.start(r);
            long theirEnd = layout.end(r);
            send(r, Math.max(from[r], start), Math.min(theirStart, end), start);
            send(r, Math.max(theirEnd, start), Math.min(to[r], end), start);
            receive(r, before, axis, Math.max(theirStart, from[me]), Math.min(theirEnd, start), from[me]);
            receive(r, after, axis, Math.max(theirStart, end), Math.min(theirEnd, to[me]), end);
        }
    }

    private NDArray slab(long rows) {
        long[] shape = space.layout().dims();
        shape[space.layout().axis()] = rows;
        return space.local().reshape(shape).empty();
    }

    private void send(int rank, long from, long to, long start) {
        if (from >= to) return;
        NDArray packed = isOnDevice() ? pinned(to - from) : null;
        outgoing.add(new Outgoing(rank, from - start, to - start, packed));
    }

    private void receive(int rank, NDArray slab, int axis, long from, long to, long origin) {
        if (from >= to) return;
        NDArray rows = slab.slice(axis, from - origin, to - origin);
        incoming.add(new Incoming(rank, rows, isOnDevice() ? pinned(to - from) : rows));
    }

    private boolean isOnDevice() {
        return !space.device().equals(Device.jvm());
    }

    private NDArray pinned(long rows) {
        long[] shape = space.layout().dims();
        shape[space.layout().axis()] = rows;
        return NDArray.empty(space.device(), MemoryKind.PINNED, space.dtype(), shape);
    }

    /**
     * The halo of a stencil: every rank that owns rows needs the {@code before} rows ahead of its block and the {@code after}
     * rows behind it, as far as the array has them.
     *
     * @throws IllegalArgumentException when a width is negative or the space is replicated
     */
    public static Halo of(DistributedSpace space, long before, long after) {
        requireCut(space);
        if (before < 0 || after < 0)
            throw new IllegalArgumentException(
                    "the halo's widths are " + before + " and " + after + "; expected 0 or more");
        Layout layout = space.layout();
        long rows = layout.dim(layout.axis());
        long[] from = new long[layout.ranks()];
        long[] to = new long[layout.ranks()];
        for (int r = 0; r < from.length; r++) {
            boolean owns = layout.block(r) > 0;
            from[r] = layout.start(r) - (owns ? Math.min(before, layout.start(r)) : 0);
            to[r] = layout.end(r) + (owns ? Math.min(after, rows - layout.end(r)) : 0);
        }
        return new Halo(space, from, to);
    }

    /**
     * A halo that may differ from rank to rank.
     *
     * @param from for each rank, the first row that it needs, not behind its block's first
     * @param to for each rank, the end of the rows that it needs, exclusive, not ahead of its block's end; both arrays must be
     *     the same on every rank
     * @throws IllegalArgumentException when a range does not cover the rank's block or leaves the array, or the space is
     *     replicated
     */
    public static Halo of(DistributedSpace space, long[] from, long[] to) {
        requireCut(space);
        Layout layout = space.layout();
        long rows = layout.dim(layout.axis());
        if (from.length != layout.ranks() || to.length != layout.ranks())
            throw new IllegalArgumentException("from and to have " + from.length + " and " + to.length
                    + " entries; expected one for each of " + layout.ranks() + " ranks");
        for (int r = 0; r < from.length; r++)
            if (from[r] < 0 || from[r] > layout.start(r) || to[r] < layout.end(r) || to[r] > rows)
                throw new IllegalArgumentException("rank " + r + " needs rows " + from[r] + " to " + to[r]
                        + "; expected a range that covers its block, " + layout.start(r) + " to " + layout.end(r)
                        + ", within 0 to " + rows);
        return new Halo(space, from, to);
    }

    private static void requireCut(DistributedSpace space) {
        Objects.requireNonNull(space, "space is null");
        if (space.layout().isReplicated())
            throw new IllegalArgumentException(
                    "space is of " + space + "; expected arrays cut along an axis, replicated ones have no halo");
    }

    /** The space of the arrays whose rows are exchanged. */
    public DistributedSpace space() {
        return space;
    }

    /**
     * The rows ahead of this rank's block, in order; filled by {@link #finish}. Clipped where the array begins, so that it may
     * have fewer rows than were asked for, or none.
     */
    public NDArray before() {
        return before;
    }

    /** The rows behind this rank's block, in order; filled by {@link #finish}. Clipped where the array ends. */
    public NDArray after() {
        return after;
    }

    /**
     * Starts the exchange; all of this rank's messages are under way when it returns, those of rows in a device's memory once these
     * are copied, at the latest in {@link #finish}. {@code x} must not be changed, and {@link #before} and {@link #after} not be
     * read, until {@link #finish}; work that is submitted to queues may do both. A collective.
     *
     * @throws IllegalArgumentException when {@code x} lies in another space
     * @throws IllegalStateException when an exchange is under way already
     */
    public void start(DistributedArray x) {
        space.check(x, "x");
        if (started) throw new IllegalStateException("an exchange is under way; finish() it before another start()");
        started = true;
        int axis = space.layout().axis();
        NDArray local = x.local();
        queued = space.ranks().isQueued(local);
        if (queued) {
            queue(local);
            return;
        }
        for (Incoming in : incoming) underway.add(space.ranks().ireceive(in.landing, in.source, TAG));
        for (Outgoing out : outgoing) {
            NDArray rows = local.slice(axis, out.from, out.to);
            if (out.packed == null) underway.add(space.ranks().isend(rows, out.destination, TAG));
            else copies().during(() -> move(rows, out.packed));
        }
    }

    /** Between GPUs: one group of messages, on the devices in its order, for which nobody waits. */
    private void queue(NDArray local) {
        int axis = space.layout().axis();
        List<Envelope> sends = new ArrayList<>(outgoing.size());
        List<Envelope> receives = new ArrayList<>(incoming.size());
        for (Outgoing out : outgoing) sends.add(new Envelope(out.destination, local.slice(axis, out.from, out.to)));
        for (Incoming in : incoming) receives.add(new Envelope(in.source, in.rows));
        underway.add(space.ranks().iexchange(sends, receives));
    }

    /** Waits until the messages are done; does nothing when this rank has none under way. */
    public void finish() {
        if (!started) return;
        try {
            for (Outgoing out : outgoing)
                if (out.packed != null && !queued) underway.add(space.ranks().isend(out.packed, out.destination, TAG));
            Request.awaitAll(underway);
        } finally {
            underway.clear();
            started = false;
        }
        for (Incoming in : incoming)
            if (in.landing != in.rows && !queued) copies().during(() -> move(in.landing, in.rows));
    }

    /** Rows with gaps are brought into order in the device's own memory, since kernels may not reach what is pinned. */
    private static void move(NDArray from, NDArray to) {
        NDArray source = from.contiguous();
        if (to.isContiguous()) to.set(source);
        else
            try (NDArray there = to.space().empty()) {
                there.set(source);
                to.set(there);
            }
        if (source != from) source.close();
    }

    private Queue copies() {
        return COPIES.get().computeIfAbsent(space.device(), Device::newQueue);
    }

    /** {@link #start} and {@link #finish} at once. */
    public void exchange(DistributedArray x) {
        start(x);
        finish();
    }

    /** Frees the memory for received rows. The halo cannot be used afterwards. */
    @Override
    public void close() {
        before.close();
        after.close();
        for (Outgoing out : outgoing) if (out.packed != null) out.packed.close();
        for (Incoming in : incoming) in.landing.close();
    }

    @Override
    public String toString() {
        int axis = space.layout().axis();
        return "halo of " + before.dim(axis) + " rows before and " + after.dim(axis) + " after rank "
                + space.ranks().rank() + "'s block of " + space;
    }
}
