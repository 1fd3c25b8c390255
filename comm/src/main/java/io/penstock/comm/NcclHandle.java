package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Nccl;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.cuda.CudaDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of NCCL's communicators: made without blocking, watched for errors, and aborted when the ranks fail, so that no kernel waits
 * for a rank that will never come.
 */
final class NcclHandle {
    private static final long LOOK = 1_000_000;
    private static final long WATCH = 50_000_000;

    private final Nccl nccl;
    private final CudaDevice device;
    private final CheckedCommunicator base;
    private final RanksOptions options = RanksOptions.defaults();
    private final MemorySegment cell = Arena.ofAuto().allocate(16);
    private long comm;
    private volatile boolean ended;
    private volatile @Nullable String failure;

    /** A communicator over the ranks of another, through which the unique id travels; called by all of them. */
    NcclHandle(Nccl nccl, CudaDevice device, CheckedCommunicator base) {
        this.nccl = nccl;
        this.device = device;
        this.base = base;
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
        Thread.ofPlatform().daemon().name("penstock-nccl-watch").start(this::watch);
    }

    Nccl nccl() {
        return nccl;
    }

    long comm() {
        return comm;
    }

    /** Waits until a call has been taken, and throws when it failed, or other ranks do not come. */
    void finish(int code, String call) {
        int state = code;
        long start = System.nanoTime();
        while (state == Nccl.IN_PROGRESS) {
            if (System.nanoTime() - start > options.limit().toNanos()) throw fail(call + " did not end");
            base.checkAlive();
            LockSupport.parkNanos(this, LOOK);
            state = asyncError();
        }
        check(state, call);
    }

    private synchronized int asyncError() {
        if (ended) return Nccl.SUCCESS;
        int code = nccl.commGetAsyncError(comm, cell.address() + 8);
        return code != Nccl.SUCCESS ? code : cell.get(ValueLayout.JAVA_INT, 8);
    }

    /** Throws when a call has failed, in NCCL's words. */
    void check(int code, String call) {
        String before = failure;
        if (before != null) throw new CommunicatorException(before);
        if (code == Nccl.SUCCESS || code == Nccl.IN_PROGRESS) return;
        String why = Nccl.text(nccl.getErrorString(code));
        String more = nccl.has("ncclGetLastError") ? Nccl.text(nccl.getLastError(comm)) : "";
        String text = call + " failed on rank " + base.rank() + " of the " + base.name() + ": " + why
                + (more.isBlank() ? "" : " (" + more.strip() + ")");
        if (code == Nccl.INVALID_ARGUMENT) throw new CommunicatorException(text);
        throw fail(text);
    }

    private CommunicatorException fail(String text) {
        failure = text;
        abort();
        return new CommunicatorException(text);
    }

    /** Looks whether NCCL has met an error, or the ranks have failed: then kernels that wait for other ranks are ended. */
    private void watch() {
        while (!ended) {
            LockSupport.parkNanos(this, WATCH);
            try {
                base.checkAlive();
                int code = asyncError();
                if (code != Nccl.SUCCESS && code != Nccl.IN_PROGRESS)
                    failure = "NCCL failed on rank " + base.rank() + " of the " + base.name() + ": "
                            + Nccl.text(nccl.getErrorString(code));
            } catch (CommunicatorException e) {
                failure = String.valueOf(e.getMessage());
            }
            if (failure != null) abort();
        }
    }

    private synchronized void abort() {
        if (ended) return;
        ended = true;
        device.makeCurrent();
        nccl.commAbort(comm);
    }

    /** Frees it, once all that was issued is over; called by all ranks. */
    void close() {
        synchronized (this) {
            if (ended) return;
            ended = true;
        }
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
