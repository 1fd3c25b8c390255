package io.penstock.array;

import io.penstock.kernel.MapBody;

/** A function of complex numbers as a lambda or a reference to a static method, to be applied to elements of arrays. */
public interface ComplexBody extends MapBody {
    /** A function of one complex number. */
    @FunctionalInterface
    interface OfComplex extends ComplexBody {
        /** The function's value. */
        Complex apply(Complex a);
    }

    /** A function of two complex numbers. */
    @FunctionalInterface
    interface OfComplex2 extends ComplexBody {
        /** The function's value. */
        Complex apply(Complex a, Complex b);
    }

    /** A function of three complex numbers. */
    @FunctionalInterface
    interface OfComplex3 extends ComplexBody {
        /** The function's value. */
        Complex apply(Complex a, Complex b, Complex c);
    }
}
