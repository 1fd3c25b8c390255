package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CU_MEM_LOCATION_TYPE_DEVICE;
import static io.penstock.foreign.CudaValues.CU_MEM_LOCATION_TYPE_HOST;
import static io.penstock.foreign.CudaValues.location;

import io.penstock.runtime.Access;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.Ticket;
import java.lang.ref.Cleaner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue of a CUDA device: a stream. */
public final class CudaQueue extends DriverQueue {
    private static final Cleaner CLEANER = Cleaner.create();

    private final CudaDevice device;
    private final long stream;
    private final Launches launches;

    /** What notes down the work of this queue in place of running it; null when it is run. */
    private final @Nullable Capture capture;

    CudaQueue(CudaDevice device) {
        this(device, null);
    }

    CudaQueue(CudaDevice device, @Nullable Capture capture) {
        super(device);
        this.device = device;
        this.capture = capture;
        Streams streams = device.streams();
        Streams.Stream taken = streams.take(capture != null);
        this.stream = taken.handle();
        this.launches = device.newLaunches();
        long record = launches.record();
        CLEANER.register(this, () -> streams.giveBack(taken, record, FailureReader.BYTES));
    }

    CudaDevice cudaDevice() {
        return device;
    }

    /**
     * The stream's handle, for calls of other libraries: to be used by the body of work that is submitted to this queue, which
     * orders what is given to the stream.
     */
    public long stream() {
        return stream;
    }

    /** An event of the stream, for the body of work to record before or after calls of other libraries. */
    public Event event() {
        return newEvent(false);
    }

    /**
     * Moves the pages of unified memory to this queue's device, where work on it will be faster. Nothing moves that nobody asks
     * for, and work is right wherever they are.
     *
     * @return once it is submitted
     */
    public Ticket prefetch(Buffer buffer) {
        return prefetch(
                buffer, location(CU_MEM_LOCATION_TYPE_DEVICE, device.context().ordinal()));
    }

    /** Moves the pages of unified memory to the host; otherwise like {@link #prefetch(Buffer)}. */
    public Ticket prefetchToHost(Buffer buffer) {
        return prefetch(buffer, location(CU_MEM_LOCATION_TYPE_HOST, 0));
    }

    private Ticket prefetch(Buffer buffer, long place) {
        CudaDevice.requireUnified(buffer);
        return submit("prefetch", List.of(Access.read(buffer)), () -> {
            device.context().enter();
            launches.note("prefetch", numberNow());
            device.check(
                    device.context().calls().memPrefetchAsync(buffer.address(), buffer.bytes(), place, 0, stream),
                    "cuMemPrefetchAsync");
        });
    }

    Launches launches() {
        return launches;
    }

    /** The number of the work that is being issued. */
    long numberNow() {
        return capture == null ? issuing() : 0;
    }

    @Override
    protected boolean notes(List<Access> accesses, Runnable body) {
        if (capture == null) return false;
        capture.note(accesses, body);
        return true;
    }

    @Override
    protected Event newEvent(boolean timed) {
        return new CudaEvent(device, stream, timed);
    }

    @Override
    protected boolean canFollow(DriverQueue producer) {
        return producer instanceof CudaQueue other && other.device.driver() == device.driver();
    }

    @Override
    protected void follow(Event event) {
        device.context().enter();
        device.check(
                device.context().calls().streamWaitEvent(stream, ((CudaEvent) event).handle(), 0), "cuStreamWaitEvent");
    }

    @Override
    protected @Nullable Failed takeFailure(long upTo) {
        return launches.takeFailure(upTo);
    }

    @Override
    protected boolean reaches(Buffer buffer) {
        return device.reaches(buffer);
    }

    @Override
    protected void copyNow(Buffer from, Box source, Buffer to, Box target) {
        device.context().enter();
        launches.note("copy", numberNow());
        device.copies().copy(stream, from.address(), source, to.address(), target);
    }

    @Override
    protected void fillNow(Buffer to, Box target, long low, long high, int width) {
        device.context().enter();
        launches.note("fill", numberNow());
        device.copies().fill(stream, to.address(), target, low, high, width);
    }
}
