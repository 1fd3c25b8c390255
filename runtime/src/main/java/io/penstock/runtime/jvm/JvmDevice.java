package io.penstock.runtime.jvm;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Queue;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The JVM's own cores over off-heap memory. Its own queue is direct: work is done when the call returns. {@link #newQueue()} makes
 * queues that run work apart, each on a thread.
 */
public final class JvmDevice implements Device {
    private static final JvmDevice INSTANCE = new JvmDevice();

    private final HostPool pool = new HostPool(HostPool.defaultLimit(), Pages.system());
    private final WorkerPool workers = new WorkerPool(WorkerPool.defaultThreads());
    private final Queue direct = new DirectQueue(this, workers);

    private JvmDevice() {}

    /** The one JVM device of this process. */
    public static JvmDevice instance() {
        return INSTANCE;
    }

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public String description() {
        return threads() + " threads of this process; works everywhere";
    }

    @Override
    public Queue queue() {
        Queue chosen = Queue.chosen(this);
        return chosen != null ? chosen : direct;
    }

    /**
     * The queue that runs each piece of work on the thread that submits it, whatever {@link Queue#during} has chosen: for what has
     * to be done when the call returns.
     */
    public Queue direct() {
        return direct;
    }

    @Override
    public Queue newQueue() {
        return new ThreadQueue(this, workers, null);
    }

    /**
     * A queue that dawdles: it lets a random time pass before each piece of work, so that tests meet orders that hardly ever
     * happen.
     *
     * @param seed decides the times
     * @param mostNanos the time that each stays below, in nanoseconds
     */
    public Queue newDelayedQueue(long seed, long mostNanos) {
        if (mostNanos < 1) throw new IllegalArgumentException("mostNanos is " + mostNanos + "; expected 1 or more");
        SplittableRandom random = new SplittableRandom(seed);
        return new ThreadQueue(this, workers, () -> random.nextLong(mostNanos));
    }

    /** How many cores work for this device; the system property {@code penstock.threads} overrides what the machine has. */
    public int threads() {
        return workers.threads();
    }

    /**
     * Runs {@code body} as one of {@code sharers} equal users of the cores: each of its parallel loops takes its share of
     * them and no more, so that in-process ranks do not starve each other.
     */
    public void sharing(int sharers, Runnable body) {
        workers.sharing(sharers, body);
    }

    @Override
    public Buffer allocate(long bytes, MemoryKind kind) {
        Objects.requireNonNull(kind, "kind is null");
        if (bytes < 0) throw new IllegalArgumentException("bytes is " + bytes + "; expected 0 or more");
        if (kind == MemoryKind.DEVICE)
            throw new IllegalArgumentException(
                    "kind is DEVICE, memory that the host cannot address; jvm works on the host's"
                            + " and allocates HOST memory");
        long address = pool.take(bytes);
        try {
            return Buffer.whole(new Allocation(this, kind, address, bytes, pool));
        } catch (OutOfMemoryError e) {
            pool.free(address, bytes);
            throw e;
        }
    }

    @Override
    public MemoryUse memoryUse() {
        return pool.use();
    }

    /** The device's name, {@code jvm}. */
    @Override
    public String toString() {
        return name();
    }
}
