package io.penstock.runtime;

import java.util.Arrays;
import java.util.List;
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

    /** Cleared by tests that prove that they would notice missing waits. */
    static volatile boolean waits = true;

    private Ledger() {}

    static boolean isNeeded() {
        return needed;
    }

    static void need() {
        needed = true;
    }

    static History newHistory() {
        return new History(HISTORIES.getAndIncrement());
    }

    /** Hands a piece of work to its queue, if any, after everything that was submitted before and conflicts with it. */
    static void enter(Work work, @Nullable Queue queue) {
        History[] histories = work.histories();
        List<Access> accesses = work.accesses();
        int locked = 0;
        try {
            for (; locked < histories.length; locked++) histories[locked].lock();
            for (int i = 0; i < accesses.size(); i++) {
                Access access = accesses.get(i);
                Allocation allocation = access.buffer().allocation();
                if (queue != null && !queue.holds()) allocation.requireOpen();
                if (waits && !work.serves()) allocation.history().collect(access.region(), access.writes(), work);
            }
            work.line().number(work, queue);
            for (int i = 0; i < accesses.size(); i++) {
                Access access = accesses.get(i);
                access.buffer().allocation().history().publish(work, access.region(), access.writes());
            }
        } finally {
            while (locked > 0) histories[--locked].unlock();
        }
    }

    /** The distinct histories of what is touched, in the order of their numbers. */
    static History[] histories(List<Access> accesses) {
        History[] sorted = new History[accesses.size()];
        int count = 0;
        for (Access access : accesses) {
            History history = access.buffer().allocation().history();
            int at = count;
            while (at > 0 && sorted[at - 1].number() > history.number()) at--;
            if (at > 0 && sorted[at - 1] == history) continue;
            System.arraycopy(sorted, at, sorted, at + 1, count - at);
            sorted[at] = history;
            count++;
        }
        return Arrays.copyOf(sorted, count);
    }
}
