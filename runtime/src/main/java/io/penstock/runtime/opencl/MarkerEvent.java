package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A point in an OpenCL queue. It carries a copy of the queue's failure record, as it was at that point. */
final class MarkerEvent implements DriverQueue.Event {
    private static final long ANSWER = Long.BYTES;
    private static final long RECORD = 2 * Long.BYTES;

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
        carries = !timed && queue.takeRecordUse();
        queue.mark(memory.address(), memory.address() + RECORD, carries);
    }

    @Override
    public boolean isOver() {
        int error = cl.getEventInfo(
                handle(), OpenCl.CL_EVENT_COMMAND_EXECUTION_STATUS, Integer.BYTES, memory.address() + ANSWER, 0);
        OpenClException.check(error, "clGetEventInfo");
        int status = memory.get(JAVA_INT, ANSWER);
        if (status < 0) throw queue.lost("its commands ended with " + OpenCl.errorName(status));
        return status == 0;
    }

    @Override
    public void passed() {
        if (!carries) return;
        carries = false;
        queue.lookAt(memory.asSlice(RECORD));
    }

    @Override
    public void await() {
        int error = cl.waitForEvents(1, memory.address());
        if (error != OpenCl.CL_SUCCESS) throw queue.lost("waiting for it failed with " + OpenCl.errorName(error));
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
