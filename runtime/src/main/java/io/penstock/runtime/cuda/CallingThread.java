package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * What a thread that calls the driver keeps: which context it has made its own, so that it says so only when that changes, its own
 * queues, and a little memory for the driver's answers.
 *
 * <p>Code beside this library that changes a thread's context has to set it back, as NVIDIA's own libraries do.
 */
final class CallingThread {
    private static final ThreadLocal<CallingThread> CURRENT = ThreadLocal.withInitial(CallingThread::new);
    private static final long ANSWERS = 64;
    private static final long STRUCT = 256;

    private final MemorySegment memory = Arena.ofAuto().allocate(ANSWERS + STRUCT, 8);
    private final long answer = memory.address();
    private final Map<CudaDevice, CudaQueue> queues = new HashMap<>();
    private long context;

    private CallingThread() {
        if (Thread.currentThread().isVirtual())
            throw new IllegalStateException("CUDA was called on the virtual thread " + Thread.currentThread()
                    + "; call it on a platform thread, since the driver knows the threads of the system only");
    }

    static CallingThread get() {
        return CURRENT.get();
    }

    /** Makes a context this thread's, if another one is. */
    void enter(CudaDriver driver, long handle) {
        if (context == handle) return;
        driver.check(driver.calls().ctxSetCurrent(handle), "cuCtxSetCurrent");
        context = handle;
    }

    /** The queue of a device that is this thread's when none is chosen. */
    CudaQueue queue(CudaDevice device) {
        return queues.computeIfAbsent(device, CudaDevice::newQueue);
    }

    /** Takes note that somebody has changed the thread's context. */
    void forget() {
        context = 0;
    }

    /** The address where the driver may write up to {@value #ANSWERS} bytes. */
    long answer() {
        return answer;
    }

    /** The address of {@value #STRUCT} bytes of zeros, in which to describe something to the driver. */
    long clearedStruct() {
        memory.asSlice(ANSWERS, STRUCT).fill((byte) 0);
        return answer + ANSWERS;
    }

    /** The k-th eight bytes of the last answer. */
    long answered(int k) {
        return HostMemory.ALL.get(JAVA_LONG, answer + 8L * k);
    }

    /** The lower half of {@link #answered}. */
    int answeredInt(int k) {
        return (int) answered(k);
    }
}
