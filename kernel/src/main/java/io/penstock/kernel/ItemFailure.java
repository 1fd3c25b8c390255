package io.penstock.kernel;

import io.penstock.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/** What a loop throws when an item fails; the launch turns it into a {@link KernelException} on the caller's thread. */
final class ItemFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;
    private final transient @Nullable Position position;
    private final long x;
    private final long y;
    private final long z;

    /** Called by compiled loops. */
    ItemFailure(Throwable cause, long x, long y, long z) {
        this(cause, null, x, y, z);
    }

    /** A failure at a place in the source, which is else found in the stack trace. */
    ItemFailure(Throwable cause, @Nullable Position position, long x, long y, long z) {
        super(null, cause, false, false);
        this.thrown = cause;
        this.position = position;
        this.x = x;
        this.y = y;
        this.z = z;
    }

    /** What the kernel threw. */
    Throwable thrown() {
        return thrown;
    }

    @Nullable
    Position position() {
        return position;
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
