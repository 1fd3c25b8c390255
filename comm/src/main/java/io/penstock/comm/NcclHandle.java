package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Nccl;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.cuda.CudaQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of NCCL's communicators: made without blocking, and aborted by its {@link NcclWatch} when the ranks fail, so that no kernel waits for a
 * rank that will never come. What was issued and is not over then fails, for whoever waits for it.
 *
 * <p>Calls of NCCL's on it are made under its monitor, so that it is not aborted within one.
 */
final class NcclHandle {
    private static final long LOOK = 20_000;

    /** How long to ask again and again before resting in between: NCCL takes most groups within this. */
    private static final long SPIN = 200_000;

    private final Nccl nccl;
    private final CudaDevice device;
    private final CudaQueue queue;
    private final CheckedCommunicator base;
    private final RanksOptions options = RanksOptions.defaults();
    private final MemorySegment cell = Arena.ofAuto().allocate(16);
    private final NcclWatch watch;
    private long comm;

    /** The first call of a group that was refused, and with what code; guarded by this. */
    private String refused = "";

    private int refusal;
    private volatile boolean ended;
    private volatile @Nullable String failure;

    /** A communicator over the ranks of another, through which the unique id travels; called by all of them. */
    NcclHandle(Nccl nccl, CudaDevice device, CudaQueue queue, CheckedCommunicator base) {
        this.nccl = nccl;
        this.device = device;
        this.queue = queue;
        this.base = base;
        this.watch = new NcclWatch(this, base, options, queue);
        device.makeCurrent();
        try (Arena arena = Arena.ofConfined();
                NDArray id = NDArray.empty(Device.jvm(), DType.U8, Nccl.UNIQUE_ID_BYTES)) {
            if (base.rank() == 0) check(nccl.getUniqueId(id.address()), "ncclGetUniqueId");
            base.broadcast(id, 0);
            MemorySegment uniqueId = HostMemory.ALL.asSlice(id.address(), Nccl.UNIQUE_ID_BYTES);
            MemorySegment config = Nccl.config(arena, false);
            int code = nccl.commInitRankConfig(cell.address(), base.size(), uniqueId, base.rank(), config.address());
            comm = cell.get(ValueLayout.JAVA_LONG, 0);
            finish(code, "ncclCommInitRankConfig");
        }
        watch.start();
    }

    long comm() {
        return comm;
    }

    NcclWatch watch() {
        return watch;
    }

    /**
     * Issues calls as one group, and returns when NCCL has taken it, so that what is issued to the stream next comes after it. The calls
     * hand their results to {@link #took}.
     */
    void group(String what, Runnable calls) {
        device.makeCurrent();
        int code;
        synchronized (this) {
            requireAlive();
            refusal = Nccl.SUCCESS;
            check(nccl.groupStart(), "ncclGroupStart");
            try {
                calls.run();
            } finally {
                code = nccl.groupEnd();
            }
        }
        if (refusal != Nccl.SUCCESS) check(refusal, refused + " in " + what);
        finish(code, what);
    }

    /** Takes note of what a call within a group has returned. */
    void took(int code, String call) {
        if (code == Nccl.SUCCESS || code == Nccl.IN_PROGRESS || refusal != Nccl.SUCCESS) return;
        refusal = code;
        refused = call;
    }

    /** Waits until a call has been taken, and throws when it failed, or other ranks do not come. */
    private void finish(int code, String call) {
        int state = code;
        long start = System.nanoTime();
        while (state == Nccl.IN_PROGRESS) {
            long waited = System.nanoTime() - start;
            if (waited > options.limit().toNanos()) throw fail(call + " did not end");
            if (waited < SPIN) Thread.onSpinWait();
            else {
                base.checkAlive();
                LockSupport.parkNanos(this, LOOK);
            }
            state = state();
        }
        check(state, call);
    }

    /** What NCCL says of the communicator. */
    private synchronized int state() {
        requireAlive();
        int code = nccl.commGetAsyncError(comm, cell.address() + 8);
        return code != Nccl.SUCCESS ? code : cell.get(ValueLayout.JAVA_INT, 8);
    }

    /** Throws when the communicator has failed. */
    void requireAlive() {
        String before = failure;
        if (before != null) throw new CommunicatorException(before);
    }

    /** Throws when a call has failed, in NCCL's words. */
    private void check(int code, String call) {
        requireAlive();
        if (code == Nccl.SUCCESS || code == Nccl.IN_PROGRESS) return;
        String text = call + " failed on rank " + base.rank() + " of the " + base.name() + ": " + words(code);
        if (code == Nccl.INVALID_ARGUMENT) throw new CommunicatorException(text);
        throw fail(text);
    }

    private String words(int code) {
        String why = Nccl.text(nccl.getErrorString(code));
        String more = nccl.has("ncclGetLastError") ? Nccl.text(nccl.getLastError(comm)) : "";
        return why + (more.isBlank() ? "" : " (" + more.strip() + ")");
    }

    /** Looks for an error that NCCL has met since; false once the communicator is no more. */
    boolean look() {
        String error;
        synchronized (this) {
            if (ended) return false;
            int code = nccl.commGetAsyncError(comm, cell.address() + 8);
            int state = code != Nccl.SUCCESS ? code : cell.get(ValueLayout.JAVA_INT, 8);
            if (state == Nccl.SUCCESS || state == Nccl.IN_PROGRESS) return true;
            error = words(state);
        }
        fail("NCCL failed on rank " + base.rank() + " of the " + base.name() + ": " + error);
        return false;
    }

    /**
     * Ends the communicator: what was issued and is not over fails. Only the first reason counts. The monitor is not held while the queue
     * is told, since whoever issues to the queue takes the two in the other order.
     */
    CommunicatorException fail(String text) {
        CommunicatorException why;
        synchronized (this) {
            if (failure == null) failure = text;
            why = new CommunicatorException(failure);
            if (ended) return why;
            ended = true;
        }
        // First, since kernels that are aborted look as if they had come to their end.
        queue.fail(why);
        device.makeCurrent();
        synchronized (this) {
            nccl.commAbort(comm);
        }
        return why;
    }

    /** Makes no more calls of NCCL's, which the process is about to leave. */
    synchronized void leave() {
        ended = true;
        if (failure == null) failure = "the process ends";
    }

    /** Frees it; all that was submitted is over. */
    void free() {
        synchronized (this) {
            if (ended) return;
            ended = true;
            device.makeCurrent();
            int code = nccl.commFinalize(comm);
            long start = System.nanoTime();
            while (code == Nccl.IN_PROGRESS
                    && System.nanoTime() - start < options.deadline().toNanos()) {
                LockSupport.parkNanos(this, LOOK);
                code = nccl.commGetAsyncError(comm, cell.address() + 8);
                if (code == Nccl.SUCCESS) code = cell.get(ValueLayout.JAVA_INT, 8);
            }
            if (code == Nccl.SUCCESS) nccl.commDestroy(comm);
            else nccl.commAbort(comm);
        }
    }
}
