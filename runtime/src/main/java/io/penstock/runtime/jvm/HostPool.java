package io.penstock.runtime.jvm;

import io.penstock.foreign.Libc;
import io.penstock.runtime.Allocation;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemoryUse;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Host memory outside the Java heap, 64-byte aligned, over huge pages, kept for reuse when freed.
 *
 * <p>Blocks come in size classes of four steps an octave, so at most a quarter of a block is slack. Blocks of up to half a
 * chunk are cut from chunks that are never unmapped; larger ones are mapped alone and unmapped when the pool holds too much.
 */
final class HostPool implements Allocation.Free {
    private static final long CHUNK = 2L << 20;
    private static final long ALIGNMENT = 64;

    private final long limit;
    private final TreeMap<Long, ArrayDeque<Long>> free = new TreeMap<>();
    private long chunkNext;
    private long chunkEnd;
    private long live;
    private long pooled;
    private long buffers;

    HostPool(long limit) {
        this.limit = limit;
    }

    /** Four fifths of the memory that the operating system or container gives the process. */
    static long defaultLimit() {
        Long asked = Long.getLong("penstock.memory.limit");
        if (asked != null) return asked;
        long total = ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
        return total / 5 * 4;
    }

    /** A block of at least {@code bytes}, of unspecified content. */
    long take(long bytes) {
        long size = sizeClass(bytes);
        long address = tryTake(size);
        if (address != 0) return address;
        // Unreachable arrays are freed by the cleaner, which the collector feeds: give it a chance before giving up.
        for (int attempt = 0; attempt < 3 && address == 0; attempt++) {
            System.gc();
            try {
                Thread.sleep(20L << attempt);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            address = tryTake(size);
        }
        if (address != 0) return address;
        MemoryUse use = use();
        throw new DeviceMemoryException("out of host memory: asked for " + readable(bytes) + ", live "
                + readable(use.live()) + " in " + use.buffers() + " arrays, pooled " + readable(use.pooled())
                + ", limit " + readable(use.limit())
                + "; close arrays (or use a Scope), or raise -Dpenstock.memory.limit=BYTES");
    }

    private synchronized long tryTake(long size) {
        ArrayDeque<Long> blocks = free.get(size);
        if (blocks != null && !blocks.isEmpty()) {
            pooled -= size;
            live += size;
            buffers++;
            return blocks.pop();
        }
        if (live + pooled + size > limit) trim(size);
        if (live + pooled + size > limit) return 0;
        long address = size <= CHUNK / 2 ? cut(size) : map(size);
        if (address == 0) return 0;
        live += size;
        buffers++;
        return address;
    }

    @Override
    public synchronized void free(long address, long bytes) {
        long size = sizeClass(bytes);
        live -= size;
        buffers--;
        free.computeIfAbsent(size, s -> new ArrayDeque<>()).push(address);
        pooled += size;
        if (pooled > Math.max(limit / 4, CHUNK)) trim(pooled / 2);
    }

    /** Unmaps pooled blocks, largest first, until about {@code wanted} bytes have gone. */
    private void trim(long wanted) {
        long gone = 0;
        for (Map.Entry<Long, ArrayDeque<Long>> entry : free.descendingMap().entrySet()) {
            long size = entry.getKey();
            if (size <= CHUNK / 2) return;
            while (gone < wanted && !entry.getValue().isEmpty()) {
                Libc.munmap(entry.getValue().pop(), size);
                pooled -= size;
                gone += size;
            }
            if (gone >= wanted) return;
        }
    }

    private long cut(long size) {
        if (chunkEnd - chunkNext < size) {
            long chunk = map(CHUNK);
            if (chunk == 0) return 0;
            chunkNext = chunk;
            chunkEnd = chunk + CHUNK;
        }
        long address = chunkNext;
        chunkNext += size;
        return address;
    }

    /** Maps {@code size} bytes, aligned to a huge page so that the first and the last page can be huge too. */
    private static long map(long size) {
        long padded = size + CHUNK;
        long raw = Libc.mmap(
                0,
                padded,
                Libc.PROT_READ | Libc.PROT_WRITE,
                Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS | Libc.MAP_NORESERVE,
                -1,
                0);
        if (raw == Libc.MAP_FAILED) return 0;
        long address = (raw + CHUNK - 1) & -CHUNK;
        if (address > raw) Libc.munmap(raw, address - raw);
        long end = address + size;
        if (raw + padded > end) Libc.munmap(end, raw + padded - end);
        Libc.madvise(address, size, Libc.MADV_HUGEPAGE);
        return address;
    }

    /** The block size for a request: a multiple of 64 bytes, above a chunk of whole chunks. */
    static long sizeClass(long bytes) {
        if (bytes <= ALIGNMENT) return ALIGNMENT;
        long octave = Long.highestOneBit(bytes - 1);
        long step = Math.max(octave / 4, ALIGNMENT);
        if (octave >= CHUNK / 2) step = Math.max(Math.min(step, 16 * CHUNK), CHUNK);
        long size = (bytes + step - 1) / step * step;
        if (size < bytes) throw new DeviceMemoryException("asked for " + bytes + " bytes, more than can be addressed");
        return size;
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, pooled, limit, buffers);
    }

    private static String readable(long bytes) {
        if (bytes < 1 << 20) return bytes + " bytes";
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }
}
