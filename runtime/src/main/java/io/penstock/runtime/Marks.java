package io.penstock.runtime;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
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

    /** Marks whose events are not known to be over, in the order of their numbers: a ring, whose length is a power of two. */
    private @Nullable Mark[] ring = new @Nullable Mark[16];

    private int first;
    private int count;

    private final ArrayDeque<Mark> spare = new ArrayDeque<>();

    private Mark get(int k) {
        return Objects.requireNonNull(ring[(first + k) & (ring.length - 1)]);
    }

    /** The first mark at or after a piece of work, recorded now when there is none. */
    Mark at(long number, long issued, DriverQueue queue) {
        if (count == 0 || get(count - 1).number < number) return record(issued, queue);
        int before = -1;
        int found = count - 1;
        while (found - before > 1) {
            int middle = (before + found) >>> 1;
            if (get(middle).number < number) before = middle;
            else found = middle;
        }
        return get(found);
    }

    /** Records a mark, unless there was one within the last {@code stride} pieces. */
    void recordAfter(long stride, long issued, DriverQueue queue) {
        if (count == 0 || get(count - 1).number + stride <= issued) record(issued, queue);
    }

    private Mark record(long issued, DriverQueue queue) {
        Mark mark = unused();
        if (mark == null) mark = new Mark(queue.newEvent(false));
        mark.event.record();
        mark.number = issued;
        if (count == ring.length) grow();
        ring[(first + count++) & (ring.length - 1)] = mark;
        return mark;
    }

    private void grow() {
        @Nullable Mark[] larger = new @Nullable Mark[2 * ring.length];
        for (int k = 0; k < count; k++) larger[k] = get(k);
        ring = larger;
        first = 0;
    }

    /** The mark that was used last: what it lies in, here and in the driver, is still in a cache. */
    private @Nullable Mark unused() {
        for (int i = spare.size(); i > 0; i--) {
            Mark mark = spare.removeLast();
            if (mark.users.get() == 0) return mark;
            spare.addFirst(mark);
        }
        return null;
    }

    /**
     * The number of the last mark that is found to be over; zero when there is none. Asks the driver, as seldom as it can: marks
     * before one that is over are over.
     */
    long poll() {
        if (count == 0 || !get(0).event.isOver()) return 0;
        int over = 0;
        int open = count;
        for (int next = count - 1; open - over > 1; next = (over + open) >>> 1) {
            if (get(next).event.isOver()) over = next;
            else open = next;
        }
        long number = get(over).number;
        for (int k = 0; k <= over; k++) {
            get(0).event.passed();
            spare.addLast(get(0));
            ring[first] = null;
            first = (first + 1) & (ring.length - 1);
            count--;
        }
        return number;
    }

    void clear() {
        Arrays.fill(ring, null);
        count = 0;
    }
}
