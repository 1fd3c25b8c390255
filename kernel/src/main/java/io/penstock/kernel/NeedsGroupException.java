package io.penstock.kernel;

/** What a work-item throws that asks for its group while its kernel runs item by item, since it is not in the kernel language. */
final class NeedsGroupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NeedsGroupException(String what) {
        super("the kernel " + what + ", which only kernels in the kernel language can");
    }
}
