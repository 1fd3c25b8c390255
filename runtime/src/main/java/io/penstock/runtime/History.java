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
 * <p>Uses are kept in parallel arrays, so that to publish one allocates nothing.
 */
final class History {
    static final int CAPACITY = 64;

    private final long number;
    private final ReentrantLock lock = new ReentrantLock();

    /** The k-th use: what the work of a line up to a number did to a region. */
    private @Nullable Line[] lines = new @Nullable Line[4];

    private long[] numbers = new long[4];
    private @Nullable Region[] regions = new @Nullable Region[4];
    private boolean[] writes = new boolean[4];
    private volatile int count;

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

    private Line line(int k) {
        Line line = lines[k];
        if (line == null) throw new IndexOutOfBoundsException("use " + k + " of " + count);
        return line;
    }

    private Region region(int k) {
        Region region = regions[k];
        if (region == null) throw new IndexOutOfBoundsException("use " + k + " of " + count);
        return region;
    }

    /** Tells a piece of work what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writing, Work work) {
        for (int k = 0; k < count; k++)
            if (!work.line().equals(lines[k])
                    && (writing || writes[k])
                    && !(line(k).isOccupation() && work.line().isOccupation())
                    && region(k).overlaps(region)) work.waits().add(line(k), numbers[k]);
    }

    /** Tells the host what it has to wait for before it touches {@code region}. */
    void collect(Region region, boolean writing, Waits waits) {
        dropSettled();
        for (int k = 0; k < count; k++)
            if ((writing || writes[k]) && region(k).overlaps(region)) waits.add(line(k), numbers[k]);
    }

    /** Tells what must be over on drivers' queues before the memory may be given away. Work on the host holds the memory itself. */
    void collectDrivers(Waits waits) {
        for (int k = 0; k < count; k++)
            if (lines[k] instanceof DriverLine line && !line.isSettled(numbers[k])) waits.add(line, numbers[k]);
    }

    /** Adds the use that a piece of work makes, which has its number. */
    void publish(Work work, Region region, boolean writing) {
        if (region.isEmpty()) return;
        dropCovered(work, region, writing);
        if (count == regions.length) {
            dropSettled();
            if (count >= CAPACITY) join();
            if (2 * count > regions.length) grow();
        }
        int end = count;
        set(end, work.line(), work.number(), region, writing);
        count = end + 1;
    }

    private void set(int k, Line line, long upTo, Region region, boolean writing) {
        lines[k] = line;
        numbers[k] = upTo;
        regions[k] = region;
        writes[k] = writing;
    }

    private void grow() {
        int length = 2 * regions.length;
        lines = Arrays.copyOf(lines, length);
        numbers = Arrays.copyOf(numbers, length);
        regions = Arrays.copyOf(regions, length);
        writes = Arrays.copyOf(writes, length);
    }

    private void keep(int from, int to) {
        if (from != to) set(to, line(from), numbers[from], region(from), writes[from]);
    }

    /** A write covers every use within its region that it waits for; a read only earlier reads of its own line. */
    private void dropCovered(Work work, Region region, boolean writing) {
        Line line = work.line();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            boolean unordered = work.serves() || (line.isOccupation() && line(k).isOccupation());
            boolean covers =
                    !unordered && (writing || (line.equals(lines[k]) && !writes[k])) && region.covers(region(k));
            if (!covers) keep(k, kept++);
        }
        truncate(kept);
    }

    private void dropSettled() {
        int kept = 0;
        for (int k = 0; k < count; k++) if (!line(k).isSettled(numbers[k])) keep(k, kept++);
        truncate(kept);
    }

    private void join() {
        int kept = 0;
        for (int k = 0; k < count; k++) {
            int i = 0;
            while (i < kept && !line(k).equals(lines[i])) i++;
            if (i == kept) keep(k, kept++);
            else set(i, line(k), Math.max(numbers[i], numbers[k]), region(i).bounds(region(k)), writes[i] || writes[k]);
        }
        truncate(kept);
    }

    private void truncate(int kept) {
        if (kept == count) return;
        Arrays.fill(lines, kept, count, null);
        Arrays.fill(regions, kept, count, null);
        count = kept;
    }
}
