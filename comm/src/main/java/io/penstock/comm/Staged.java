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

    /** An array and what stands for it. */
    private record Copy(NDArray array, NDArray copy, boolean written) {}

    /** The queues by which one rank copies, one for each device. */
    static final class Staging {
        private final Map<Device, Queue> queues = new HashMap<>();

        private Queue queue(Device device) {
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
        if (occupied) Occupation.serving(() -> queue.during(() -> move(from, to)));
        else queue.during(() -> move(from, to));
    }

    /** Elements are brought into order in the device's own memory, since kernels may not reach what is pinned. */
    private static void move(NDArray from, NDArray to) {
        NDArray source = from.contiguous();
        if (to.isContiguous()) to.set(source);
        else
            try (NDArray there = NDArray.empty(to.device(), to.kind(), to.dtype(), to.shape())) {
                there.set(source);
                to.set(there);
            }
        if (source != from) source.close();
    }

    /** Brings what was received to where it belongs; it is there when this returns. */
    void arrived() {
        for (Copy each : copies) if (each.written) copy(each.copy, each.array);
        for (Copy each : copies) {
            if (each.written) staging.queue(each.array.device()).await();
            each.copy.close();
        }
        copies.clear();
    }
}
