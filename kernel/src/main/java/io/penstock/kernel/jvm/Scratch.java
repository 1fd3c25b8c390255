package io.penstock.kernel.jvm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of each thread for compiled kernels: first places for a few vectors, through which they are taken apart into lanes and
 * put together again, then what a group of items shares, items' own arrays, and what items keep over a barrier.
 */
public final class Scratch {
    /** The bytes of a place for one vector; no vector is longer. */
    static final int PLACE = 64;

    /** The bytes of all places. */
    public static final long PLACES = 64 * PLACE;

    private static final ThreadLocal<MemorySegment> MEMORY = ThreadLocal.withInitial(() -> allocate(PLACES));

    private Scratch() {}

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, PLACE);
    }

    /** The calling thread's, of at least so many bytes; valid until the thread asks for more, or ends. */
    public static long address(long bytes) {
        MemorySegment memory = MEMORY.get();
        if (memory.byteSize() < bytes) {
            memory = allocate(bytes);
            MEMORY.set(memory);
        }
        return memory.address();
    }
}
