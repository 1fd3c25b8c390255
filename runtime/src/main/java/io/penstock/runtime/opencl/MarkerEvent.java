package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** A marker in an OpenCL queue. It carries a copy of the queue's failure record, as it was at that point. */
final class MarkerEvent implements DriverQueue.Event {
    private static final long ANSWER = Long.BYTES;
    private static final long RECORD = 2 * Long.BYTES;

    /** How long to ask again and again at once, and how long to sleep between questions thereafter, in nanoseconds. */
    private static final long SPIN = 50_000;

    private static final long PAUSE = 20_000;

    private final OpenClQueue queue;
    private final boolean timed;
    private final OpenCl cl;

    /** The driver's event, room for an answer, and the copy of the record. */
    private final MemorySegment memory;

    /** Whether the record was copied, and nobody has looked at the copy yet. */
    private boolean carries;

    MarkerEvent(OpenClQueue queue, OpenCl cl, QueueHandles handles, boolean timed) {
        this.timed = timed;
        this.queue = queue;
        this.cl = cl;
        this.memory = handles.allocateEvent(RECORD + FailureReader.BYTES);
    }

    /** The driver's handle; zero when nothing was recorded. */
    long handle() {
        return memory.get(JAVA_LONG, 0);
    }

    /** The address at which the handle stands. */
    long list() {
        return memory.address();
    }

    @Override
    public void record() {
        release();
        // Nobody asks whether timed ones are over, so they must not keep failures from the others.
        carries = !timed && queue.copyFailureRecord(memory.address() + RECORD);
        OpenClException.check(
                cl.enqueueMarkerWithWaitList(queue.handle(), 0, 0, memory.address()), "clEnqueueMarkerWithWaitList");
    }

    @Override
    public boolean isOver() {
        if (!isOver(memory.asSlice(ANSWER, Integer.BYTES))) return false;
        if (carries) {
            carries = false;
            queue.lookAt(memory.asSlice(RECORD));
        }
        return true;
    }

    private boolean isOver(MemorySegment answer) {
        int error =
                cl.getEventInfo(handle(), OpenCl.CL_EVENT_COMMAND_EXECUTION_STATUS, Integer.BYTES, answer.address(), 0);
        OpenClException.check(error, "clGetEventInfo");
        int status = answer.get(JAVA_INT, 0);
        if (status < 0) throw queue.lost("its commands ended with " + OpenCl.errorName(status));
        return status == 0;
    }

    @Override
    public void await() {
        if (!queue.waitsForOne()) {
            poll();
            return;
        }
        int error = cl.waitForEvents(1, memory.address());
        if (error != OpenCl.CL_SUCCESS) throw queue.lost("waiting for it failed with " + OpenCl.errorName(error));
    }

    private void poll() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(JAVA_INT);
            long begin = System.nanoTime();
            while (!isOver(answer)) {
                if (System.nanoTime() - begin < SPIN) Thread.onSpinWait();
                else LockSupport.parkNanos(PAUSE);
            }
        }
    }

    @Override
    public long nanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(JAVA_LONG);
            OpenClException.check(
                    cl.getEventProfilingInfo(handle(), OpenCl.CL_PROFILING_COMMAND_END, Long.BYTES, time.address(), 0),
                    "clGetEventProfilingInfo");
            return queue.clock().host(time.get(JAVA_LONG, 0));
        }
    }

    private void release() {
        long event = handle();
        if (event == 0) return;
        memory.set(JAVA_LONG, 0, 0);
        cl.releaseEvent(event);
    }
}
