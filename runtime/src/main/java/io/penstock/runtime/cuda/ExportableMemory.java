package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_OUT_OF_MEMORY;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Reclaimer;
import io.penstock.runtime.Shortage;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A device's own memory in a form that other processes can be given: blocks cut from whole allocations of {@code cuMemAlloc}, which
 * have handles where memory of the driver's pools has none.
 *
 * <p>Nothing goes back to the driver while the process lives: libraries remember handles by address, and would take new memory at an
 * old address for the old one. What is freed is joined with its free neighbours, and the smallest block that is large enough is used.
 */
final class ExportableMemory implements Allocation.Free {
    private static final long GRAIN = 512;

    /** What is asked of the driver at once, at least, while there is that much. */
    private static final long CHUNK = 64L << 20;

    /** From this size on it is remembered who has allocated a block. */
    private static final long OWNED = 1 << 20;

    private final CudaDevice device;
    private final long limit;
    private final Owners owners = new Owners();
    private final Shortage shortage = new Shortage(this::live);

    /** The ends of what the driver has given, by where it begins: blocks are never joined across. */
    private final TreeMap<Long, Long> chunks = new TreeMap<>();

    /** The sizes of free blocks, by where they begin. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    /** The same blocks, smallest first. */
    private final TreeSet<Block> bySize =
            new TreeSet<>(Comparator.comparingLong(Block::size).thenComparingLong(Block::address));

    private record Block(long address, long size) {}

    private long reserved;
    private long live;
    private long buffers;

    ExportableMemory(CudaDevice device, long limit) {
        this.device = device;
        this.limit = limit;
    }

    private static long size(long bytes) {
        return Math.max(GRAIN, (bytes + GRAIN - 1) & -GRAIN);
    }

    private synchronized long live() {
        return live;
    }

    /** Whether an address is of this memory. */
    synchronized boolean owns(long address) {
        Map.Entry<Long, Long> chunk = chunks.floorEntry(address);
        return chunk != null && address < chunk.getValue();
    }

    /** Memory of unspecified content. */
    long take(long bytes) {
        shortage.foresee();
        long address = bytes > limit ? 0 : tryTake(bytes);
        if (address == 0 && bytes <= limit) address = shortage.take(() -> tryTakeFreed(bytes));
        if (address == 0) throw device.outOfMemory("device", bytes, use(), owners);
        if (bytes >= OWNED) owners.add(address, bytes);
        return address;
    }

    private long tryTakeFreed(long bytes) {
        Reclaimer.drain();
        device.memory().trim();
        return tryTake(bytes);
    }

    private synchronized long tryTake(long bytes) {
        long size = size(bytes);
        Block wanted = new Block(0, size);
        Block whole = bySize.ceiling(wanted);
        if (whole == null && grow(size)) whole = bySize.ceiling(wanted);
        if (whole == null) return 0;
        long address = whole.address;
        remove(whole);
        if (whole.size > size) add(new Block(address + size, whole.size - size));
        live += size;
        buffers++;
        return address;
    }

    private boolean grow(long size) {
        return ask(Math.max(size, CHUNK)) || ask(size);
    }

    private boolean ask(long size) {
        if (size > limit - reserved) return false;
        CallingThread thread = device.context().enter();
        int code = device.context().calls().memAlloc(thread.answer(), size);
        if (code == CUDA_ERROR_OUT_OF_MEMORY) return false;
        device.check(code, "cuMemAlloc");
        long address = thread.answered(0);
        chunks.put(address, address + size);
        reserved += size;
        add(new Block(address, size));
        return true;
    }

    private void add(Block block) {
        free.put(block.address, block.size);
        bySize.add(block);
    }

    private void remove(Block block) {
        free.remove(block.address);
        bySize.remove(block);
    }

    @Override
    public void free(long address, long bytes) {
        if (bytes >= OWNED) owners.remove(address);
        synchronized (this) {
            long size = size(bytes);
            live -= size;
            buffers--;
            join(address, size);
        }
        shortage.freed();
    }

    private void join(long address, long size) {
        long begin = address;
        long end = address + size;
        Map.Entry<Long, Long> before = free.lowerEntry(address);
        if (before != null && before.getKey() + before.getValue() == address && !chunks.containsKey(address)) {
            begin = before.getKey();
            remove(new Block(begin, before.getValue()));
        }
        Long after = chunks.containsKey(end) ? null : free.get(end);
        if (after != null) {
            remove(new Block(end, after));
            end += after;
        }
        add(new Block(begin, end - begin));
    }

    synchronized MemoryUse use() {
        return new MemoryUse(live, reserved - live, limit, buffers);
    }
}
