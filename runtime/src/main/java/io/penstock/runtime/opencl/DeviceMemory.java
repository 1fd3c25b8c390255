package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemorySize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ConcurrentHashMap;

/** The memory of an OpenCL device, in a pool for each kind, and a queue of the driver's to manage it by. */
final class DeviceMemory {
    private final String name;
    private final Context context;
    private final OpenCl cl;
    private final DeviceFacts facts;
    private final MemoryPool device;
    private final MemoryPool pinned;
    private final MemoryPool unified;

    /** Made when first needed; guarded by this. */
    private volatile long queue;

    DeviceMemory(String name, Context context, DeviceFacts facts) {
        this.name = name;
        this.context = context;
        this.cl = context.cl();
        this.facts = facts;
        device = new MemoryPool("memory of " + name, limit(deviceLimit()), new OnDevice());
        pinned = new MemoryPool("pinned memory of " + name, limit(hostLimit()), new Pinned());
        unified = new MemoryPool("unified memory of " + name, limit(hostLimit()), new Unified());
    }

    private static long limit(long standard) {
        String asked = System.getProperty("penstock.opencl.memory.limit");
        return asked == null ? standard : MemorySize.parse("penstock.opencl.memory.limit", asked);
    }

    private long deviceLimit() {
        return facts.cpu() ? Math.min(facts.memory(), hostLimit()) : facts.memory() / 10 * 9;
    }

    /** Two fifths of the host's memory: the arrays of the JVM have four fifths, and all of it is seldom needed in two places. */
    private static long hostLimit() {
        long total = ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
        return total / 5 * 2;
    }

    MemoryPool pool(MemoryKind kind) {
        return switch (kind) {
            case DEVICE -> device;
            case PINNED -> pinned;
            case UNIFIED -> {
                if (!facts.unified())
                    throw new UnsupportedOperationException(name + " (" + facts.name()
                            + ") has no memory that host and device can use at the same time; allocate DEVICE memory");
                yield unified;
            }
            case HOST ->
                throw new IllegalArgumentException("kind is HOST; " + name
                        + " allocates DEVICE, PINNED and UNIFIED memory, and Device.jvm() that of the host");
        };
    }

    /** The queue by which the memory is managed. */
    long queue() {
        long known = queue;
        if (known != 0) return known;
        synchronized (this) {
            if (queue == 0) queue = context.newQueue(facts);
            return queue;
        }
    }

    private boolean isShort(int error) {
        return error == OpenCl.CL_MEM_OBJECT_ALLOCATION_FAILURE
                || error == OpenCl.CL_OUT_OF_RESOURCES
                || error == OpenCl.CL_OUT_OF_HOST_MEMORY;
    }

    /** A new OpenCL buffer; zero when there is too little memory. */
    private long newBuffer(long bytes, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(JAVA_INT);
            long buffer =
                    cl.createBuffer(context.handle(), OpenCl.CL_MEM_READ_WRITE | flags, bytes, 0, error.address());
            int code = error.get(JAVA_INT, 0);
            if (isShort(code)) return 0;
            if (code == OpenCl.CL_INVALID_BUFFER_SIZE)
                throw new DeviceMemoryException("asked for " + MemorySize.describe(bytes) + "; one allocation of "
                        + name + " can have at most " + MemorySize.describe(facts.largest()));
            OpenClException.check(code, "clCreateBuffer of " + bytes + " bytes");
            return buffer;
        }
    }

    /** Memory that only the device addresses, known by the handle of an OpenCL buffer. */
    private final class OnDevice implements MemoryPool.Source {
        @Override
        public long make(long bytes) {
            long buffer = newBuffer(bytes, 0);
            if (buffer == 0 || isThere(buffer)) return buffer;
            release(buffer);
            return 0;
        }

        /** Has the driver find room for a buffer now. Left alone it would when the buffer is first used, and fail there. */
        private boolean isThere(long buffer) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment list = arena.allocateFrom(JAVA_LONG, buffer);
                int error = cl.enqueueMigrateMemObjects(
                        queue(), 1, list.address(), OpenCl.CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, 0, 0);
                if (error == OpenCl.CL_SUCCESS) error = cl.finish(queue());
                if (isShort(error)) return false;
                OpenClException.check(error, "clEnqueueMigrateMemObjects");
                return true;
            }
        }

        @Override
        public void release(long block) {
            cl.releaseMemObject(block);
        }
    }

    /** Host memory that the driver has allocated, known by its address. */
    private final class Pinned implements MemoryPool.Source {
        private final ConcurrentHashMap<Long, Long> buffers = new ConcurrentHashMap<>();

        @Override
        public long make(long bytes) {
            long buffer = newBuffer(bytes, OpenCl.CL_MEM_ALLOC_HOST_PTR);
            if (buffer == 0) return 0;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment error = arena.allocate(JAVA_INT);
                long address = cl.enqueueMapBuffer(
                        queue(),
                        buffer,
                        1,
                        OpenCl.CL_MAP_READ | OpenCl.CL_MAP_WRITE,
                        0,
                        bytes,
                        0,
                        0,
                        0,
                        error.address());
                if (error.get(JAVA_INT, 0) == OpenCl.CL_SUCCESS) {
                    buffers.put(address, buffer);
                    return address;
                }
                cl.releaseMemObject(buffer);
                if (isShort(error.get(JAVA_INT, 0))) return 0;
                throw new OpenClException("clEnqueueMapBuffer", error.get(JAVA_INT, 0));
            }
        }

        @Override
        public void release(long block) {
            Long buffer = buffers.remove(block);
            if (buffer == null) throw new IllegalStateException("a block that was never made is released");
            cl.enqueueUnmapMemObject(queue(), buffer, block, 0, 0, 0);
            cl.flush(queue());
            cl.releaseMemObject(buffer);
        }
    }

    /** Memory that host and device address alike, known by its address. */
    private final class Unified implements MemoryPool.Source {
        @Override
        public long make(long bytes) {
            return cl.svmAlloc(
                    context.handle(), OpenCl.CL_MEM_READ_WRITE | OpenCl.CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
        }

        @Override
        public void release(long block) {
            cl.svmFree(context.handle(), block);
        }
    }
}
