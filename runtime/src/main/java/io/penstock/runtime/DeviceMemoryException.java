package io.penstock.runtime;

/** Thrown when a device has too little memory left; the message gives the sizes asked for, live, pooled and allowed. */
public class DeviceMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with the given message. */
    public DeviceMemoryException(String message) {
        super(message);
    }
}
