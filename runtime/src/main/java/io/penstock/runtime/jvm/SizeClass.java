package io.penstock.runtime.jvm;

import io.penstock.runtime.DeviceMemoryException;

/**
 * The block sizes that requests are rounded up to: four an octave, at least 64 bytes apart, so that less than a quarter of a
 * block, or less than 64 bytes of it, is slack; above {@link #LARGEST_SMALL} whole huge pages, with less than a quarter or less
 * than a huge page of slack.
 */
final class SizeClass {
    /** What all block sizes are multiples of: a cache line, and the widest vector. */
    static final long ALIGNMENT = 64;
    /** The largest block that is cut from a chunk that it shares with others. */
    static final long LARGEST_SMALL = Pages.HUGE / 2;
    /** How many sizes there are up to {@link #LARGEST_SMALL}. */
    static final int SMALL = index(LARGEST_SMALL) + 1;

    private SizeClass() {}

    /** The block size for a request. */
    static long of(long bytes) {
        if (bytes <= ALIGNMENT) return ALIGNMENT;
        long octave = Long.highestOneBit(bytes - 1);
        long step = Math.max(octave / 4, ALIGNMENT);
        if (octave >= LARGEST_SMALL) step = Math.clamp(step, Pages.HUGE, 16 * Pages.HUGE);
        long size = (bytes + step - 1) / step * step;
        if (size < bytes) throw new DeviceMemoryException("asked for " + bytes + " bytes, more than can be addressed");
        return size;
    }

    /** The number of a small block size among all of them, from 0. */
    static int index(long size) {
        if (size <= 4 * ALIGNMENT) return (int) (size / ALIGNMENT) - 1;
        int octave = 63 - Long.numberOfLeadingZeros(size - 1);
        int step = octave - 2;
        return 4 * (octave - 7) + (int) ((size - (1L << octave)) >> step) - 1;
    }

    /** The largest small block size that fits into {@code space} bytes, a positive multiple of {@link #ALIGNMENT}. */
    static long fitting(long space) {
        if (space >= LARGEST_SMALL) return LARGEST_SMALL;
        long step = Math.max(Long.highestOneBit(space) / 4, ALIGNMENT);
        return space / step * step;
    }
}
