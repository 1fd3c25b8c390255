package io.penstock.comm;

import io.penstock.foreign.MpiAbi;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Native room for requests under way: for each, the handle, a flag, a count and a status. They are used again and again. */
final class MpiSlots {
    private static final int BYTES = 64;
    private static final int FLAG = 8;
    private static final int COUNT = 16;
    private static final int STATUS = 24;
    private static final int BATCH = 64;

    private final long requestNull;
    private long[] free = new long[BATCH];
    private int left;

    MpiSlots(MpiAbi abi) {
        this.requestNull = abi.requestNull();
        if (STATUS + abi.statusBytes() > BYTES)
            throw new IllegalArgumentException("a status of " + abi.statusBytes() + " bytes does not fit");
    }

    /** The address of a slot, its request null. */
    long take() {
        if (left == 0) {
            long batch = Arena.global().allocate((long) BYTES * BATCH, BYTES).address();
            for (int i = 0; i < BATCH; i++) free[left++] = batch + (long) i * BYTES;
        }
        long slot = free[--left];
        HostMemory.ALL.set(ValueLayout.JAVA_LONG, slot, requestNull);
        return slot;
    }

    void give(long slot) {
        if (left == free.length) free = Arrays.copyOf(free, 2 * left);
        free[left++] = slot;
    }

    static long flag(long slot) {
        return slot + FLAG;
    }

    static long count(long slot) {
        return slot + COUNT;
    }

    static long status(long slot) {
        return slot + STATUS;
    }
}
