package io.penstock.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** For each of several lines, the highest number that something has to wait for. */
final class Waits {
    /** Is shown a line and a number. */
    interface Visitor {
        void visit(Line line, long number);
    }

    private Line[] lines = new Line[4];
    private long[] numbers = new long[4];
    private int count;

    void add(Line line, long number) {
        for (int i = 0; i < count; i++)
            if (lines[i] == line) {
                numbers[i] = Math.max(numbers[i], number);
                return;
            }
        if (count == lines.length) {
            lines = Arrays.copyOf(lines, 2 * count);
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        lines[count] = line;
        numbers[count++] = number;
    }

    /**
     * Blocks until all of it is over, failed or not.
     *
     * @param queue the name of the queue whose work waits, for the flight recorder
     * @param number the number of the work that waits
     */
    void awaitEnds(String queue, long number) {
        for (int i = 0; i < count; i++) {
            if (lines[i].hasEnded(numbers[i])) continue;
            WaitEvent event = new WaitEvent();
            event.begin();
            lines[i].awaitEnd(numbers[i]);
            if (!event.shouldCommit()) continue;
            event.queue = queue;
            event.number = number;
            event.producer = lines[i].name();
            event.upTo = numbers[i];
            event.commit();
        }
    }

    /** Why some of it, all of which is over, has failed; null when nothing has, or somebody was told already. */
    @Nullable
    Throwable failure() {
        for (int i = 0; i < count; i++) {
            Throwable cause = lines[i].failure(numbers[i]);
            if (cause != null) return cause;
        }
        return null;
    }

    /** Blocks until all of it is over; throws a failure unless somebody was told already. */
    void await() {
        for (int i = 0; i < count; i++) lines[i].await(numbers[i]);
    }

    /** Shows each line and the number to wait for. */
    void forEach(Visitor visitor) {
        for (int i = 0; i < count; i++) visitor.visit(lines[i], numbers[i]);
    }

    boolean isEmpty() {
        return count == 0;
    }
}
