package io.penstock.runtime;

import java.lang.foreign.MemorySegment;

/** Raw access to host memory, for code that has checked its bounds. */
public final class HostMemory {
    /**
     * All of the address space as one segment, indexed by raw address. It is a constant so that the compiler folds its checks
     * away: loops through it reach C's speed, which loops through a segment held in a field or passed as an argument do not.
     */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private HostMemory() {}
}
