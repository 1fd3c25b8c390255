package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Occupation;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The arrays of a call that its communicator cannot reach, such as those in a device's memory, as copies in pinned host memory.
 * Copies are work of a queue of their own, so they wait for nothing but what they conflict with, and nothing else waits for them.
 */
final class Staged implements Substitutes {
    private final Staging staging;
    private final Predicate<NDArray> reaches;
    private final boolean occupied;
    private final List<Copy> copies = new ArrayList<>();
    /** How many elements of the only array have been brought to where they belong. */
    private long landed;

    /** An array and what stands for it. */
    private record Copy(NDArray array, NDArray copy, boolean written) {}

    /** The queues by which one rank copies, one for each device. */
    static final class Staging {
        private final Map<Device, Queue> queues = new HashMap<>();

        Queue queue(Device device) {
            return queues.computeIfAbsent(device, Device::newQueue);
        }
    }

    /** For a call whose arrays are {@code occupied} already, or else are waited for by the copies. */
    Staged(Staging staging, boolean occupied, Predicate<NDArray> reaches) {
        this.staging = staging;
        this.occupied = occupied;
        this.reaches = reaches;
    }

    @Override
    public NDArray reachable(NDArray array, boolean reads, boolean writes) {
        if (reaches.test(array)) return array;
        NDArray copy =
                Scope.outside(() -> NDArray.empty(array.device(), MemoryKind.PINNED, array.dtype(), array.shape()));
        copies.add(new Copy(array, copy, writes));
        if (reads) copy(array, copy);
        return copy;
    }

    private void copy(NDArray from, NDArray to) {
        Queue queue = staging.queue(from.device());
        submit(queue, () -> move(queue, from, to));
    }

    private void submit(Queue queue, Runnable copies) {
        if (occupied) Occupation.serving(() -> queue.during(copies));
        else queue.during(copies);
    }

    /**
     * Elements are brought into order in the device's own memory, since kernels may not reach what is pinned. In pieces, so that the first
     * can travel when it is there.
     */
    private static void move(Queue queue, NDArray from, NDArray to) {
        NDArray source = from.contiguous();
        if (to.isContiguous()) movePieces(queue, source, to);
        else
            try (NDArray there = NDArray.empty(to.device(), to.kind(), to.dtype(), to.shape())) {
                movePieces(queue, source, there);
                to.set(there);
            }
        if (source != from) source.close();
    }

    private static void movePieces(Queue queue, NDArray from, NDArray to) {
        Pieces pieces =
                new Pieces(from.size(), Math.max(1, Pieces.BYTES / from.dtype().bytes()));
        for (int k = 0; k < pieces.count(); k++) movePart(queue, from, to, pieces.from(k), pieces.size(k));
    }

    private static void movePart(Queue queue, NDArray from, NDArray to, long at, long count) {
        if (count > 0) Pieces.copy(queue, Pieces.part(from, at, count), Pieces.part(to, at, count));
    }

    /**
     * Brings the next elements of the only array to where they belong, when that is known without waiting for the others; does not
     * wait until they are there.
     */
    void arrived(long count) {
        Copy only = copies.getFirst();
        if (!only.array.isContiguous()) return;
        Queue queue = staging.queue(only.array.device());
        submit(queue, () -> movePart(queue, only.copy, only.array, landed, count));
        landed += count;
    }

    /** Brings what was received to where it belongs; it is there when this returns. */
    void arrived() {
        for (Copy each : copies) if (each.written && landed == 0) copy(each.copy, each.array);
        for (Copy each : copies) {
            if (each.written) staging.queue(each.array.device()).await();
            each.copy.close();
        }
        copies.clear();
    }
}
