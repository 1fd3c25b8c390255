package io.penstock.runtime.opencl;

import io.penstock.foreign.OpenCl;

/** Thrown when an OpenCL driver refuses a call; the message names the call, what it was for, and the driver's error. */
public final class OpenClException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final int code;

    OpenClException(String call, int code) {
        super(call + " failed: " + OpenCl.errorName(code));
        this.code = code;
    }

    /** The error's number in OpenCL's header. */
    public int code() {
        return code;
    }

    /** Throws when {@code code} is an error. */
    static void check(int code, String call) {
        if (code != OpenCl.CL_SUCCESS) throw new OpenClException(call, code);
    }
}
