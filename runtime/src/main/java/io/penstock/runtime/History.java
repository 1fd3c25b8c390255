package io.penstock.runtime;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The uses of one allocation that later work may have to wait for. All methods but {@link #isBusy} need the lock.
 *
 * <p>A use is dropped when a later one covers it, since whoever conflicts with it also conflicts with the later one, which
 * already waits for it; or when it is known to be over. Where {@value #CAPACITY} remain, those of each line are joined over
 * their common bounds: later work may then wait for more than it must, never for less.
 *
 * <p>Uses are mutable and used again, so that to publish one allocates nothing.
 */
final class History {
    static final int CAPACITY = 64;

    /** What the work of a line up to a number did to a region. */
    private static final class Use {
        private @Nullable Line line;
        private long number;
        private @Nullable Region region;
        private boolean writes;

        Line line() {
            if (line == null) throw new IllegalStateException("a use that is none");
            return line;
        }

        Region region() {
            if (region == null) throw new IllegalStateException("a use that is none");
            return region;
        }

        boolean isSettled() {
            return line().isSettled(number);
        }

        boolean meets(Region other, boolean writing) {
            return (writing || writes) && region().overlaps(other);
        }

        void set(@Nullable Line user, long upTo, @Nullable Region what, boolean writing) {
            line = user;
            number = upTo;
            region = what;
            writes = writing;
        }
    }

    private final long number;
    private final ReentrantLock lock = new ReentrantLock();

    /** The first {@code count} are uses; those behind are blank. */
    private Use[] uses = {new Use(), new Use()};

    private volatile int count;
    private volatile boolean closed;

    History(long number, boolean closed) {
        this.number = number;
        this.closed = closed;
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

    /** Whether the allocation was closed; needs no lock. */
    boolean isClosed() {
        return closed;
    }

    /** Notes that the allocation was closed; needs no lock. */
    void close() {
        closed = true;
    }

    /** Tells a piece of work what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writing, Work work) {
        Line own = work.line();
        for (int k = 0; k < count; k++) {
            Use use = uses[k];
            Line line = use.line();
            if (!line.equals(own) && !(line.isOccupation() && own.isOccupation()) && use.meets(region, writing))
                work.waits().add(line, use.number);
        }
    }

    /** Tells the host what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writing, Waits waits) {
        dropSettled();
        for (int k = 0; k < count; k++) if (uses[k].meets(region, writing)) waits.add(uses[k].line(), uses[k].number);
    }

    /** Tells what must be over on drivers' queues before the memory may be given away. Work on the host holds the memory itself. */
    void collectDrivers(Waits waits) {
        for (int k = 0; k < count; k++)
            if (uses[k].line() instanceof DriverLine line && line.ended < uses[k].number)
                waits.add(line, uses[k].number);
    }

    /** Adds the use that a piece of work makes, which has its number. */
    void publish(Work work, Region region, boolean writing) {
        if (count == 1 && isSame(uses[0], work.line(), region, writing)) {
            uses[0].number = work.number();
            return;
        }
        if (region.isEmpty()) return;
        dropCovered(work, region, writing);
        if (count == uses.length) {
            dropSettled();
            if (count >= CAPACITY) join();
            if (count >= CAPACITY) dropOver();
            if (2 * count > uses.length) grow();
        }
        int end = count;
        uses[end].set(work.line(), work.number(), region, writing);
        count = end + 1;
    }

    private static boolean isSame(Use use, Line line, Region region, boolean writing) {
        return use.writes == writing && line.equals(use.line) && region.equals(use.region);
    }

    private void grow() {
        int length = uses.length;
        uses = Arrays.copyOf(uses, 2 * length);
        for (int k = length; k < uses.length; k++) uses[k] = new Use();
    }

    /** Keeps the k-th use, as the one of number {@code to} at most k; what stood there comes behind. */
    private void keep(int k, int to) {
        Use use = uses[k];
        uses[k] = uses[to];
        uses[to] = use;
    }

    /** A write covers every use within its region that it waits for; a read only earlier reads of its own line. */
    private void dropCovered(Work work, Region region, boolean writing) {
        Line line = work.line();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            Use use = uses[k];
            boolean unordered =
                    work.serves() || (line.isOccupation() && use.line().isOccupation());
            boolean covers =
                    !unordered && (writing || (line.equals(use.line) && !use.writes)) && region.covers(use.region());
            if (!covers) keep(k, kept++);
        }
        truncate(kept);
    }

    private void dropSettled() {
        int kept = 0;
        for (int k = 0; k < count; k++) if (!uses[k].isSettled()) keep(k, kept++);
        truncate(kept);
    }

    /** Asks drivers too: of queues that nobody uses any more, nobody else will. */
    private void dropOver() {
        int kept = 0;
        for (int k = 0; k < count; k++) if (!uses[k].line().settles(uses[k].number)) keep(k, kept++);
        truncate(kept);
    }

    private void join() {
        int kept = 0;
        for (int k = 0; k < count; k++) {
            Use use = uses[k];
            int i = 0;
            while (i < kept && !use.line().equals(uses[i].line)) i++;
            if (i == kept) keep(k, kept++);
            else
                uses[i].set(
                        use.line,
                        Math.max(uses[i].number, use.number),
                        uses[i].region().bounds(use.region()),
                        uses[i].writes || use.writes);
        }
        truncate(kept);
    }

    private void truncate(int kept) {
        if (kept == count) return;
        for (int k = kept; k < count; k++) uses[k].set(null, 0, null, false);
        count = kept;
    }
}
