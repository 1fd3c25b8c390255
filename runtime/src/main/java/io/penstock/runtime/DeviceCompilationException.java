package io.penstock.runtime;

/** Thrown when a device's compiler refuses a program; the message holds what the compiler says, and which compiler it is. */
public final class DeviceCompilationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with that message. */
    public DeviceCompilationException(String message) {
        super(message);
    }
}
