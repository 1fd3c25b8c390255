package io.penstock.runtime;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/** One piece of a device's memory, with its address, its size and whether it still lives. */
public final class Allocation {
    private static final Cleaner CLEANER = Cleaner.create(
            task -> Thread.ofPlatform().daemon().name("penstock-cleaner").unstarted(task));
    private static final boolean REPORT_LEAKS = "report".equals(System.getProperty("penstock.leaks"));
    private static final System.Logger LOG = System.getLogger("io.penstock.runtime");

    private final Device device;
    private final MemoryKind kind;
    private final long address;
    private final long bytes;
    private final Cleaner.Cleanable cleanable;
    private final Release release;
    private boolean closed;

    /** The scope that frees this allocation, and its neighbours in that scope's list. */
    @Nullable
    Scope scope;

    @Nullable
    Allocation next;

    @Nullable
    Allocation previous;

    /** Frees memory that an allocation no longer needs. */
    public interface Free {
        /** Gives back the bytes at {@code address}; called once, on any thread, and never blocks. */
        void free(long address, long bytes);
    }

    /**
     * Takes charge of memory that a device has just handed out, on behalf of this thread's innermost open {@link Scope}.
     *
     * @param free gives the memory back; it must not refer to the allocation
     */
    public Allocation(Device device, MemoryKind kind, long address, long bytes, Free free) {
        this.device = device;
        this.kind = kind;
        this.address = address;
        this.bytes = bytes;
        this.release = new Release(address, bytes, free, REPORT_LEAKS ? new Throwable("allocated here") : null);
        this.cleanable = CLEANER.register(this, release);
        Scope.adopt(this);
    }

    Device device() {
        return device;
    }

    MemoryKind kind() {
        return kind;
    }

    long bytes() {
        return bytes;
    }

    long address() {
        if (closed)
            throw new IllegalStateException("this array's memory of " + bytes
                    + " bytes was freed: it was closed, or the scope that owns it ended (Scope.keep keeps an array)");
        return address;
    }

    void close() {
        if (closed) return;
        closed = true;
        Scope.forget(this);
        release.closed = true;
        cleanable.clean();
    }

    private static final class Release implements Runnable {
        private final long address;
        private final long bytes;
        private final Free free;
        private final @Nullable Throwable site;
        private volatile boolean closed;

        Release(long address, long bytes, Free free, @Nullable Throwable site) {
            this.address = address;
            this.bytes = bytes;
            this.free = free;
            this.site = site;
        }

        @Override
        public void run() {
            if (!closed && site != null)
                LOG.log(System.Logger.Level.WARNING, "leaked: an array of " + bytes + " bytes was never closed", site);
            free.free(address, bytes);
        }
    }
}
