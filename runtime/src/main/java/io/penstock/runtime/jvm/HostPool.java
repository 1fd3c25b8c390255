package io.penstock.runtime.jvm;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemorySize;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Shortage;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Host memory outside the Java heap, 64-byte aligned, over huge pages, kept for reuse when freed.
 *
 * <p>Small blocks are cut from chunks of one huge page, large ones are mapped alone. Freed blocks are kept until the pool holds
 * a quarter of the limit, then the largest are unmapped; chunks, once all their blocks are free, when the limit is reached.
 *
 * <p>The system is asked to map or unmap large blocks outside the lock, so nobody waits for that but who asked for it.
 */
final class HostPool implements Allocation.Free {
    private static final long CHUNK = Pages.HUGE;

    private final long limit;
    private final Pages pages;
    private final AddressStack[] small = new AddressStack[SizeClass.SMALL];
    private final TreeMap<Long, AddressStack> large = new TreeMap<>();
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);
    private long chunkNext;
    private long chunkEnd;
    /** Read without the lock as a hint. */
    private volatile long live;

    private long pooled;
    private long buffers;

    HostPool(long limit, Pages pages) {
        this.limit = limit;
        this.pages = pages;
        for (int k = 0; k < small.length; k++) small[k] = new AddressStack();
    }

    /** Four fifths of the memory that the operating system or container gives the process, unless a property says otherwise. */
    static long defaultLimit() {
        String asked = System.getProperty("penstock.memory.limit");
        if (asked != null) return MemorySize.parse("penstock.memory.limit", asked);
        long total = ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
        return total / 5 * 4;
    }

    /** A block of at least {@code bytes}, of unspecified content. */
    long take(long bytes) {
        long size = SizeClass.of(bytes);
        shortage.foresee();
        long address = tryTake(size);
        if (address == 0) address = shortage.take(() -> tryTake(size));
        if (address == 0) throw outOfMemory(bytes);
        if (size > SizeClass.LARGEST_SMALL) owners.add(address, bytes);
        return address;
    }

    private long live() {
        return live;
    }

    private long tryTake(long size) {
        Blocks gone = new Blocks();
        boolean reserved;
        synchronized (this) {
            long address = pooledBlock(size);
            if (address != 0) {
                pooled -= size;
                live += size;
                buffers++;
                return address;
            }
            long needed = size <= SizeClass.LARGEST_SMALL ? CHUNK : size;
            if (needed > free()) trim(needed - free(), gone);
            if (needed > free()) dropFreeChunks(gone);
            reserved = needed <= free();
            if (reserved) live += needed;
        }
        gone.unmap(pages);
        if (!reserved) return 0;
        return size <= SizeClass.LARGEST_SMALL ? cutNewChunk(size) : mapLarge(size);
    }

    private long free() {
        return limit - live - pooled;
    }

    private long pooledBlock(long size) {
        if (size > SizeClass.LARGEST_SMALL) {
            AddressStack blocks = large.get(size);
            return blocks == null ? 0 : blocks.pop();
        }
        long address = small[SizeClass.index(size)].pop();
        if (address == 0 && chunkEnd - chunkNext >= size) {
            address = chunkNext;
            chunkNext += size;
        }
        return address;
    }

    private long mapLarge(long size) {
        long address = pages.map(size);
        synchronized (this) {
            if (address == 0) live -= size;
            else buffers++;
        }
        return address;
    }

    /** Starts a chunk with a block of {@code size}; the rest of the chunk before it becomes free blocks. */
    private long cutNewChunk(long size) {
        long chunk = pages.map(CHUNK);
        synchronized (this) {
            live -= CHUNK;
            if (chunk == 0) return 0;
            while (chunkNext < chunkEnd) {
                long piece = SizeClass.fitting(chunkEnd - chunkNext);
                small[SizeClass.index(piece)].push(chunkNext);
                chunkNext += piece;
            }
            chunkNext = chunk + size;
            chunkEnd = chunk + CHUNK;
            pooled += CHUNK - size;
            live += size;
            buffers++;
            return chunk;
        }
    }

    private DeviceMemoryException outOfMemory(long bytes) {
        MemoryUse use = use();
        return new DeviceMemoryException("out of host memory: asked for " + MemorySize.describe(bytes) + ", free "
                + MemorySize.describe(Math.max(0, use.limit() - use.live())) + " of which pooled "
                + MemorySize.describe(use.pooled()) + ", live " + MemorySize.describe(use.live()) + " in "
                + use.buffers() + " arrays, limit " + MemorySize.describe(use.limit()) + owners.describe()
                + "; close arrays (or use a Scope), or raise -Dpenstock.memory.limit (such as 8g)");
    }

    @Override
    public void free(long address, long bytes) {
        long size = SizeClass.of(bytes);
        if (size > SizeClass.LARGEST_SMALL) owners.remove(address);
        Blocks gone = new Blocks();
        synchronized (this) {
            live -= size;
            buffers--;
            pooled += size;
            if (size > SizeClass.LARGEST_SMALL)
                large.computeIfAbsent(size, s -> new AddressStack()).push(address);
            else small[SizeClass.index(size)].push(address);
            if (size > SizeClass.LARGEST_SMALL && pooled > limit / 4) trim(pooled - limit / 8, gone);
        }
        shortage.freed();
        gone.unmap(pages);
    }

    /** Takes pooled large blocks out, largest first, until {@code wanted} bytes have gone. */
    private void trim(long wanted, Blocks gone) {
        long left = wanted;
        for (Map.Entry<Long, AddressStack> entry : large.descendingMap().entrySet()) {
            long size = entry.getKey();
            while (left > 0 && entry.getValue().size() > 0) {
                gone.add(entry.getValue().pop(), size);
                pooled -= size;
                left -= size;
            }
        }
        large.values().removeIf(blocks -> blocks.size() == 0);
    }

    /** Takes out the chunks whose blocks are all free; the cost is proportional to the number of free small blocks. */
    private void dropFreeChunks(Blocks gone) {
        Map<Long, Long> freeBytes = new HashMap<>();
        for (long size = SizeClass.ALIGNMENT; size <= SizeClass.LARGEST_SMALL; size = SizeClass.of(size + 1)) {
            AddressStack blocks = small[SizeClass.index(size)];
            for (int k = 0; k < blocks.size(); k++) freeBytes.merge(blocks.get(k) & -CHUNK, size, Long::sum);
        }
        Set<Long> empty = new HashSet<>();
        freeBytes.forEach((chunk, bytes) -> {
            if (bytes == CHUNK) empty.add(chunk);
        });
        if (empty.isEmpty()) return;
        for (AddressStack blocks : small) blocks.removeIf(address -> empty.contains(address & -CHUNK));
        for (long chunk : empty) gone.add(chunk, CHUNK);
        pooled -= empty.size() * CHUNK;
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, pooled, limit, buffers);
    }
}
