package io.penstock.runtime;

import java.lang.foreign.MemorySegment;

/** Turns what a failed item of a launch has recorded into the exception for whoever waits for the launch. */
@FunctionalInterface
public interface FailureReader {
    /** The bytes of a failure record. */
    int BYTES = 128;

    /**
     * The exception for a record. Called once, on a thread of the queue's choice, while the record does not change.
     *
     * @param record {@value #BYTES} bytes as the kernel has left them, in host memory
     */
    RuntimeException read(MemorySegment record);
}
