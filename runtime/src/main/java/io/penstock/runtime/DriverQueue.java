package io.penstock.runtime;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose work is handed to a driver and runs there in order, as a CUDA stream or an OpenCL queue does. What work of other
 * such queues it has to follow it waits for on the device, so its submitters do not wait.
 *
 * <p>The body of such work only issues calls to the driver, on this queue; it runs on the submitting thread, or, when the work
 * has to follow work of the host, later on a thread of the queue's: a device never waits for something that the host has yet to do.
 *
 * <p>The protected methods are called by one thread at a time, on any thread, and must not wait for the device.
 */
public abstract class DriverQueue extends Queue {
    /** A point in a driver's queue that can be waited for. */
    public interface Event {
        /** Marks the end of all that was issued to the queue so far. What the event marked before is over then. */
        void record();

        /** Whether everything before the point is over. Asks the driver; does not wait. */
        boolean isOver();

        /** Is told that the point is over, which may be known from a later one; once for each time it was recorded. */
        default void passed() {}

        /** Blocks the calling thread until everything before the point is over. */
        void await();

        /** When the device reached the point, which is over, on the scale of {@link System#nanoTime()}; timed events only. */
        long nanos();
    }

    /**
     * A failure that the device has recorded, as kernels do.
     *
     * @param number the number of the work that failed, as {@link #issuing()} told it
     * @param cause what to throw to whoever waits for it
     */
    public record Failed(long number, RuntimeException cause) {}

    /** How much may be under way before submitters wait: less than drivers take before they block in a launch. */
    static final long BACKLOG = 768;

    /** A queue of a device. */
    protected DriverQueue(Device device) {
        super(device, DriverLine::new);
    }

    /** An event of this queue, not yet recorded. They are pooled and used again and again. */
    protected abstract Event newEvent(boolean timed);

    /** Whether this queue can wait on the device for events of another one. */
    protected abstract boolean canFollow(DriverQueue producer);

    /** Makes all that is issued from now on wait, on the device, for an event of a queue that this one can follow. */
    protected abstract void follow(Event event);

    /** Hands what was issued to the device, where the driver would hold it back; called before anybody waits for it. */
    protected void flush() {}

    /**
     * Takes what a kernel that is over has recorded as its failure, if anything; called whenever work is found to be over.
     *
     * @param upTo the number up to which work is over
     */
    protected @Nullable Failed takeFailure(long upTo) {
        return null;
    }

    /** The number of the work that is being issued; for its body. */
    protected final long issuing() {
        return driverLine().issuing();
    }

    /**
     * Makes all work that is not over, and all that follows, fail for whoever waits for it: for libraries whose calls on this queue came to
     * an end without their results.
     */
    public final void fail(RuntimeException cause) {
        driverLine().failRest(cause);
    }

    final DriverLine driverLine() {
        return (DriverLine) Objects.requireNonNull(line());
    }

    @Override
    final long backlog() {
        return BACKLOG;
    }

    @Override
    final boolean holds() {
        return false;
    }

    /** Issues a piece of work. */
    @Override
    protected final void enqueue(Work work) {
        work.issue();
    }

    /** Loops on the host are none of this queue's business: they are the JVM's. */
    @Override
    public final void parallel(long count, long grain, RangeBody body) {
        throw new UnsupportedOperationException(this + " runs no loops on the host; launch a kernel, or use a queue of "
                + Device.jvm().name());
    }
}
