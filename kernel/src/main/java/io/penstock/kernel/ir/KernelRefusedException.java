package io.penstock.kernel.ir;

/**
 * Thrown when a kernel uses what is not in the kernel language. The message names the class, method and line, the construct,
 * and what to write instead.
 */
public final class KernelRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Position position;

    /** A refusal; the message is made of the three. */
    public KernelRefusedException(Position position, String construct, String instead) {
        super(position + " " + construct + ", which kernels cannot; " + instead);
        this.position = position;
    }

    /** The place in the source. */
    public Position position() {
        return position;
    }
}
