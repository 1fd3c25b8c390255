package io.penstock.runtime;

/** Thrown when a device has stopped to answer, or its driver refuses all further work: its memory is lost with it. */
public final class DeviceLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says what is suspected of having caused it. */
    public DeviceLostException(String message) {
        super(message);
    }

    DeviceLostException(RuntimeException cause) {
        super("the device takes no more work: " + cause.getMessage(), cause);
    }
}
