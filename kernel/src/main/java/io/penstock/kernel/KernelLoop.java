package io.penstock.kernel;

/** The compiled loop of one kernel over part of a range. */
abstract class KernelLoop {
    /**
     * Calls the kernel for each item from {@code from} (inclusive) to {@code to} (exclusive), counted in C order.
     *
     * @param body the lambda, for loops that call it rather than the method behind it
     * @param values what the kernel is called with, captured values first, each already of its parameter's type
     * @throws ItemFailure when an item fails; the items after it are not run
     */
    abstract void run(KernelBody body, Object[] values, Range range, long from, long to);
}
