package io.penstock.runtime;

import java.util.Objects;

/**
 * One use that a piece of work makes of memory: which bytes of which allocation, and whether it may change them.
 *
 * @param buffer a range of the allocation, which bounds {@code region}
 * @param region the bytes, counted from the beginning of the allocation
 * @param writes whether the work may write them; reading and writing counts as writing
 */
public record Access(Buffer buffer, Region region, boolean writes) {
    /** Checks that the region lies within the allocation. */
    public Access {
        Objects.requireNonNull(buffer, "buffer is null");
        if (region.end() > buffer.allocation().bytes())
            throw new IllegalArgumentException("region ends at byte " + region.end() + "; expected at most "
                    + buffer.allocation().bytes() + ", the size of the allocation");
    }

    /** Reads all of a buffer. */
    public static Access read(Buffer buffer) {
        return new Access(buffer, Region.contiguous(buffer.offset(), buffer.bytes()), false);
    }

    /** Writes, and perhaps reads, all of a buffer. */
    public static Access write(Buffer buffer) {
        return new Access(buffer, Region.contiguous(buffer.offset(), buffer.bytes()), true);
    }

    /** Reads part of a buffer; the region counts from the buffer's beginning. */
    public static Access read(Buffer buffer, Region within) {
        return new Access(buffer, shifted(buffer, within), false);
    }

    /** Writes, and perhaps reads, part of a buffer; the region counts from the buffer's beginning. */
    public static Access write(Buffer buffer, Region within) {
        return new Access(buffer, shifted(buffer, within), true);
    }

    private static Region shifted(Buffer buffer, Region within) {
        if (within.end() > buffer.bytes())
            throw new IllegalArgumentException("region ends at byte " + within.end() + "; expected at most "
                    + buffer.bytes() + ", the buffer's size");
        return new Region(buffer.offset() + within.offset(), within.rowBytes(), within.rows(), within.stride());
    }
}
