package io.penstock.comm;

/** What ranks do when one of them keeps the others waiting beyond the deadline. */
public enum OnHang {
    /** All ranks end with an error that says, in a line for each rank, where it stands. */
    END,
    /** Before they end, the ranks print the stacks of their threads on standard error. */
    DUMP
}
