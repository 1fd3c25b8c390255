package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of all ranks land, as MPI describes it: one address, and for each rank a count and a displacement in
 * elements. Arrays that are contiguous are received in directly, wherever each of them lies.
 */
final class Landing {
    private final NDArray[] into;
    private final @Nullable Parcel packed;
    private final long base;
    private final Buffer table;
    private final long counts;
    private final long displacements;

    /**
     * Describes arrays of one element type.
     *
     * @param large whether counts and displacements are longs rather than ints
     */
    Landing(NDArray[] into, boolean large) {
        this.into = into;
        int width = large ? Long.BYTES : Integer.BYTES;
        long direct = base(into, large);
        this.packed = direct < 0 ? Parcel.buffered(into) : null;
        this.base = packed == null ? direct : packed.address();
        this.table = Parcel.buffer(2L * width * into.length);
        this.counts = table.address();
        this.displacements = counts + (long) width * into.length;
        long next = 0;
        for (int r = 0; r < into.length; r++) {
            long size = into[r].size();
            boolean elsewhere = packed == null && size > 0;
            long at = elsewhere
                    ? (Parcel.place(into[r], true) - base) / into[r].dtype().bytes()
                    : next;
            if (large) {
                HostMemory.ALL.set(JAVA_LONG, counts + 8L * r, size);
                HostMemory.ALL.set(JAVA_LONG, displacements + 8L * r, at);
            } else {
                HostMemory.ALL.set(JAVA_INT, counts + 4L * r, (int) size);
                HostMemory.ALL.set(JAVA_INT, displacements + 4L * r, (int) at);
            }
            next += packed == null ? 0 : size;
        }
    }

    /** The address that all arrays can be described from; -1 when they must go through a buffer. */
    private static long base(NDArray[] into, boolean large) {
        long first = Long.MAX_VALUE;
        for (NDArray array : into) {
            if (!array.isContiguous()) return -1;
            if (array.size() > 0) first = Math.min(first, Parcel.place(array, true));
        }
        if (first == Long.MAX_VALUE) return Parcel.place(into[0], true);
        int bytes = into[0].dtype().bytes();
        for (NDArray array : into) {
            long away = Parcel.place(array, true) - first;
            boolean described = away % bytes == 0 && (large || away / bytes <= Mpi.mostInt());
            if (array.size() > 0 && !described) return -1;
        }
        return first;
    }

    /** Whether what a rank contributes lies where it is to land already. */
    boolean holds(NDArray part, int rank) {
        return packed == null
                && part.isContiguous()
                && part.size() > 0
                && Parcel.place(part, false) == Parcel.place(into[rank], true);
    }

    long base() {
        return base;
    }

    long counts() {
        return counts;
    }

    long displacements() {
        return displacements;
    }

    /** Puts what was received where it belongs, and gives the memory back. */
    void arrived() {
        if (packed != null) packed.arrived();
        table.close();
    }
}
