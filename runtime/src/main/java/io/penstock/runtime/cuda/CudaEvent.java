package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_NOT_READY;
import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_EVENT_DEFAULT;
import static io.penstock.foreign.CudaValues.CU_EVENT_DISABLE_TIMING;

import io.penstock.runtime.DriverQueue;
import java.lang.ref.Cleaner;
import java.util.concurrent.locks.LockSupport;

/** A point in a stream. */
final class CudaEvent implements DriverQueue.Event {
    private static final Cleaner CLEANER = Cleaner.create();
    /** How long a waiting thread keeps its core: about what it costs to give it up and get it back. */
    private static final long SPIN_NANOS = 50_000;

    private static final long SHORTEST_PARK_NANOS = 20_000;
    private static final long LONGEST_PARK_NANOS = 500_000;

    private final CudaDevice device;
    private final long stream;
    private final long handle;

    CudaEvent(CudaDevice device, long stream, boolean timed) {
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        device.check(
                context.calls().eventCreate(thread.answer(), timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
                "cuEventCreate");
        long created = thread.answered(0);
        this.device = device;
        this.stream = stream;
        this.handle = created;
        CLEANER.register(this, () -> {
            context.enter();
            context.calls().eventDestroy(created);
        });
    }

    long handle() {
        return handle;
    }

    @Override
    public void record() {
        CudaContext context = device.context();
        context.enter();
        device.check(context.calls().eventRecord(handle, stream), "cuEventRecord");
    }

    @Override
    public boolean isOver() {
        device.context().enter();
        int code = device.context().calls().eventQuery(handle);
        if (code == CUDA_SUCCESS) return true;
        if (code != CUDA_ERROR_NOT_READY) throw device.failure(code, "cuEventQuery");
        return false;
    }

    /** Asks again and again, more and more seldom, so that no thread is lost in the driver and short waits end at once. */
    @Override
    public void await() {
        long begin = System.nanoTime();
        boolean interrupted = false;
        while (!isOver()) {
            long waited = System.nanoTime() - begin;
            if (waited < SPIN_NANOS) {
                Thread.onSpinWait();
                continue;
            }
            // A set flag would make every park return at once.
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(Math.clamp(waited / 16, SHORTEST_PARK_NANOS, LONGEST_PARK_NANOS));
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    @Override
    public long nanos() {
        return device.clock().nanos(this);
    }
}
