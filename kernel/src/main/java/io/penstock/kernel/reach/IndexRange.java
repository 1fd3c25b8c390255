package io.penstock.kernel.reach;

/**
 * The numbers {@code first}, {@code first + step} and so on to {@code last}; the least and greatest long stand for no bound.
 *
 * @param step the distance between neighbours, at least 1; a multiple of it leads from the first to the last
 */
public record IndexRange(long first, long last, long step) {
    /** Whether all of them are indices of an extent. */
    public boolean within(long extent) {
        return first >= 0 && last < extent;
    }

    /** Those of them that are indices of an extent; the last is before the first if none is. */
    public IndexRange upTo(long extent) {
        long from = first >= 0 ? first : first == Long.MIN_VALUE ? 0 : Math.floorMod(first, step);
        long to = Math.min(last, extent - 1);
        return new IndexRange(from, to < from ? from - 1 : to - (to - from) % step, step);
    }

    /** Whether a number is one of these. */
    public boolean contains(long index) {
        return index >= first && index <= last && (index - first) % step == 0;
    }
}
