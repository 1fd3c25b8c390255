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

    /** Blocks until all of it is over, failed or not. */
    void awaitEnds() {
        for (int i = 0; i < count; i++) lines[i].awaitEnd(numbers[i]);
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
