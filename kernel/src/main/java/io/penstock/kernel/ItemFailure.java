package io.penstock.kernel;

/** What a loop throws when an item fails; the launch turns it into a {@link KernelException} on the caller's thread. */
final class ItemFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;
    private final long x;
    private final long y;
    private final long z;

    /** Called by compiled loops. */
    ItemFailure(Throwable cause, long x, long y, long z) {
        super(null, cause, false, false);
        this.thrown = cause;
        this.x = x;
        this.y = y;
        this.z = z;
    }

    /** What the kernel threw. */
    Throwable thrown() {
        return thrown;
    }

    long x() {
        return x;
    }

    long y() {
        return y;
    }

    long z() {
        return z;
    }
}
