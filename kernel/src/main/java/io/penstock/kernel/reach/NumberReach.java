package io.penstock.kernel.reach;

/**
 * The numbers that an integer value takes, all items of a launch taken together.
 *
 * @param low no number is less
 * @param high no number is greater
 * @param perX by how much the value grows from an item to its neighbour along x, in the same rounds of all loops; what is added
 *     to that depends on values of which nothing is known
 * @param steady whether the bounds would fit an {@code int}, with room to spare, for all items of the range, those that do not
 *     come to the value included
 */
public record NumberReach(long low, long high, long perX, boolean steady) {
    /** Whether every one of the numbers is an {@code int}. */
    public boolean fitsInt() {
        return low >= Integer.MIN_VALUE && high <= Integer.MAX_VALUE;
    }
}
