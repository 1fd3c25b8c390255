package io.penstock.bench.copy;

import io.penstock.runtime.Queue;

/** A kernel that copies, in one of the ways to write it. Each method makes a launch, to be run any number of times. */
interface Copier {
    /** What the kernel is written in. */
    String language();

    /** Copies everything. */
    Runnable all(Queue queue, Columns columns);

    /** Copies a column, of which alone the kernel is told. */
    Runnable slice(Queue queue, Columns columns, int column);

    /** Copies a column; the kernel is given the arrays whole, and the column's number. */
    Runnable column(Queue queue, Columns columns, int column);
}
