package io.penstock.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The lines that one line has waited for on the device, and up to which number of each. Guarded by that line's monitor. */
final class Following {
    private @Nullable Line[] lines = new @Nullable Line[4];
    private long[] numbers = new long[4];
    private int count;

    /** Whether everything up to a number of a line was waited for. */
    boolean has(Line line, long number) {
        int k = find(line);
        return k < count && numbers[k] >= number;
    }

    /** Notes that a line was waited for up to a number. */
    void add(Line line, long number) {
        int k = find(line);
        if (k == lines.length) {
            lines = Arrays.copyOf(lines, 2 * k);
            numbers = Arrays.copyOf(numbers, 2 * k);
        }
        if (k == count) count++;
        lines[k] = line;
        numbers[k] = number;
    }

    private int find(Line line) {
        int k = 0;
        while (k < count && !line.equals(lines[k])) k++;
        return k;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Shows each line and its number. */
    void forEach(Waits.Visitor visitor) {
        for (int k = 0; k < count; k++) {
            Line line = lines[k];
            if (line != null) visitor.visit(line, numbers[k]);
        }
    }
}
