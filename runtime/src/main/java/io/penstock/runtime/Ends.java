package io.penstock.runtime;

import java.util.Arrays;

/** When the latest pieces of a line ended, while there is a trace: what waits for one is shown to wait from there. */
final class Ends {
    /** Nobody is seen to wait for what is further back. */
    private static final int MOST = 1024;

    private final Place place;
    private long[] numbers = new long[2];
    private long[] nanos = new long[2];
    private int count;

    Ends(Place place) {
        this.place = place;
    }

    /** Where the line's work is shown. */
    Place place() {
        return place;
    }

    synchronized void add(long number, long end) {
        if (count >= numbers.length && numbers.length < MOST) {
            numbers = Arrays.copyOf(numbers, 2 * count);
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        numbers[count % numbers.length] = number;
        nanos[count % nanos.length] = end;
        count++;
    }

    /** When a piece ended; zero when that is not known. */
    synchronized long of(long number) {
        for (int k = count - 1; k >= Math.max(0, count - numbers.length); k--)
            if (numbers[k % numbers.length] == number) return nanos[k % nanos.length];
        return 0;
    }
}
