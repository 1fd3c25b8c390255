package io.penstock.runtime;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The uses of one allocation that later work may have to wait for. All methods but {@link #isBusy} need the lock.
 *
 * <p>A use is dropped when a later one covers it, since whoever conflicts with it also conflicts with the later one, which
 * already waits for it; or when it is over. Where {@value #CAPACITY} remain, those of each line are joined over their common
 * bounds: later work may then wait for more than it must, never for less.
 */
final class History {
    static final int CAPACITY = 64;

    private final long number;
    private final ReentrantLock lock = new ReentrantLock();
    private Use[] uses = new Use[4];
    private volatile int count;

    /** What the work of a line up to a number did to the allocation. */
    private record Use(Line line, long number, Region region, boolean writes) {
        boolean conflicts(Region other, boolean otherWrites) {
            return (writes || otherWrites) && region.overlaps(other);
        }

        /** A write covers every use within its region that it waits for; a read only earlier reads of its own line. */
        boolean covers(Use earlier) {
            if (line.isOccupation() && earlier.line.isOccupation()) return false;
            return region.covers(earlier.region) && (writes || (earlier.line == line && !earlier.writes));
        }

        Use joined(Use other) {
            return new Use(line, Math.max(number, other.number), region.bounds(other.region), writes || other.writes);
        }
    }

    /** Whether to keep a use. */
    private interface Filter {
        boolean keeps(Use use);
    }

    History(long number) {
        this.number = number;
    }

    /** Its place in the order in which histories are locked. */
    long number() {
        return number;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Whether there is any use that somebody may have to wait for. Says yes when in doubt; needs no lock. */
    boolean isBusy() {
        return count > 0;
    }

    int size() {
        return count;
    }

    /** Tells a piece of work what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writes, Work work) {
        for (int i = 0; i < count; i++) {
            Use use = uses[i];
            if (use.line != work.line()
                    && !(use.line.isOccupation() && work.line().isOccupation())
                    && use.conflicts(region, writes)) work.waits().add(use.line, use.number);
        }
    }

    /** Tells the host what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writes, Waits waits) {
        retain(use -> !use.line.isSettled(use.number));
        for (int i = 0; i < count; i++) {
            Use use = uses[i];
            if (use.conflicts(region, writes)) waits.add(use.line, use.number);
        }
    }

    /** Adds the use that a piece of work makes, which has its number. */
    void publish(Work work, Region region, boolean writes) {
        if (region.isEmpty()) return;
        Use added = new Use(work.line(), work.number(), region, writes);
        retain(use -> !added.covers(use));
        if (count == uses.length) {
            retain(use -> !use.line.isSettled(use.number));
            if (count >= CAPACITY) join();
            if (2 * count > uses.length) uses = Arrays.copyOf(uses, 2 * uses.length);
        }
        int end = count;
        uses[end] = added;
        count = end + 1;
    }

    private void retain(Filter filter) {
        int kept = 0;
        for (int i = 0; i < count; i++) if (filter.keeps(uses[i])) uses[kept++] = uses[i];
        truncate(kept);
    }

    private void join() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Use use = uses[i];
            int k = 0;
            while (k < kept && uses[k].line != use.line) k++;
            if (k == kept) uses[kept++] = use;
            else uses[k] = uses[k].joined(use);
        }
        truncate(kept);
    }

    private void truncate(int kept) {
        Arrays.fill(uses, kept, count, null);
        count = kept;
    }
}
