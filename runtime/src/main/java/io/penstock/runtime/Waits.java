package io.penstock.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** For each of several lines, the highest number that something has to wait for. */
final class Waits {
    /** Is shown a line and a number. */
    interface Visitor {
        void visit(Line line, long number);
    }

    private @Nullable Line[] lines = new @Nullable Line[4];
    private long[] numbers = new long[4];
    private int count;

    void add(Line line, long number) {
        for (int i = 0; i < count; i++)
            if (line.equals(lines[i])) {
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

    int count() {
        return count;
    }

    Line line(int i) {
        Line line = lines[i];
        if (line == null) throw new IndexOutOfBoundsException("wait " + i + " of " + count);
        return line;
    }

    long number(int i) {
        return numbers[i];
    }

    /** Takes out the i-th wait; another takes its place. */
    void remove(int i) {
        count--;
        lines[i] = lines[count];
        numbers[i] = numbers[count];
        lines[count] = null;
    }

    void clear() {
        Arrays.fill(lines, 0, count, null);
        count = 0;
    }

    /** Blocks until all of it is over, failed or not, before a piece of work is run on the calling thread. */
    void awaitEnds(Work work, boolean direct) {
        for (int i = 0; i < count; i++) {
            Line line = line(i);
            if (line.hasEnded(numbers[i])) continue;
            if (Tracing.isOn()) Tracing.await(work.place(direct), work.line().name(), work.number(), line, numbers[i]);
            else line.awaitEnd(numbers[i]);
        }
    }

    /**
     * Blocks until all of it is over, failed or not, on behalf of the host.
     *
     * @param waiter who waits, for the flight recorder
     */
    void awaitEnds(String waiter) {
        for (int i = 0; i < count; i++) {
            Line line = line(i);
            if (line.hasEnded(numbers[i])) continue;
            if (Tracing.isOn()) Tracing.await(Place.ofThread(), waiter, 0, line, numbers[i]);
            else line.awaitEnd(numbers[i]);
        }
    }

    /** Why some of it, all of which is over, has failed; null when nothing has, or somebody was told already. */
    @Nullable
    Throwable failure() {
        for (int i = 0; i < count; i++) {
            Throwable cause = line(i).failure(numbers[i]);
            if (cause != null) return cause;
        }
        return null;
    }

    /** Blocks until all of it is over; throws a failure unless somebody was told already. */
    void await() {
        for (int i = 0; i < count; i++) line(i).await(numbers[i]);
    }

    /** Shows each line and the number to wait for. */
    void forEach(Visitor visitor) {
        for (int i = 0; i < count; i++) visitor.visit(line(i), numbers[i]);
    }

    boolean isEmpty() {
        return count == 0;
    }
}
