package io.penstock.kernel;

/**
 * Thrown by a launch when a work-item fails. The message names the kernel, the source line, the work-item and the device; the
 * cause is what the item threw. Items other than the failed one may or may not have run; later launches work.
 */
public final class KernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String kernel;
    private final int line;
    private final long x;
    private final long y;
    private final long z;

    KernelException(String message, String kernel, int line, ItemFailure failure) {
        super(message, failure.thrown());
        this.kernel = kernel;
        this.line = line;
        this.x = failure.x();
        this.y = failure.y();
        this.z = failure.z();
    }

    /** The kernel's class and method, such as {@code Example.copyColumn}. */
    public String kernel() {
        return kernel;
    }

    /** The line of the kernel's source file that failed, or -1 when it is unknown. */
    public int line() {
        return line;
    }

    /** The failed item's index along the innermost dimension. */
    public long x() {
        return x;
    }

    /** The failed item's index along the second dimension from the inside. */
    public long y() {
        return y;
    }

    /** The failed item's index along the third dimension from the inside. */
    public long z() {
        return z;
    }
}
