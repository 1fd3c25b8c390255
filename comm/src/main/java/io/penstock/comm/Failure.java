package io.penstock.comm;

import org.jspecify.annotations.Nullable;

/**
 * Why the ranks of a world can no longer work together.
 *
 * @param message what happened, naming the rank
 * @param cause the exception of the rank that failed first; null when the ranks disagree or wait in vain
 */
record Failure(String message, @Nullable Throwable cause) {
    static Failure of(RankState rank, Throwable cause) {
        String what = cause instanceof CommunicatorException ? cause.getMessage() : cause.toString();
        return new Failure("rank " + rank.rank() + " failed: " + what + " (" + RankBoard.call(rank) + ")", cause);
    }

    /** A new exception for one more rank that learns of the failure. */
    CommunicatorException exception() {
        return new Echo(this);
    }

    /** Whether an exception only passes this failure on. */
    @SuppressWarnings("ReferenceEquality") // exceptions have no value
    boolean isEcho(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause())
            if (t == cause || (t instanceof Echo echo && echo.failure == this)) return true;
        return false;
    }

    private static final class Echo extends CommunicatorException {
        private static final long serialVersionUID = 1L;
        private final transient Failure failure;

        Echo(Failure failure) {
            super(failure.message, failure.cause);
            this.failure = failure;
        }
    }
}
