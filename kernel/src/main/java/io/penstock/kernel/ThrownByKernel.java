package io.penstock.kernel;

/** An exception that translated code throws, which is known by its text. */
final class ThrownByKernel extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param text class and message, as {@code Throwable.toString} has it
     */
    ThrownByKernel(String text) {
        super(text, null, false, false);
    }
}
