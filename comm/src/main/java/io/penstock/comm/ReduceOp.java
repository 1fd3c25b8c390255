package io.penstock.comm;

/**
 * How a reduction combines the elements that the ranks hold. Ranks that are threads combine in rank order; by MPI the library
 * chooses the order, which depends on the number of ranks and of elements, and every rank gets the same bits all the same.
 */
public enum ReduceOp {
    /** The sum. Integers wrap around. */
    SUM,
    /** The product. Integers wrap around. */
    PROD,
    /** The smallest; NaN where any is NaN. Not for complex elements. */
    MIN,
    /** The largest; NaN where any is NaN. Not for complex elements. */
    MAX
}
