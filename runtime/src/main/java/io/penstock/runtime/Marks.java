package io.penstock.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The recorded events of a driver's queue, used again and again. Guarded by the monitor of the queue's line. */
final class Marks {
    /** A recorded event, and the number of the last piece of work before it. */
    static final class Mark {
        private final DriverQueue.Event event;
        private long number;
        /** How many threads look at the event; it is not recorded again before they are done. */
        private final AtomicInteger users = new AtomicInteger();

        private Mark(DriverQueue.Event event) {
            this.event = event;
        }

        DriverQueue.Event event() {
            return event;
        }

        /** Does not change while there is a user. */
        long number() {
            return number;
        }

        /** Begins a use; needs the monitor of the line. */
        Mark use() {
            users.incrementAndGet();
            return this;
        }

        /** Ends a use. */
        void leave() {
            users.decrementAndGet();
        }
    }

    /** Marks whose events are not known to be over, in the order of their numbers. */
    private final ArrayDeque<Mark> recorded = new ArrayDeque<>();

    private final ArrayDeque<Mark> spare = new ArrayDeque<>();

    /** The first mark at or after a piece of work, recorded now when there is none. */
    Mark at(long number, long issued, DriverQueue queue) {
        for (Mark mark : recorded) if (mark.number >= number) return mark;
        return record(issued, queue);
    }

    /** Records a mark, unless there was one within the last {@code stride} pieces. */
    void recordAfter(long stride, long issued, DriverQueue queue) {
        if (recorded.isEmpty() || recorded.getLast().number + stride <= issued) record(issued, queue);
    }

    private Mark record(long issued, DriverQueue queue) {
        Mark mark = unused();
        if (mark == null) mark = new Mark(queue.newEvent(false));
        mark.event.record();
        mark.number = issued;
        recorded.add(mark);
        return mark;
    }

    private @Nullable Mark unused() {
        for (int i = spare.size(); i > 0; i--) {
            Mark mark = spare.removeFirst();
            if (mark.users.get() == 0) return mark;
            spare.addLast(mark);
        }
        return null;
    }

    /** The number of the last mark that is found to be over; zero when there is none. Asks the driver. */
    long poll() {
        long over = 0;
        while (!recorded.isEmpty() && recorded.getFirst().event.isOver()) {
            Mark mark = recorded.removeFirst();
            spare.addLast(mark);
            over = mark.number;
        }
        return over;
    }

    void clear() {
        recorded.clear();
    }
}
