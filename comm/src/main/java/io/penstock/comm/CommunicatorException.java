package io.penstock.comm;

/**
 * Thrown on every rank when ranks can no longer work together: one of them threw, they disagreed about a collective, or one
 * did not come before the deadline. The message says who did what.
 */
public class CommunicatorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with the given message. */
    public CommunicatorException(String message) {
        super(message);
    }

    /** An exception with the given message and cause. */
    public CommunicatorException(String message, Throwable cause) {
        super(message, cause);
    }
}
