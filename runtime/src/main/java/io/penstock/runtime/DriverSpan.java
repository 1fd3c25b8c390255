package io.penstock.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time that one piece of work takes on a device: what is known when it is issued, and the events around it. */
final class DriverSpan implements Runnable {
    private final DriverLine line;
    private final long number;
    private final What what;
    private final long read;
    private final long written;
    private final long issue = System.nanoTime();
    private final Place issuer = Place.ofThread();

    /** What it follows on the device. */
    private final List<Wait> waits = new ArrayList<>(2);

    /** When the queue came to it, and to the work itself once what that follows was over; one event where it follows nothing. */
    private DriverQueue.@Nullable Event reached;

    private DriverQueue.@Nullable Event ready;
    private DriverQueue.@Nullable Event over;
    private long issued;

    private record Wait(Line line, long number) {}

    /** The times of a piece that is over. */
    record Times(long reached, long begin, long end) {}

    DriverSpan(DriverLine line, Work work) {
        this.line = line;
        this.number = work.number();
        this.what = work.what();
        this.read = Tracing.bytes(work.accesses(), false);
        this.written = Tracing.bytes(work.accesses(), true);
    }

    void reached(DriverQueue.Event event) {
        reached = event;
    }

    void follows(Line producer, long upTo) {
        waits.add(new Wait(producer, upTo));
    }

    boolean followsSomething() {
        return !waits.isEmpty();
    }

    void ready(DriverQueue.Event event) {
        ready = event;
    }

    void issued(DriverQueue.Event event) {
        over = event;
        issued = System.nanoTime();
    }

    DriverQueue.@Nullable Event reached() {
        return reached;
    }

    DriverQueue.@Nullable Event ready() {
        return ready;
    }

    DriverQueue.@Nullable Event over() {
        return over;
    }

    /** Waits for the piece to be over, and tells of it. */
    @Override
    public void run() {
        Times times = line.timesOf(this);
        if (times == null) return;
        record(times);
        TraceFile to = Tracing.file();
        if (to == null) return;
        Place place = Place.ofQueue(line.name());
        to.box("issue " + what.label(), Tracing.ISSUE, issuer, issue, issued, "queue", line.name(), "number", number);
        to.arrow(Tracing.ISSUE, issuer, issue, place, times.begin);
        line.ends(place).add(number, times.end);
        if (followsSomething())
            to.box(Tracing.WAIT, Tracing.WAIT, place, times.reached, times.begin, "for", describe(), "number", number);
        to.box(
                what.label(),
                Tracing.category(what),
                place,
                times.begin,
                times.end,
                "number",
                number,
                "read",
                read,
                "written",
                written);
        for (Wait wait : waits) Tracing.arrow(to, Tracing.WAIT, wait.line, wait.number, place, times.begin);
    }

    private String describe() {
        return String.join(", ", waits.stream().map(wait -> wait.line.name()).toList());
    }

    private void record(Times times) {
        WorkEvent event = new WorkEvent();
        if (event.shouldCommit()) {
            event.queue = line.name();
            event.label = what.label();
            event.number = number;
            event.read = read;
            event.written = written;
            event.waited = times.begin - times.reached;
            event.ran = times.end - times.begin;
            event.commit();
        }
        for (Wait wait : waits) {
            WaitEvent waited = new WaitEvent();
            if (!waited.shouldCommit()) return;
            waited.queue = line.name();
            waited.number = number;
            waited.producer = wait.line.name();
            waited.upTo = wait.number;
            waited.waited = times.begin - times.reached;
            waited.commit();
        }
    }
}
