package io.penstock.comm;

import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.cuda.CudaQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where one rank stands. Written by that rank only; the volatile fields are read by the others. */
final class RankState {
    private final int rank;
    private final SpinBudget spinning;
    private final Staged.Staging staging = new Staged.Staging();
    private final Map<CudaDevice, CudaQueue> ncclQueues = new HashMap<>();
    private @Nullable MemorySegment scratch;

    volatile @Nullable Thread thread;
    volatile @Nullable Wait wait;
    volatile @Nullable Thread waiter;
    /** How many times the rank began to wait; two equal readings mean that it has waited all the time between. */
    volatile long waits;
    /** Whether the rank is touching arrays, perhaps those of other ranks. */
    volatile boolean copying;

    volatile boolean ended;
    /** The call that is first on the rank's device and waits there for other ranks; null when none does. */
    volatile @Nullable String onDevice;

    private @Nullable Operation last;
    private long calls;

    RankState(int rank, int ranks) {
        this.spinning = new SpinBudget(ranks);
        this.rank = rank;
    }

    int rank() {
        return rank;
    }

    /** Whether the rank gets on by itself: outside any wait for others, its thread runs, is to be run, or waits for work of its own. */
    boolean isAtWork() {
        Thread own = thread;
        if (own == null || wait != null || ended) return false;
        return switch (own.getState()) {
            // Whoever waits for a device does so within the driver, and seems to run.
            case NEW, RUNNABLE, BLOCKED -> onDevice == null || !RankBoard.isInRuntime(own);
            case WAITING, TIMED_WAITING -> onDevice == null && RankBoard.isInRuntime(own);
            case TERMINATED -> false;
        };
    }

    void beginWait(Wait begun) {
        Thread other = waiter;
        if (other != null)
            throw new IllegalStateException("rank " + rank + " waits in two threads at once, " + other.getName()
                    + " and " + Thread.currentThread().getName()
                    + "; expected all communicators of a rank to be used by one thread");
        waiter = Thread.currentThread();
        long before = waits;
        waits = before + 1;
        wait = begun;
    }

    void endWait() {
        wait = null;
        waiter = null;
    }

    @SuppressWarnings("ReferenceEquality") // a wait has an identity and no value
    boolean waitsFor(Wait other) {
        return wait == other;
    }

    void entered(Operation operation) {
        last = operation;
        calls++;
    }

    @Nullable
    Operation last() {
        return last;
    }

    long calls() {
        return calls;
    }

    /** The one queue of a device to which the rank's calls of NCCL's go, so that one thread at a time issues them, in their order. */
    CudaQueue ncclQueue(CudaDevice device) {
        return ncclQueues.computeIfAbsent(device, CudaDevice::newQueue);
    }

    Staged.Staging staging() {
        return staging;
    }

    SpinBudget spinning() {
        return spinning;
    }

    /** The address of {@code bytes} bytes that this rank may use until its next call of this method. */
    long scratch(long bytes) {
        MemorySegment own = scratch;
        if (own == null || own.byteSize() < bytes)
            scratch = own = Arena.ofAuto().allocate(bytes, 64);
        return own.address();
    }
}
