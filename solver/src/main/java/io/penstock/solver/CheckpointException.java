package io.penstock.solver;

import org.jspecify.annotations.Nullable;

/** A checkpoint that cannot be written or read; thrown on every rank alike. */
public final class CheckpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CheckpointException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
