package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Region;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes arrays across that MPI cannot reach, in pieces, by a small ring of pinned memory for each device: while one piece travels the
 * next is copied. Copies are work of the queue that stages, in order by the ledger, which also says when a piece has been copied.
 */
final class Ferry {
    /** Two pieces may travel while one is copied and one is ready. */
    static final int SLOTS = 4;

    private final Staged.Staging staging;
    private final long slotBytes;
    private final Map<Device, Buffer> rings = new HashMap<>();
    /** Rings of calls that failed, which MPI may still be writing to. */
    private final List<Buffer> lost = new ArrayList<>(0);

    /** How pieces travel, one after the other. */
    interface Passage {
        /** Begins to send or receive a piece. */
        void begin(long address, long count);

        /** Returns once the piece that began first, of those that have not ended, has gone or come. */
        void end();
    }

    /** For pieces of up to {@code slotBytes} bytes. */
    Ferry(Staged.Staging staging, long slotBytes) {
        this.staging = staging;
        this.slotBytes = slotBytes;
    }

    /** Sends an array. */
    void send(NDArray array, Pieces pieces, Passage passage) {
        Queue queue = staging.queue(array.device());
        NDArray[] ordered = {array};
        if (!array.isContiguous()) queue.during(() -> ordered[0] = array.contiguous());
        NDArray source = ordered[0];
        int count = pieces.count();
        guarded(array.device(), ring -> {
            for (int k = 0; k < Math.min(SLOTS - 1, count); k++) copyOut(source, pieces, k, ring, queue);
            for (int k = 0; k < count; k++) {
                passage.begin(ready(ring, k, false), pieces.size(k));
                if (k > 0) passage.end();
                if (k + SLOTS - 1 < count) copyOut(source, pieces, k + SLOTS - 1, ring, queue);
            }
            passage.end();
        });
        if (source != array) source.close();
    }

    /** Receives an array; it is there when this returns. */
    void receive(NDArray array, Pieces pieces, Passage passage) {
        Queue queue = staging.queue(array.device());
        NDArray target = array.isContiguous()
                ? array
                : NDArray.empty(array.device(), array.kind(), array.dtype(), array.shape());
        int count = pieces.count();
        guarded(array.device(), ring -> {
            for (int k = 0; k < Math.min(SLOTS - 1, count); k++) passage.begin(ready(ring, k, true), pieces.size(k));
            for (int k = 0; k < count; k++) {
                passage.end();
                copyIn(target, pieces, k, ring, queue);
                int next = k + SLOTS - 1;
                if (next < count) passage.begin(ready(ring, next, true), pieces.size(next));
            }
        });
        if (target != array) queue.during(() -> array.set(target));
        queue.await();
        if (target != array) target.close();
    }

    private interface Crossing {
        void by(Buffer ring);
    }

    private void guarded(Device device, Crossing crossing) {
        Buffer ring = rings.computeIfAbsent(
                device, on -> Scope.outside(() -> on.allocate(SLOTS * slotBytes, MemoryKind.PINNED)));
        boolean arrived = false;
        try {
            crossing.by(ring);
            arrived = true;
        } finally {
            if (!arrived) lost.add(rings.remove(device));
        }
    }

    /** The address of a piece's slot, once no copy is under way that whoever reads or writes it would meet. */
    private long ready(Buffer ring, int piece, boolean writes) {
        long offset = piece % SLOTS * slotBytes;
        if (ring.isBusy()) ring.await(Region.contiguous(ring.offset() + offset, slotBytes), writes);
        return ring.hostAddress() + offset;
    }

    private void copyOut(NDArray source, Pieces pieces, int piece, Buffer ring, Queue queue) {
        Buffer part = Pieces.part(source, pieces.from(piece), pieces.size(piece));
        Pieces.copy(queue, part, ring.slice(piece % SLOTS * slotBytes, part.bytes()));
    }

    private void copyIn(NDArray target, Pieces pieces, int piece, Buffer ring, Queue queue) {
        Buffer part = Pieces.part(target, pieces.from(piece), pieces.size(piece));
        Pieces.copy(queue, ring.slice(piece % SLOTS * slotBytes, part.bytes()), part);
    }
}
