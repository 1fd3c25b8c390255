package io.penstock.comm;

/**
 * What a rank has sent through a communicator.
 *
 * <p>Nothing is counted for a part that a rank hands to itself in a gather, a scatter or an all-to-all.
 *
 * @param messages point-to-point messages sent, plus collectives entered (each counts once)
 * @param bytes bytes of the arrays and values that this rank handed over to be sent; a reduction counts its elements once
 */
public record Traffic(long messages, long bytes) {
    /** What was sent since an earlier reading. */
    public Traffic since(Traffic earlier) {
        return new Traffic(messages - earlier.messages, bytes - earlier.bytes);
    }
}
