package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Turns times of a device's clock into those of {@link System#nanoTime()}, by comparing the two every now and then. */
final class DeviceClock {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TRIES = 3;

    private final Context context;
    private final DeviceFacts facts;
    private final long queue;

    /** What to add to the device's times, and when that was found; guarded by this. */
    private long offset;

    private long compared;
    private boolean known;

    /** Where the driver has no call that reads the device's clock, an event on {@code queue} does. */
    DeviceClock(Context context, DeviceFacts facts, long queue) {
        this.context = context;
        this.facts = facts;
        this.queue = queue;
    }

    /** A time of the device, in nanoseconds, on the host's scale. */
    synchronized long host(long device) {
        if (!known || System.nanoTime() - compared > FRESH_NANOS) compare();
        return device + offset;
    }

    /** Each look at both clocks leaves room for some offsets. The one in use changes only when it is none of them. */
    private void compare() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment times = arena.allocate(JAVA_LONG, 2);
            for (int k = 0; k < TRIES; k++) {
                long before = System.nanoTime();
                long now = now(times);
                long after = System.nanoTime();
                offset = known ? Math.clamp(offset, before - now, after - now) : before + (after - before) / 2 - now;
                known = true;
            }
        }
        compared = System.nanoTime();
    }

    private long now(MemorySegment times) {
        OpenCl cl = context.cl();
        if (cl.has("clGetDeviceAndHostTimer")
                && cl.getDeviceAndHostTimer(facts.id(), times.address(), times.address() + Long.BYTES)
                        == OpenCl.CL_SUCCESS) return times.get(JAVA_LONG, 0);
        OpenClException.check(
                cl.enqueueMarkerWithWaitList(queue, 0, 0, times.address()), "clEnqueueMarkerWithWaitList");
        long event = times.get(JAVA_LONG, 0);
        try {
            OpenClException.check(cl.waitForEvents(1, times.address()), "clWaitForEvents");
            OpenClException.check(
                    cl.getEventProfilingInfo(
                            event, OpenCl.CL_PROFILING_COMMAND_END, Long.BYTES, times.address() + Long.BYTES, 0),
                    "clGetEventProfilingInfo");
        } finally {
            cl.releaseEvent(event);
        }
        return times.get(JAVA_LONG, Long.BYTES);
    }
}
