package io.penstock.runtime.opencl;

import io.penstock.runtime.FailureReader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The launches of a queue that are not known to be over, oldest first: which work each belongs to, and who reads its failure. To
 * add and to drop allocates nothing once there is room for as many as are under way. For one thread at a time.
 */
final class Launches {
    /** The suspects that a message names at most. */
    private static final int NAMED = 3;

    /** In place of the readers of launches that are over, so that these can be collected. */
    private static final FailureReader NOBODY =
            record -> new IllegalStateException("a failure of a launch that is over");

    private long[] works = new long[64];
    private String[] names = new String[64];
    private FailureReader[] readers = new FailureReader[64];

    /** The numbers of the oldest launch under way and of the next one to come. */
    private int first;

    private int next;

    /** A launch whose failure was found. */
    record Launched(long work, FailureReader reader) {
        RuntimeException read(MemorySegment record) {
            return reader.read(record);
        }
    }

    /** Takes note of a launch; returns the number by which it is found again. Numbers wrap around. */
    int add(long work, String name, FailureReader reader) {
        if (next - first == works.length) grow();
        int slot = next & (works.length - 1);
        works[slot] = work;
        names[slot] = name;
        readers[slot] = reader;
        return next++;
    }

    private void grow() {
        int length = works.length;
        long[] olderWorks = works;
        String[] olderNames = names;
        FailureReader[] olderReaders = readers;
        works = new long[2 * length];
        names = Arrays.copyOf(names, 2 * length);
        readers = Arrays.copyOf(readers, 2 * length);
        for (int number = first; number != next; number++) {
            int from = number & (length - 1);
            int to = number & (2 * length - 1);
            works[to] = olderWorks[from];
            names[to] = olderNames[from];
            readers[to] = olderReaders[from];
        }
    }

    /** The launch of a number; null when it is over already. */
    @Nullable
    Launched find(int number) {
        if (number - first < 0 || number - next >= 0) return null;
        int slot = number & (works.length - 1);
        return new Launched(works[slot], readers[slot]);
    }

    /** Drops the launches of work up to a number. */
    void over(long upTo) {
        while (first != next && works[first & (works.length - 1)] <= upTo)
            readers[first++ & (works.length - 1)] = NOBODY;
    }

    /** The launches that may be to blame when the queue fails, as a clause for a message; empty when there is none. */
    String suspect() {
        if (first == next) return "";
        StringBuilder text =
                new StringBuilder("; suspected is the launch of ").append(names[first & (works.length - 1)]);
        for (int k = 1; k < Math.min(NAMED, next - first); k++)
            text.append(k == 1 ? ", else one of those behind it: " : ", ")
                    .append(names[(first + k) & (works.length - 1)]);
        return text.toString();
    }
}
