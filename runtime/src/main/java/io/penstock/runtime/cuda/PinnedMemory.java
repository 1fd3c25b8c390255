package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_OUT_OF_MEMORY;
import static io.penstock.foreign.CudaValues.CU_MEMHOSTALLOC_PORTABLE;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Reclaimer;
import io.penstock.runtime.Shortage;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Host memory that the copy engines of all devices of the driver reach. Since to pin memory takes milliseconds, freed blocks are
 * kept for reuse, and are given back only when there is too little.
 */
final class PinnedMemory implements Allocation.Free {
    private static final long SMALLEST = 256;

    /** From this size on it is remembered who has allocated a block. */
    private static final long OWNED = 1 << 20;

    private final CudaDevice device;
    private final long limit;
    private final TreeMap<Long, ArrayDeque<Long>> kept = new TreeMap<>();
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);
    private long live;
    private long pooled;
    private long buffers;

    PinnedMemory(CudaDevice device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    /** Four sizes an octave. */
    private static long size(long bytes) {
        if (bytes <= SMALLEST) return SMALLEST;
        long step = Math.max(Long.highestOneBit(bytes - 1) / 4, SMALLEST);
        return (bytes + step - 1) / step * step;
    }

    private synchronized long live() {
        return live;
    }

    /** Memory of unspecified content. */
    long take(long bytes) {
        shortage.foresee();
        long address = tryTake(bytes);
        if (address == 0) address = shortage.take(() -> tryTakeFreed(bytes));
        if (address == 0) throw device.outOfMemory("pinned host", bytes, use(), owners);
        device.backend().claims().take(address, bytes);
        if (bytes >= OWNED) owners.add(address, bytes);
        return address;
    }

    private long tryTakeFreed(long bytes) {
        Reclaimer.drain();
        return tryTake(bytes);
    }

    private synchronized long tryTake(long bytes) {
        long size = size(bytes);
        if (size > limit - live) return 0;
        ArrayDeque<Long> blocks = kept.get(size);
        long address = blocks == null || blocks.isEmpty() ? 0 : blocks.pop();
        if (address != 0) {
            pooled -= size;
        } else {
            if (size > limit - live - pooled) giveBackKept();
            address = ask(size);
            if (address == 0) {
                giveBackKept();
                address = ask(size);
            }
        }
        if (address == 0) return 0;
        live += size;
        buffers++;
        return address;
    }

    private long ask(long size) {
        CallingThread thread = device.context().enter();
        int code = device.context().calls().memHostAlloc(thread.answer(), size, CU_MEMHOSTALLOC_PORTABLE);
        if (code == CUDA_ERROR_OUT_OF_MEMORY) return 0;
        device.check(code, "cuMemHostAlloc");
        return thread.answered(0);
    }

    private void giveBackKept() {
        for (Map.Entry<Long, ArrayDeque<Long>> entry : kept.entrySet())
            for (long address : entry.getValue()) {
                device.check(device.context().calls().memFreeHost(address), "cuMemFreeHost");
                pooled -= entry.getKey();
            }
        kept.clear();
    }

    @Override
    public void free(long address, long bytes) {
        device.backend().claims().giveBack(address);
        if (bytes >= OWNED) owners.remove(address);
        long size = size(bytes);
        synchronized (this) {
            kept.computeIfAbsent(size, s -> new ArrayDeque<>()).push(address);
            live -= size;
            pooled += size;
            buffers--;
        }
        shortage.freed();
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, pooled, limit, buffers);
    }
}
