package io.penstock.kernel.jvm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A few vectors' worth of memory for each thread, through which vectors are taken apart into lanes and put together again. */
public final class Scratch {
    /** The bytes of a place for one vector; no vector is longer. */
    static final int PLACE = 64;

    private static final int PLACES = 64;
    private static final ThreadLocal<MemorySegment> MEMORY =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate((long) PLACE * PLACES, PLACE));

    private Scratch() {}

    /** The calling thread's; valid while the thread lives. */
    public static long address() {
        return MEMORY.get().address();
    }
}
