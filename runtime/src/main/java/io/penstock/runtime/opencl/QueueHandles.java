package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;

/**
 * What a queue holds of its driver's, and gives back when nobody can reach the queue any more. It does not refer to the queue.
 */
final class QueueHandles implements Runnable {
    /** Apart from the one that frees arrays, since it may have to wait for a device. */
    static final Cleaner CLEANER = Cleaner.create(task -> Thread.ofPlatform()
            .daemon()
            .name("penstock-opencl-cleaner")
            .inheritInheritableThreadLocals(false)
            .unstarted(task));

    private final OpenCl cl;
    private final long queue;
    private final Arena arena = Arena.ofShared();

    /** Places of event handles, each zero when there is none; guarded by this. */
    private final List<MemorySegment> events = new ArrayList<>();

    /** The failure record on the device, zero until there is one; guarded by this. */
    private long record;

    QueueHandles(OpenCl cl, long queue) {
        this.cl = cl;
        this.queue = queue;
    }

    long queue() {
        return queue;
    }

    /** Native memory that lives as long as the queue. */
    synchronized MemorySegment allocate(long bytes) {
        return arena.allocate(bytes, Long.BYTES);
    }

    /** Such memory that begins with the place of an event's handle. */
    synchronized MemorySegment allocateEvent(long bytes) {
        MemorySegment memory = arena.allocate(bytes, Long.BYTES);
        events.add(memory);
        return memory;
    }

    synchronized void own(long failureRecord) {
        record = failureRecord;
    }

    /** Waits for the device, which may still write to the memory, and gives all back. */
    @Override
    public synchronized void run() {
        cl.finish(queue);
        for (MemorySegment memory : events) {
            long event = memory.get(JAVA_LONG, 0);
            if (event != 0) cl.releaseEvent(event);
        }
        if (record != 0) cl.releaseMemObject(record);
        cl.releaseCommandQueue(queue);
        arena.close();
    }
}
