package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_OUT_OF_MEMORY;
import static io.penstock.foreign.CudaValues.CU_MEM_ATTACH_GLOBAL;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Reclaimer;
import io.penstock.runtime.Shortage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Memory that the host and all devices of the driver address alike, whose pages move to whoever touches them. Without consent it
 * never exceeds what the device could hold, since the driver never refuses it: what is too much is noticed when the system fails.
 */
final class UnifiedMemory implements Allocation.Free {
    /** To free managed memory the driver waits for the whole device, which no user's thread shall. */
    private static final ThreadPoolExecutor FREEING = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Thread.ofPlatform()
                    .daemon()
                    .name("penstock-cuda-freeing")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task));

    /** From this size on it is remembered who has allocated a block. */
    private static final long OWNED = 1 << 20;

    private final CudaDevice device;
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);
    private long live;
    private long buffers;

    UnifiedMemory(CudaDevice device) {
        this.device = device;
    }

    private synchronized long live() {
        return live;
    }

    /**
     * Memory of unspecified content.
     *
     * @param beyondFree whether there may be more than the device could hold
     */
    long take(long bytes, boolean beyondFree) {
        shortage.foresee();
        long address = tryTake(bytes, beyondFree);
        if (address == 0) address = shortage.take(() -> tryTakeFreed(bytes, beyondFree));
        if (address == 0)
            throw device.outOfMemory(
                    beyondFree ? "unified" : "unified (allocateBeyondFree exceeds what the device holds)",
                    bytes,
                    use(),
                    owners);
        device.backend().claims().take(address, bytes);
        if (bytes >= OWNED) owners.add(address, bytes);
        return address;
    }

    private long tryTakeFreed(long bytes, boolean beyondFree) {
        Reclaimer.drain();
        device.memory().trim();
        return tryTake(bytes, beyondFree);
    }

    private long tryTake(long bytes, boolean beyondFree) {
        long free = device.context().freeMemory();
        synchronized (this) {
            if (!beyondFree && live + bytes > Math.min(device.roomForUnified(), free + live)) return 0;
            live += bytes;
            buffers++;
        }
        CallingThread thread = device.context().enter();
        int code = device.context().calls().memAllocManaged(thread.answer(), Math.max(1, bytes), CU_MEM_ATTACH_GLOBAL);
        if (code == 0) return thread.answered(0);
        forget(bytes);
        if (code != CUDA_ERROR_OUT_OF_MEMORY) device.check(code, "cuMemAllocManaged");
        return 0;
    }

    private synchronized void forget(long bytes) {
        live -= bytes;
        buffers--;
    }

    @Override
    public void free(long address, long bytes) {
        device.backend().claims().giveBack(address);
        if (bytes >= OWNED) owners.remove(address);
        FREEING.execute(() -> {
            device.context().enter();
            int code = device.context().calls().memFree(address);
            forget(bytes);
            shortage.freed();
            if (!device.isLost()) device.check(code, "cuMemFree");
        });
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, 0, device.roomForUnified(), buffers);
    }
}
