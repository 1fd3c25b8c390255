package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_OUT_OF_MEMORY;
import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
import static io.penstock.foreign.CudaValues.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
import static io.penstock.foreign.CudaValues.CU_MEM_ALLOCATION_TYPE_PINNED;
import static io.penstock.foreign.CudaValues.CU_MEM_LOCATION_TYPE_DEVICE;
import static io.penstock.foreign.CudaValues.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
import static io.penstock.foreign.CudaValues.MEM_POOL_PROPS;
import static io.penstock.foreign.CudaValues.location;
import static io.penstock.foreign.CudaValues.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Reclaimer;
import io.penstock.runtime.Shortage;

/**
 * A device's own memory: a pool of the driver's that keeps what was freed. Memory is taken and given back on a stream of the
 * pool's, which nothing else uses and which therefore never has to wait: what is given back is in use no more.
 */
final class DeviceMemory implements Allocation.Free {
    /** What the driver aligns to, and counts in. */
    private static final long GRAIN = 512;

    /** From this size on it is remembered who has allocated a block. */
    private static final long OWNED = 1 << 20;

    private final CudaDevice device;
    private final CudaContext context;
    private final long stream;
    private final long pool;
    private final long limit;
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);
    private long live;
    private long buffers;

    DeviceMemory(CudaDevice device, long stream, long limit) {
        this.device = device;
        this.context = device.context();
        this.stream = stream;
        this.limit = limit;
        CallingThread thread = context.enter();
        long properties = thread.clearedStruct();
        HostMemory.ALL.set(JAVA_INT, properties + offset(MEM_POOL_PROPS, "allocType"), CU_MEM_ALLOCATION_TYPE_PINNED);
        HostMemory.ALL.set(
                JAVA_LONG,
                properties + offset(MEM_POOL_PROPS, "location"),
                location(CU_MEM_LOCATION_TYPE_DEVICE, context.ordinal()));
        device.check(context.calls().memPoolCreate(thread.answer(), properties), "cuMemPoolCreate");
        this.pool = thread.answered(0);
        HostMemory.ALL.set(JAVA_LONG, thread.answer(), Long.MAX_VALUE);
        device.check(
                context.calls().memPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, thread.answer()),
                "cuMemPoolSetAttribute");
    }

    /** The pool's handle. */
    long pool() {
        return pool;
    }

    /** Whether an address is of this pool. */
    boolean owns(long address) {
        CallingThread thread = context.enter();
        int code = context.calls().pointerGetAttribute(thread.answer(), CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address);
        return code == CUDA_SUCCESS && thread.answered(0) == pool;
    }

    private static long size(long bytes) {
        return Math.max(GRAIN, (bytes + GRAIN - 1) & -GRAIN);
    }

    private synchronized long live() {
        return live;
    }

    /** Memory of unspecified content. */
    long take(long bytes) {
        shortage.foresee();
        long address = tryTake(bytes);
        if (address == 0 && bytes <= limit) address = shortage.take(() -> tryTakeFreed(bytes));
        if (address == 0) throw device.outOfMemory("device", bytes, use(), owners);
        if (bytes >= OWNED) owners.add(address, bytes);
        return address;
    }

    private long tryTakeFreed(long bytes) {
        Reclaimer.drain();
        trim();
        return tryTake(bytes);
    }

    /** Gives what is kept back to the driver, for others to take. */
    void trim() {
        context.enter();
        device.check(context.calls().streamSynchronize(stream), "cuStreamSynchronize");
        device.check(context.calls().memPoolTrimTo(pool, 0), "cuMemPoolTrimTo");
    }

    private long tryTake(long bytes) {
        long size = size(bytes);
        synchronized (this) {
            if (size > limit - live) return 0;
            live += size;
            buffers++;
        }
        long address = 0;
        try {
            address = ask(size);
        } finally {
            if (address == 0) forget(size);
        }
        return address;
    }

    private synchronized void forget(long size) {
        live -= size;
        buffers--;
    }

    private long ask(long size) {
        CallingThread thread = context.enter();
        int code = context.calls().memAllocFromPoolAsync(thread.answer(), size, pool, stream);
        if (code == CUDA_ERROR_OUT_OF_MEMORY) return 0;
        device.check(code, "cuMemAllocFromPoolAsync");
        return thread.answered(0);
    }

    @Override
    public void free(long address, long bytes) {
        if (bytes >= OWNED) owners.remove(address);
        forget(size(bytes));
        if (device.isLost()) return;
        context.enter();
        device.check(context.calls().memFreeAsync(address, stream), "cuMemFreeAsync");
        shortage.freed();
    }

    MemoryUse use() {
        long reserved = 0;
        if (!device.isLost()) {
            CallingThread thread = context.enter();
            device.check(
                    context.calls().memPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, thread.answer()),
                    "cuMemPoolGetAttribute");
            reserved = thread.answered(0);
        }
        synchronized (this) {
            return new MemoryUse(live, Math.max(0, reserved - live), limit, buffers);
        }
    }
}
