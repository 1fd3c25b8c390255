package io.penstock.array;

import org.jspecify.annotations.Nullable;

/** Thrown when a file of arrays cannot be read or written; the message names the file, the place in it and what was expected. */
public class ArrayFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception about a place in a file. */
    public ArrayFileException(String file, String place, String problem) {
        this(file, place, problem, null);
    }

    /** An exception about a place in a file, with what caused it. */
    public ArrayFileException(String file, String place, String problem, @Nullable Throwable cause) {
        super(file + ": " + place + ": " + problem, cause);
    }
}
