package io.penstock.comm;

/** How a reduction combines the elements that the ranks hold. */
public enum ReduceOp {
    /** The sum, taken in rank order. */
    SUM,
    /** The product, taken in rank order. */
    PROD,
    /** The smallest; NaN where any is NaN. Not for complex elements. */
    MIN,
    /** The largest; NaN where any is NaN. Not for complex elements. */
    MAX
}
