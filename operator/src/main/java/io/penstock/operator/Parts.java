package io.penstock.operator;

import io.penstock.array.Vector;

/** Takes complex vectors apart into real and imaginary parts, and puts them together again. */
final class Parts {
    private Parts() {}

    /** {@code re = Re(z)}. */
    static void real(Vector<?> z, Vector<?> re) {
        Leaves.forEachPair(z, re, (from, to) -> to.assign(from.real()));
    }

    /** {@code im = Im(z)}. */
    static void imaginary(Vector<?> z, Vector<?> im) {
        Leaves.forEachPair(z, im, (from, to) -> to.assign(from.imaginary()));
    }

    /** {@code Re(z) = re}; the imaginary parts stay. */
    static void setReal(Vector<?> re, Vector<?> z) {
        Leaves.forEachPair(re, z, (from, to) -> to.real().assign(from));
    }

    /** {@code Im(z) = im}; the real parts stay. */
    static void setImaginary(Vector<?> im, Vector<?> z) {
        Leaves.forEachPair(im, z, (from, to) -> to.imaginary().assign(from));
    }

    /** {@code z = re + i im}. */
    static void join(Vector<?> re, Vector<?> im, Vector<?> z) {
        setReal(re, z);
        setImaginary(im, z);
    }
}
