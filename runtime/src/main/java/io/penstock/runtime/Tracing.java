package io.penstock.runtime;

import java.util.List;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Tells the open trace and the flight recorder what happens. Where nobody listens this costs a look at a field. */
final class Tracing {
    static final String WAIT = "wait";
    static final String ISSUE = "issue";

    /** Loaded once the flight recorder is there: its classes take tens of milliseconds, for which a first launch would wait. */
    private static final class Recorder {
        /** Never recorded; it knows whether such events are. */
        private static final WorkEvent PROBE = new WorkEvent();

        private Recorder() {}

        static boolean isOn() {
            return PROBE.isEnabled();
        }
    }

    private static volatile @Nullable TraceFile file;

    private Tracing() {}

    /** Whether anybody wants to know what runs where. */
    static boolean isOn() {
        return file != null || (FlightRecorder.isInitialized() && Recorder.isOn());
    }

    static @Nullable TraceFile file() {
        return file;
    }

    static void writeTo(@Nullable TraceFile next) {
        file = next;
    }

    /** How many bytes accesses read only, or write. */
    static long bytes(List<Access> accesses, boolean written) {
        long bytes = 0;
        for (Access access : accesses)
            if (access.writes() == written)
                bytes += access.region().rows() * access.region().rowBytes();
        return bytes;
    }

    static String category(What what) {
        return switch (what.kind()) {
            case WORK -> "work";
            case COPY -> "copy";
            case FILL -> "fill";
            case MESSAGE -> "message";
        };
    }

    /** A piece of work has run on the calling thread. */
    static void ran(Work work, Place place, long begin, long end) {
        TraceFile to = file;
        if (to == null) return;
        Object[] details = {
            "number", work.number(), "read", bytes(work.accesses(), false), "written", bytes(work.accesses(), true)
        };
        to.box(work.what().label(), category(work.what()), place, begin, end, details);
        work.line().ends(place).add(work.number(), end);
    }

    /** Where a message that begins now is shown; null where there is no trace. */
    static @Nullable Place placeOfMessage() {
        TraceFile to = file;
        return to == null ? null : to.takeMessageLane();
    }

    /** A message has ended that was shown in a lane. */
    static void ended(Work work, Place place, long begin, long end, @Nullable Throwable failure) {
        TraceFile to = file;
        if (to == null) return;
        ran(work, place, begin, end);
        if (failure != null) failed(place, end, work.number(), failure);
        to.giveMessageLane(place);
    }

    /** A piece of work is found to have failed. */
    static void failed(Place place, long at, long number, Throwable failure) {
        TraceFile to = file;
        if (to != null) to.point("failure", "failure", place, at, "number", number, "failure", failure.toString());
    }

    /**
     * Waits on the calling thread for work that is not over, and tells of it.
     *
     * @param waiter who waits, for the flight recorder: a queue, or the host
     * @param number which work of that queue; 0 for the host
     */
    static void await(Place place, String waiter, long number, Line producer, long upTo) {
        WaitEvent event = new WaitEvent();
        event.begin();
        long begin = System.nanoTime();
        producer.awaitEnd(upTo);
        long end = System.nanoTime();
        if (event.shouldCommit()) {
            event.queue = waiter;
            event.number = number;
            event.producer = producer.name();
            event.upTo = upTo;
            event.waited = end - begin;
            event.commit();
        }
        TraceFile to = file;
        if (to == null) return;
        to.box(WAIT, WAIT, place, begin, end, "for", producer.name(), "upTo", upTo, "number", number);
        arrow(to, WAIT, producer, upTo, place, Math.max(begin, end - 1));
    }

    /** An arrow from the end of a piece of work, where that is known. */
    static void arrow(TraceFile to, String category, Line producer, long number, Place place, long at) {
        Ends ends = producer.knownEnds();
        long from = ends == null ? 0 : ends.of(number);
        if (ends != null && from != 0) to.arrow(category, ends.place(), from - 1, place, at);
    }

    /** Waits on the calling thread, on the host's behalf, until work is over. */
    static void awaitOnHost(Line producer, long upTo) {
        if (isOn() && !producer.hasEnded(upTo)) await(Place.ofThread(), Place.HOST, 0, producer, upTo);
        else producer.awaitEnd(upTo);
    }
}
