package io.penstock.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point in a queue's work whose time is taken: what two of them lie apart is how long the work between them took, where it ran.
 */
public final class Moment {
    private final Ticket ticket;
    private final DriverQueue.@Nullable Event event;
    private volatile long reached;

    private Moment(Queue queue, DriverQueue.@Nullable Event event) {
        this.event = event;
        this.ticket = queue.submit("moment", List.of(), this::reach);
    }

    static Moment of(Queue queue) {
        return new Moment(queue, queue instanceof DriverQueue driver ? driver.newEvent(true) : null);
    }

    private void reach() {
        if (event == null) reached = System.nanoTime();
        else event.record();
    }

    /**
     * When the queue came to this point, on the scale of {@link System#nanoTime()}: blocks the calling thread until it has.
     *
     * @throws RuntimeException what earlier work of the queue has thrown, unless somebody was told before
     */
    public long nanos() {
        ticket.await();
        return event == null ? reached : event.nanos();
    }
}
