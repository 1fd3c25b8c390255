package io.penstock.runtime.cuda;

/** Thrown when the CUDA driver refuses a call or reports that a device has failed; the message names the error and the call. */
public final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    CudaException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** The driver's error code, a {@code CUresult}. */
    public int code() {
        return code;
    }
}
