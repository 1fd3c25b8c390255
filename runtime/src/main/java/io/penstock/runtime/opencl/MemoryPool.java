package io.penstock.runtime.opencl;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemorySize;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Reclaimer;
import io.penstock.runtime.Shortage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Memory of one kind of a device. What is freed is kept for later allocations of about the same size, up to a quarter of the
 * limit. Sizes are rounded up to four an octave, at least 256 bytes apart.
 */
final class MemoryPool implements Allocation.Free {
    private static final long STEP = 256;
    /** From which size on it is kept who has allocated a block. */
    private static final long LARGE = 1 << 20;

    /** Makes and unmakes blocks; a block is known by an address or handle. */
    interface Source {
        /** A new block; zero when there is too little memory. */
        long make(long bytes);

        void release(long block);
    }

    private final String what;
    private final long limit;
    private final Source source;
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);
    private final TreeMap<Long, Blocks> free = new TreeMap<>();
    private volatile long live;
    private long pooled;
    private long buffers;

    /** Free blocks of one size. */
    private static final class Blocks {
        private long[] blocks = new long[4];
        private int count;

        void push(long block) {
            if (count == blocks.length) blocks = Arrays.copyOf(blocks, 2 * count);
            blocks[count++] = block;
        }

        long pop() {
            return blocks[--count];
        }
    }

    /**
     * A pool without blocks.
     *
     * @param what the memory's name, for messages
     * @param limit how many bytes may be in use and pooled together
     */
    MemoryPool(String what, long limit, Source source) {
        this.what = what;
        this.limit = limit;
        this.source = source;
    }

    private long live() {
        return live;
    }

    /** The size of block that serves a request. */
    static long size(long bytes) {
        long octave = Long.highestOneBit(Math.max(bytes - 1, 1));
        long step = Math.max(octave / 4, STEP);
        long size = (Math.max(bytes, 1) + step - 1) / step * step;
        if (size < bytes) throw new DeviceMemoryException("asked for " + bytes + " bytes, more than can be addressed");
        return size;
    }

    /**
     * A block of at least {@code bytes} bytes, of unspecified content.
     *
     * @throws DeviceMemoryException when there is too little memory even once all that nobody uses is given back
     */
    long take(long bytes) {
        long size = size(bytes);
        shortage.foresee();
        long block = tryTake(size);
        if (block == 0) {
            Reclaimer.drain();
            block = tryTake(size);
        }
        if (block == 0)
            block = shortage.take(() -> {
                Reclaimer.drain();
                return tryTake(size);
            });
        if (block == 0) throw outOfMemory(bytes);
        if (size >= LARGE) owners.add(block, bytes);
        return block;
    }

    private long tryTake(long size) {
        List<Long> gone = new ArrayList<>(0);
        synchronized (this) {
            long block = pooledBlock(size);
            if (block != 0) {
                pooled -= size;
                live += size;
                buffers++;
                return block;
            }
            if (size > limit - live - pooled) trim(size - (limit - live - pooled), gone);
            if (size > limit - live - pooled) {
                // What was trimmed is given back all the same: it is of no use here.
                releaseAll(gone);
                return 0;
            }
            live += size;
            buffers++;
        }
        releaseAll(gone);
        long block = 0;
        try {
            block = make(size);
        } finally {
            if (block == 0) forget(size);
        }
        return block;
    }

    private long make(long size) {
        long block = source.make(size);
        if (block != 0) return block;
        emptyPool();
        return source.make(size);
    }

    private synchronized void forget(long size) {
        live -= size;
        buffers--;
    }

    private long pooledBlock(long size) {
        Blocks blocks = free.get(size);
        if (blocks == null) return 0;
        long block = blocks.pop();
        if (blocks.count == 0) free.remove(size);
        return block;
    }

    /** Takes out pooled blocks, largest first, until {@code wanted} bytes have gone. */
    private void trim(long wanted, List<Long> gone) {
        long left = wanted;
        while (left > 0 && !free.isEmpty()) {
            long size = free.lastKey();
            gone.add(pooledBlock(size));
            pooled -= size;
            left -= size;
        }
    }

    private void emptyPool() {
        List<Long> gone = new ArrayList<>();
        synchronized (this) {
            trim(Long.MAX_VALUE, gone);
        }
        releaseAll(gone);
    }

    private void releaseAll(List<Long> gone) {
        for (long block : gone) source.release(block);
    }

    @Override
    public void free(long block, long bytes) {
        long size = size(bytes);
        if (size >= LARGE) owners.remove(block);
        List<Long> gone = new ArrayList<>(0);
        synchronized (this) {
            live -= size;
            buffers--;
            pooled += size;
            free.computeIfAbsent(size, s -> new Blocks()).push(block);
            if (pooled > limit / 4) trim(pooled - limit / 8, gone);
        }
        shortage.freed();
        releaseAll(gone);
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, pooled, limit, buffers);
    }

    private DeviceMemoryException outOfMemory(long bytes) {
        MemoryUse use = use();
        return new DeviceMemoryException("out of " + what + ": asked for " + MemorySize.describe(bytes) + ", free "
                + MemorySize.describe(Math.max(0, use.limit() - use.live())) + " of which pooled "
                + MemorySize.describe(use.pooled()) + ", live " + MemorySize.describe(use.live()) + " in "
                + use.buffers() + " arrays, limit " + MemorySize.describe(use.limit()) + owners.describe()
                + "; close arrays (or use a Scope), or raise -Dpenstock.opencl.memory.limit (such as 8g)");
    }
}
