package io.penstock.comm;

import java.io.PrintStream;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Thrown on a rank of a job that has nothing to add to what another rank says in full. It prints as one line; its cause, where it has one,
 * is there for whoever asks.
 */
final class RepeatedFailure extends CommunicatorException {
    private static final long serialVersionUID = 1L;

    RepeatedFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public void printStackTrace(PrintStream stream) {
        stream.println(line());
    }

    @Override
    public void printStackTrace(PrintWriter writer) {
        writer.println(line());
    }

    /** Users know the class that they catch. */
    private String line() {
        return CommunicatorException.class.getName() + ": " + getMessage();
    }
}
