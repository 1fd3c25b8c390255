package io.penstock.comm;

import org.jspecify.annotations.Nullable;

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

    /** An exception with the given message and, where there is one, cause. */
    public CommunicatorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
