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
        String where = RankBoard.call(rank, RankBoard.isWithinCall(cause.getStackTrace()));
        return new Failure("rank " + rank.rank() + " failed: " + what(cause) + " (" + where + ")", cause);
    }

    private static @Nullable String what(Throwable cause) {
        return cause instanceof CommunicatorException ? cause.getMessage() : cause.toString();
    }

    /** Whether what a rank has thrown reads like an exception of another. */
    static boolean isAlike(Throwable one, @Nullable Throwable other) {
        return other != null && one.toString().equals(other.toString());
    }

    /** Whether another rank's failure, as that rank has described it, reads like this one. */
    boolean isToldBy(String other) {
        return cause != null && !other.equals(message) && other.contains(" failed: " + what(cause) + " (");
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
