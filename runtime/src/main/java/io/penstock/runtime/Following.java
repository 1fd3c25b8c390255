package io.penstock.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lines that one line has waited for on the device, and up to which number of each. Guarded by that line's monitor. */
final class Following {
    private static final List<Followed> NONE = List.of();

    private @Nullable DriverLine[] lines = new @Nullable DriverLine[4];
    private long[] numbers = new long[4];
    private int count;

    /** How long a chain of lines that follow one another may grow before somebody looks what of it can be forgotten. */
    private static final int DEPTH = 64;

    /** How many lines follow one another up to this one, since somebody looked; other lines read it without the monitor. */
    private volatile int depth;

    /** Whether it is time to look what can be forgotten: the chain is long, or there is no more room. */
    private boolean untidy;

    /** A line and up to which number it was waited for. */
    record Followed(DriverLine line, long number) {
        /** Whether it is over, and nobody has to be told of a failure in it. Asks the driver. */
        boolean isOver() {
            line.look(number);
            return line.hasEndedWell(number);
        }
    }

    /** Whether everything up to a number of a line was waited for. */
    boolean has(Line line, long number) {
        int k = find(line);
        return k < count && numbers[k] >= number;
    }

    /** Notes that a line was waited for up to a number. */
    void add(DriverLine line, long number) {
        int k = find(line);
        if (k == lines.length) {
            lines = Arrays.copyOf(lines, 2 * k);
            numbers = Arrays.copyOf(numbers, 2 * k);
        }
        if (k == count) {
            count++;
            depth = Math.max(depth, line.depth() + 1);
            untidy |= depth >= DEPTH || count == lines.length;
        }
        lines[k] = line;
        numbers[k] = number;
    }

    /** Whether somebody should look what can be forgotten, which is asked once. */
    boolean takeUntidy() {
        boolean now = untidy;
        if (now) depth = 0;
        untidy = false;
        return now;
    }

    int depth() {
        return depth;
    }

    /** Takes a line out, unless it was waited for further meanwhile. */
    void remove(Followed followed) {
        int k = find(followed.line);
        if (k == count || numbers[k] != followed.number) return;
        count--;
        lines[k] = lines[count];
        numbers[k] = numbers[count];
        lines[count] = null;
    }

    private int find(Line line) {
        int k = 0;
        while (k < count && !line.equals(lines[k])) k++;
        return k;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether all of it is known to be over, and nobody has to be told of a failure in it. */
    boolean haveEndedWell() {
        for (int k = 0; k < count; k++) if (!line(k).hasEndedWell(numbers[k])) return false;
        return true;
    }

    private DriverLine line(int k) {
        return Objects.requireNonNull(lines[k]);
    }

    /** All lines and numbers as they are now. */
    List<Followed> now() {
        if (count == 0) return NONE;
        List<Followed> now = new ArrayList<>(count);
        for (int k = 0; k < count; k++) now.add(new Followed(line(k), numbers[k]));
        return now;
    }
}
