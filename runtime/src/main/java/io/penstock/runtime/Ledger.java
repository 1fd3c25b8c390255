package io.penstock.runtime;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides what has to wait for what. Every piece of work passes {@link #enter} once: it learns there which earlier work it
 * conflicts with, and later work learns of it.
 *
 * <p>All histories of the memory that the work touches are locked from the look at what was before until the work is in its
 * queue and published, so that of any two pieces in conflict one sees the other. They are locked in the order of their numbers.
 */
final class Ledger {
    private static final AtomicLong HISTORIES = new AtomicLong();

    /** Set once there is a queue that runs work apart from its submitter; until then no order can go wrong. */
    private static volatile boolean needed;

    /** Set once work may have been entered: what is within it knows so even when nothing needs the ledger any more. */
    private static volatile boolean used;

    /** Cleared by tests that prove that they would notice missing waits. */
    static volatile boolean waits = true;

    private Ledger() {}

    /** Whether work must be entered: from the first queue apart on, and while something else than queues uses memory. */
    static boolean isNeeded() {
        return needed || (used && Occupation.areOpen());
    }

    static void need() {
        OrderCheck.requireKnown();
        used = true;
        needed = true;
    }

    /** Something else than a queue is about to use memory. */
    static void occupied() {
        if (used) return;
        OrderCheck.requireKnown();
        used = true;
    }

    static boolean isUsed() {
        return used;
    }

    static History newHistory(boolean closed) {
        return new History(HISTORIES.getAndIncrement(), closed);
    }

    /** Hands a piece of work to its queue, if any, after everything that was submitted before and conflicts with it. */
    static void enter(Work work, @Nullable Queue queue) {
        Touch[] touches = work.touches();
        History[] histories = work.histories();
        boolean keptByWork = queue == null || queue.holds();
        boolean waiting = waits && !work.serves();
        int locked = 0;
        try {
            for (; locked < histories.length; locked++) histories[locked].lock();
            for (Touch touch : touches) {
                if (!keptByWork && touch.history().isClosed())
                    touch.allocation().requireOpen();
                if (waiting) touch.history().collect(touch.region(), touch.writes(), work);
            }
            work.line().number(work, queue);
            for (Touch touch : touches) touch.history().publish(work, touch.region(), touch.writes());
        } finally {
            while (locked > 0) histories[--locked].unlock();
        }
    }
}
