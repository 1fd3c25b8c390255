package io.penstock.runtime;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/** One piece of a device's memory, with its address, its size and whether it still lives. */
public final class Allocation {
    private static final Cleaner CLEANER = Cleaner.create(task -> Thread.ofPlatform()
            .daemon()
            .name("penstock-cleaner")
            .inheritInheritableThreadLocals(false)
            .unstarted(task));
    private static final boolean REPORT_LEAKS = "report".equals(System.getProperty("penstock.leaks"));
    private static final System.Logger LOG = System.getLogger("io.penstock.runtime");

    /** In place of a host address: there is none. */
    public static final long NO_ADDRESS = -1;

    private final Device device;
    private final MemoryKind kind;
    private final long address;
    private final long hostAddress;
    private final long bytes;
    private final Cleaner.Cleanable cleanable;
    private final Release release;
    private volatile boolean closed;
    private volatile @Nullable History history;

    /** How much work under way needs the memory; guarded by this allocation's lock. */
    private int holds;

    /** The scope that frees this allocation. Guarded by this allocation's lock, which is taken before the scope's. */
    private @Nullable Scope scope;

    /** The neighbours in the scope's list, guarded by the scope's lock. */
    @Nullable
    Allocation next;

    @Nullable
    Allocation previous;

    /** Frees memory that an allocation no longer needs. */
    public interface Free {
        /** Gives back the bytes at {@code address}; called once, on any thread, and never waits for a user's lock. */
        void free(long address, long bytes);
    }

    /**
     * Takes charge of memory that a device has just handed out, on behalf of this thread's innermost open {@link Scope}.
     *
     * @param free gives the memory back; it must not refer to the allocation
     */
    public Allocation(Device device, MemoryKind kind, long address, long bytes, Free free) {
        this(device, kind, address, kind == MemoryKind.DEVICE ? NO_ADDRESS : address, bytes, free);
    }

    /**
     * Takes charge of memory that the host sees at another address than the device, or not at all.
     *
     * @param hostAddress where the host addresses the memory; {@link #NO_ADDRESS} when it cannot
     */
    public Allocation(Device device, MemoryKind kind, long address, long hostAddress, long bytes, Free free) {
        this.device = device;
        this.kind = kind;
        this.address = address;
        this.hostAddress = hostAddress;
        this.bytes = bytes;
        this.release = new Release(address, bytes, free, REPORT_LEAKS ? new Throwable("allocated here") : null);
        this.cleanable = CLEANER.register(this, release);
        this.scope = Scope.innermost();
        if (scope != null) scope.link(this);
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
        requireOpen();
        return address;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isHostAddressable() {
        return hostAddress != NO_ADDRESS;
    }

    /** Where the host addresses the memory. */
    long hostAddress() {
        requireOpen();
        if (hostAddress == NO_ADDRESS)
            throw new IllegalStateException(
                    "the host cannot address " + kind + " memory of " + device.name() + "; copy it to the host first");
        return hostAddress;
    }

    void requireOpen() {
        if (closed && !isTouchedHere())
            throw new IllegalStateException("this array's memory of " + bytes
                    + " bytes was freed: it was closed, or the scope that owns it ended (Scope.keep keeps an array)");
    }

    /** Whether the calling thread runs work that keeps this memory. */
    private boolean isTouchedHere() {
        return Work.isTouchedHere(this);
    }

    /** The uses of this memory that work may have to wait for; made when first asked for. */
    History history() {
        History known = history;
        if (known != null) return known;
        synchronized (this) {
            known = history;
            if (known == null) history = release.history = known = Ledger.newHistory(closed);
            return known;
        }
    }

    /** Whether work may be under way on this memory. */
    boolean isBusy() {
        if (!Ledger.isNeeded()) return false;
        History known = history;
        return known != null && known.isBusy();
    }

    /** Blocks until no work is under way that the host would meet in {@code region}. */
    void await(Region region, boolean writes) {
        if (!isBusy() || isTouchedHere()) return;
        Waits waits = new Waits();
        History known = history();
        known.lock();
        try {
            if (Ledger.waits) known.collect(region, writes, waits);
        } finally {
            known.unlock();
        }
        if (waits.isEmpty()) return;
        if (Work.current() != null)
            throw new IllegalStateException("work touches an array of " + bytes
                    + " bytes that it did not declare and that other work is under way on; name all that it touches");
        waits.awaitEnds(Place.HOST);
        waits.await();
    }

    /** Hands this allocation from one scope to another, unless it is not the first one's or is closed already. */
    synchronized void move(Scope from, @Nullable Scope to) {
        if (closed || scope != from) return;
        from.unlink(this);
        scope = to;
        if (to != null) to.link(this);
    }

    /**
     * Keeps the memory, even when the allocation is closed, until {@link #release}: for work under way on it. Each hold needs
     * its own release.
     *
     * @throws IllegalStateException when the allocation was closed
     */
    public synchronized void hold() {
        address();
        holds++;
    }

    /** Ends a hold; the last one frees the memory of an allocation that was closed meanwhile. */
    public void release() {
        boolean free;
        synchronized (this) {
            if (holds == 0) throw new IllegalStateException("release without hold");
            free = --holds == 0 && closed;
        }
        if (free) cleanable.clean();
    }

    void close() {
        boolean free;
        if (Ledger.isNeeded()) {
            // Of a submission to a driver's queue and a close at the same time one sees the other, since the submission
            // looks whether the memory is open, and publishes its use, under this lock.
            History known = history();
            known.lock();
            try {
                if (closed) return;
                free = markClosed();
            } finally {
                known.unlock();
            }
        } else {
            if (closed) return;
            free = markClosed();
        }
        release.closed = true;
        if (free) cleanable.clean();
    }

    /** Says whether the memory is to be freed now, rather than by the last hold or by who has closed it before. */
    private synchronized boolean markClosed() {
        if (closed) return false;
        closed = true;
        if (history != null) history.close();
        if (scope != null) scope.unlink(this);
        scope = null;
        return holds == 0;
    }

    /** What is left to do when the allocation is closed or found unreachable; it does not refer to it. */
    private static final class Release implements Runnable {
        private final long address;
        private final long bytes;
        private final Free free;
        private final @Nullable Throwable site;
        private volatile boolean closed;
        private volatile @Nullable History history;

        Release(long address, long bytes, Free free, @Nullable Throwable site) {
            this.address = address;
            this.bytes = bytes;
            this.free = free;
            this.site = site;
        }

        @Override
        public void run() {
            // Whoever sees the memory back has been told.
            if (!closed && site != null)
                LOG.log(System.Logger.Level.WARNING, "leaked: an array of " + bytes + " bytes was never closed", site);
            giveBack();
        }

        private void giveBack() {
            Waits after = new Waits();
            History known = history;
            if (known != null) {
                known.lock();
                try {
                    known.collectDrivers(after);
                } finally {
                    known.unlock();
                }
            }
            if (after.isEmpty()) free.free(address, bytes);
            else Reclaimer.later(after, () -> free.free(address, bytes));
        }
    }
}
