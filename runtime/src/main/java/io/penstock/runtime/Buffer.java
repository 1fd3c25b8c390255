package io.penstock.runtime;

import java.lang.foreign.MemorySegment;

/**
 * A range of bytes of one allocation on a device. Slices share the allocation; closing any of them frees it for all.
 *
 * <p>Not for concurrent closing: whoever closes a buffer must know that no other thread still uses it.
 */
public final class Buffer implements AutoCloseable {
    private final Allocation allocation;
    private final long offset;
    private final long bytes;

    private Buffer(Allocation allocation, long offset, long bytes) {
        this.allocation = allocation;
        this.offset = offset;
        this.bytes = bytes;
    }

    /** The whole of an allocation. */
    public static Buffer whole(Allocation allocation) {
        return new Buffer(allocation, 0, allocation.bytes());
    }

    /** The device whose memory this is. */
    public Device device() {
        return allocation.device();
    }

    /** The kind of memory this is. */
    public MemoryKind kind() {
        return allocation.kind();
    }

    /** How many bytes the range has. */
    public long bytes() {
        return bytes;
    }

    /** The allocation that the range is part of. */
    public Allocation allocation() {
        return allocation;
    }

    /** Whether the allocation was closed, so that nothing new may use it. */
    public boolean isClosed() {
        return allocation.isClosed();
    }

    /** Where the range begins within its allocation. */
    public long offset() {
        return offset;
    }

    /**
     * The address of the first byte in the device's address space.
     *
     * @throws IllegalStateException when the buffer was closed
     */
    public long address() {
        return allocation.address() + offset;
    }

    /** Whether the host can address the memory. */
    public boolean isHostAddressable() {
        return allocation.isHostAddressable();
    }

    /**
     * The address of the first byte as the host sees it.
     *
     * @throws IllegalStateException when the buffer was closed, or the host cannot address its memory
     */
    public long hostAddress() {
        return allocation.hostAddress() + offset;
    }

    /**
     * A part of this range.
     *
     * @throws IndexOutOfBoundsException when the part does not lie within this range
     */
    public Buffer slice(long from, long length) {
        if (from < 0 || length < 0 || from > bytes - length)
            throw new IndexOutOfBoundsException("slice of " + length + " bytes at " + from
                    + " does not lie within a buffer of " + bytes + " bytes");
        return new Buffer(allocation, offset + from, length);
    }

    /**
     * Whether work may be under way on the allocation; when it is not, there is no need for {@link #await}. Costs next to nothing.
     */
    public boolean isBusy() {
        return allocation.isBusy();
    }

    /**
     * Blocks the calling thread until it may use bytes of the allocation itself: until no work that was submitted before and
     * touches them is under way, or none that writes them when the thread only reads. Within work that has declared the
     * allocation, returns at once.
     *
     * @param region the bytes, counted from the beginning of the allocation
     * @param writes whether the thread may write
     * @throws RuntimeException what such work has thrown, unless somebody was told before
     */
    public void await(Region region, boolean writes) {
        allocation.await(region, writes);
    }

    /**
     * The bytes as a native segment, for memory that the host can address, once no work is under way on them; it is valid until the buffer is closed.
     * Work submitted later knows nothing of what is done through the segment.
     */
    public MemorySegment segment() {
        long address = hostAddress();
        if (isBusy()) await(Region.contiguous(offset, bytes), true);
        return HostMemory.ALL.asSlice(address, bytes);
    }

    /** Frees the allocation. Closing again does nothing. */
    @Override
    public void close() {
        allocation.close();
    }
}
