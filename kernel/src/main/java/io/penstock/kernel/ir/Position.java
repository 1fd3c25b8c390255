package io.penstock.kernel.ir;

import org.jspecify.annotations.Nullable;

/**
 * A place in the source of a kernel or of a method that it calls.
 *
 * @param method class and method, such as {@code Example.copyColumn}
 * @param file the source file's name
 * @param line the line; -1 when the class file does not say
 * @param caller where the method was called, when it is not the kernel itself
 */
public record Position(
        String method, String file, int line, @Nullable Position caller) {
    /** The line of the kernel itself: this one's, or that of the call which led here. */
    public int kernelLine() {
        return caller == null ? line : caller.kernelLine();
    }

    /** As a person would write it: {@code Example.copyColumn (Example.java:12)}, with the calls that led there. */
    @Override
    public String toString() {
        String here = method + " (" + file + (line < 0 ? "" : ":" + line) + ")";
        return caller == null ? here : here + ", called from " + caller;
    }
}
