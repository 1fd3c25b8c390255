package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.array.DType;
import io.penstock.foreign.Mpi;
import io.penstock.foreign.MpiAbi;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How much a message brought, which its status tells: read from there, where that was seen to say the same as {@code MPI_Get_count},
 * which the smallest messages notice, and else by that function.
 */
final class MpiCounts {
    /** Bytes of the messages to itself by which the short way is tried. */
    private static final int[] TRIED = {5, 0, 3};

    private final Mpi mpi;
    private final MpiAbi abi;
    /** Where in a status the number of bytes is read; -1 when it is not. */
    private final int at;

    /** For a library that has been initialised. */
    MpiCounts(MpiLibrary library) {
        this.mpi = library.mpi();
        this.abi = library.abi();
        int claimed = abi.statusCountAt();
        this.at = claimed >= 0 && isSeenAt(claimed) ? claimed : -1;
    }

    private boolean isSeenAt(int place) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(128, 8);
            long status = cells.address() + 64;
            for (int bytes : TRIED) if (!isSeenAt(place, bytes, cells, status)) return false;
            return true;
        }
    }

    private boolean isSeenAt(int place, int bytes, MemorySegment cells, long status) {
        long type = abi.types().uint8();
        long request = cells.address();
        long data = request + 16;
        long counted = request + 8;
        if (mpi.isend(data, bytes, type, 0, 0, abi.commSelf(), request) != 0) return false;
        boolean came = mpi.recv(data + 16, bytes + 1L, type, 0, 0, abi.commSelf(), status) == 0
                && mpi.getCount(status, type, counted) == 0
                && HostMemory.ALL.get(JAVA_INT, status + place) == cells.get(JAVA_INT, 8);
        return mpi.wait(request, status) == 0 && came;
    }

    /** Whether the message whose status is in a slot has as many elements as it must; one that is longer is an error of MPI's before. */
    boolean isWhole(long slot, DType dtype, long type, long expected) {
        long bytes = expected * dtype.bytes();
        if (at >= 0 && bytes <= Integer.MAX_VALUE)
            return HostMemory.ALL.get(JAVA_INT, MpiSlots.status(slot) + at) == bytes;
        return count(slot, type) == expected;
    }

    /** How many elements came, negative when it is no whole number of them. */
    long count(long slot, long type) {
        long cell = MpiSlots.count(slot);
        int code = mpi.getCount(MpiSlots.status(slot), type, cell);
        return code == 0 ? HostMemory.ALL.get(JAVA_INT, cell) : -1;
    }
}
