package io.penstock.array;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
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

    private ArrayFileException(String message, IOException cause) {
        super(message, cause);
    }

    /** That {@code place} in a file, or the whole file, cannot be read; {@code expected} ends the message. */
    static ArrayFileException unreadable(String file, String place, IOException cause, String expected) {
        if (cause instanceof NoSuchFileException)
            return new ArrayFileException(file + ": there is no such file", cause);
        return new ArrayFileException(file, place, "cannot be read: " + reason(cause) + expected, cause);
    }

    /** That a file cannot be written. */
    static ArrayFileException unwritable(String file, IOException cause) {
        if (cause instanceof NoSuchFileException)
            return new ArrayFileException(
                    file + ": cannot be written: its folder does not exist; make it first", cause);
        return new ArrayFileException(file + ": cannot be written: " + reason(cause), cause);
    }

    /** What the operating system says; its exceptions repeat the file's name, and some say nothing else. */
    private static String reason(IOException cause) {
        if (!(cause instanceof FileSystemException failure)) return String.valueOf(cause.getMessage());
        return failure.getReason() != null
                ? failure.getReason()
                : cause.getClass().getSimpleName();
    }
}
