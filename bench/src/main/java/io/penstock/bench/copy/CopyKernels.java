package io.penstock.bench.copy;

import io.penstock.kernel.Floats;
import io.penstock.kernel.WorkItem;

/** The kernels of the case, as a user would write them. */
final class CopyKernels {
    private CopyKernels() {}

    /** Copies one column of an array to another, both given whole. */
    static void copyColumn(WorkItem at, Floats to, Floats from, int column) {
        to.set(at.x(), column, from.get(at.x(), column));
    }

    /** Copies one array to another. */
    static void copyAll(WorkItem at, Floats to, Floats from) {
        to.set(at.x(), from.get(at.x()));
    }
}
