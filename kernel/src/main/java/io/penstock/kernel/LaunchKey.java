package io.penstock.kernel;

import java.util.Arrays;

/**
 * What the code and the reach of a launch depend on, but for which views overlap: the range, the layouts of views, and numbers that are
 * no floating-point ones.
 */
final class LaunchKey {
    private final long[] words;

    LaunchKey(long[] words) {
        this.words = words;
    }

    static LaunchKey of(Range range, Object[] values) {
        int size = 8;
        for (Object value : values)
            if (value instanceof ElementView view) size += 1 + 2 * view.dimensions();
            else if (!isFloating(value)) size++;
        long[] words = new long[size];
        GroupShape group = range.group();
        words[0] = range.dimensions();
        words[1] = range.z();
        words[2] = range.y();
        words[3] = range.x();
        words[4] = group.chosen() ? 1 : 0;
        words[5] = group.z();
        words[6] = group.y();
        words[7] = group.x();
        int next = 8;
        for (Object value : values)
            if (value instanceof ElementView view) {
                int rank = view.dimensions();
                words[next++] = rank;
                for (int k = 0; k < rank; k++) {
                    words[next++] = view.extent(k);
                    words[next++] = view.stride(k);
                }
            } else if (!isFloating(value)) words[next++] = integer(value);
        return new LaunchKey(words);
    }

    static boolean isFloating(Object value) {
        return value instanceof Float || value instanceof Double;
    }

    private static long integer(Object value) {
        if (value instanceof Boolean b) return b ? 1 : 0;
        return value instanceof Character c ? c : ((Number) value).longValue();
    }

    /** The numbers that it consists of; not to be changed. */
    long[] words() {
        return words;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LaunchKey key && Arrays.equals(words, key.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
