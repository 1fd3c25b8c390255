package io.penstock.runtime.opencl;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Queue;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A device of an OpenCL driver.
 *
 * <p>Devices of one driver share their memory: a kernel of the one may use what was allocated on the other, and copies between
 * them are the driver's. Unified memory is there where the driver lets host and device use an allocation at the same time. Pinned
 * memory is for copies to and from the host, not for kernels.
 */
public final class OpenClDevice implements CompilingDevice {
    /** How many queues the threads share that have not asked for one of their own. */
    private static final int SHARED_QUEUES = 4;

    private final String name;
    private final Context context;
    private final DeviceFacts facts;
    private final Compiler compiler;
    private final AtomicReferenceArray<@Nullable Queue> queues = new AtomicReferenceArray<>(SHARED_QUEUES);
    private final DeviceMemory memory;

    /** Null until first needed. */
    private volatile @Nullable DeviceClock clock;

    OpenClDevice(int number, Context context, DeviceFacts facts) {
        this.name = "opencl:" + number;
        this.context = context;
        this.facts = facts;
        this.compiler = new Compiler(this, context, facts);
        this.memory = new DeviceMemory(name, context, facts);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return facts.name() + ", " + facts.units() + " processors, by "
                + context.platform().name() + " (" + facts.version() + ", driver " + facts.driver() + ")";
    }

    /** Whether the device computes in double precision. */
    public boolean hasDoubles() {
        return facts.doubles();
    }

    /** Whether {@link MemoryKind#UNIFIED} memory can be allocated. */
    public boolean hasUnifiedMemory() {
        return facts.unified();
    }

    /** Whether another device is of the same driver, so that each can use the other's memory. */
    public boolean reaches(OpenClDevice other) {
        return context == other.context;
    }

    @Override
    public Queue queue() {
        Queue chosen = Queue.chosen(this);
        if (chosen != null) return chosen;
        int slot = (int) (Thread.currentThread().threadId() % SHARED_QUEUES);
        Queue known = queues.get(slot);
        if (known != null) return known;
        Queue made = newQueue();
        Queue first = queues.compareAndExchange(slot, null, made);
        return first != null ? first : made;
    }

    @Override
    public Queue newQueue() {
        return new OpenClQueue(this, context, clock(), facts);
    }

    private DeviceClock clock() {
        DeviceClock known = clock;
        if (known != null) return known;
        synchronized (this) {
            known = clock;
            if (known == null) clock = known = context.clock(facts, memory.queue());
            return known;
        }
    }

    @Override
    public DeviceCode code() {
        return compiler;
    }

    Context context() {
        return context;
    }

    @Override
    public Buffer allocate(long bytes, MemoryKind kind) {
        Objects.requireNonNull(kind, "kind is null");
        if (bytes < 0) throw new IllegalArgumentException("bytes is " + bytes + "; expected 0 or more");
        MemoryPool pool = memory.pool(kind);
        long block = pool.take(bytes);
        try {
            return Buffer.whole(new Allocation(this, kind, block, bytes, pool));
        } catch (OutOfMemoryError e) {
            pool.free(block, bytes);
            throw e;
        }
    }

    /** How much of the device's own memory is in use; pinned and unified memory count apart. */
    @Override
    public MemoryUse memoryUse() {
        return memoryUse(MemoryKind.DEVICE);
    }

    /** How much memory of a kind is in use. */
    public MemoryUse memoryUse(MemoryKind kind) {
        return memory.pool(kind).use();
    }

    /** The device's name, such as {@code opencl:0}. */
    @Override
    public String toString() {
        return name;
    }
}
