package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * Contiguous copies, in the memory of the same device, of arrays that have gaps. The copies are work of the queue that the call goes to,
 * before it and after it, and nobody waits for them.
 */
final class Packed implements Substitutes {
    private final Queue queue;
    private final List<Copy> copies = new ArrayList<>(0);

    /** An array and what stands for it. */
    private record Copy(NDArray array, NDArray copy, boolean written) {}

    /** For a call on a queue. */
    Packed(Queue queue) {
        this.queue = queue;
    }

    @Override
    public NDArray reachable(NDArray array, boolean reads, boolean writes) {
        if (array.isContiguous()) return array;
        NDArray copy = Scope.outside(() -> NDArray.empty(array.device(), array.kind(), array.dtype(), array.shape()));
        copies.add(new Copy(array, copy, writes));
        if (reads) queue.during(() -> copy.set(array));
        return copy;
    }

    /** Submits what brings the results to where they belong, and lets go of the copies. */
    void submitted() {
        for (Copy each : copies) {
            if (each.written) queue.during(() -> each.array.set(each.copy));
            each.copy.close();
        }
    }
}
