package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceLostException;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A queue of an OpenCL driver, which runs its commands in order. */
final class OpenClQueue extends DriverQueue {
    private final Context context;
    private final OpenCl cl;
    private final DeviceClock clock;
    private final QueueHandles handles;
    private final Launches launches = new Launches();
    private final Copies copies;

    /** Whether the device is the host's own processor. */
    private final boolean onHost;

    /** On the device: what the first item to fail has written. Zero until a launch needs it. */
    private long record;

    /** Whether launches were issued that may have written the record since it was last copied to the host. */
    private boolean recordUsed;

    /** Whether a failure was taken out of the record and it must be zeroed before the next launch. */
    private boolean recordStale;

    private @Nullable Failed failed;

    OpenClQueue(OpenClDevice device, Context context, DeviceClock clock, DeviceFacts facts) {
        super(device);
        this.context = context;
        this.cl = context.cl();
        this.clock = clock;
        this.handles = new QueueHandles(cl, context.newQueue(facts));
        this.copies = new Copies(cl, context, handles);
        this.onHost = facts.cpu();
        QueueHandles.CLEANER.register(this, handles);
    }

    /** The driver's handle. */
    long handle() {
        return handles.queue();
    }

    DeviceClock clock() {
        return clock;
    }

    Context context() {
        return context;
    }

    Launches launches() {
        return launches;
    }

    @Override
    protected Event newEvent(boolean timed) {
        return new MarkerEvent(this, cl, handles, timed);
    }

    @Override
    protected boolean canFollow(DriverQueue producer) {
        return producer instanceof OpenClQueue other && other.context == context;
    }

    @Override
    protected void follow(Event event) {
        MarkerEvent marker = (MarkerEvent) event;
        OpenClException.check(
                cl.enqueueBarrierWithWaitList(handle(), 1, marker.list(), 0), "clEnqueueBarrierWithWaitList");
    }

    @Override
    protected void flush() {
        OpenClException.check(cl.flush(handle()), "clFlush");
    }

    /**
     * Memory of the driver's own, and of the host on a processor only. NVIDIA's driver takes what is to be written from pageable
     * memory when the call is made, not when its turn in the queue has come, and so may take it before it is there.
     */
    @Override
    protected boolean reaches(Buffer buffer) {
        return (onHost && buffer.isHostAddressable())
                || (buffer.device() instanceof OpenClDevice owner && owner.context() == context);
    }

    @Override
    protected void copyNow(Buffer from, Box source, Buffer to, Box target) {
        copies.copy(from, source, to, target);
    }

    @Override
    protected void fillNow(Buffer to, Box target, long low, long high, int width) {
        copies.fill(to, target, low, high, width);
    }

    // Failures -----------------------------------------------------------------------------------------------------

    /** The failure record for a launch that is about to be issued, ready to be written. */
    long recordForLaunch() {
        if (record == 0) makeRecord();
        else if (recordStale) copies.zero(record, FailureReader.BYTES);
        recordStale = false;
        recordUsed = true;
        return record;
    }

    private void makeRecord() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(JAVA_INT);
            record = cl.createBuffer(
                    context.handle(), OpenCl.CL_MEM_READ_WRITE, FailureReader.BYTES, 0, error.address());
            OpenClException.check(error.get(JAVA_INT, 0), "clCreateBuffer of the record of failures");
        }
        handles.own(record);
        copies.zero(record, FailureReader.BYTES);
    }

    /** Whether launches may have written the record since this was asked last. */
    boolean takeRecordUse() {
        boolean used = recordUsed;
        recordUsed = false;
        return used;
    }

    /**
     * Makes an event of all that was issued so far.
     *
     * <p>NVIDIA's markers, and the events of kernels, are found over only when all queues of the context have come to rest; the
     * event of a read is found over in time, so there it marks the point.
     *
     * @param event where to write the driver's handle
     * @param copy where to copy the failure record to
     * @param copied whether the copy is needed
     */
    void mark(long event, long copy, boolean copied) {
        if (copied || !onHost) {
            if (record == 0) makeRecord();
            OpenClException.check(
                    cl.enqueueReadBuffer(handle(), record, 0, 0, FailureReader.BYTES, copy, 0, 0, onHost ? 0 : event),
                    "clEnqueueReadBuffer of the record of failures");
        }
        if (onHost)
            OpenClException.check(cl.enqueueMarkerWithWaitList(handle(), 0, 0, event), "clEnqueueMarkerWithWaitList");
    }

    /** Looks at a copy of the failure record. */
    void lookAt(MemorySegment copy) {
        if (copy.get(JAVA_INT, 0) == 0) return;
        Launches.Launched launch = launches.find(copy.get(JAVA_INT, Integer.BYTES));
        // Later copies show the same failure again, until the record is zeroed.
        if (launch == null || failed != null) return;
        recordStale = true;
        failed = new Failed(launch.work(), launch.read(copy));
    }

    @Override
    protected @Nullable Failed takeFailure(long upTo) {
        Failed taken = failed;
        failed = null;
        launches.over(upTo);
        return taken;
    }

    /** The exception for a queue that the driver has given up, which names the launch that is suspected of it. */
    DeviceLostException lost(String what) {
        return new DeviceLostException(this + ", of " + device().name() + ": " + what + launches.suspect());
    }

    /** The number of the work whose body runs now. */
    long working() {
        return issuing();
    }
}
