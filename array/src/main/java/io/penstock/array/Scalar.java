package io.penstock.array;

/** A single number that a reduction gave: real, or complex when the elements it came from are. */
public final class Scalar {
    private final double re;
    private final double im;
    private final boolean complex;

    private Scalar(double re, double im, boolean complex) {
        this.re = re;
        this.im = im;
        this.complex = complex;
    }

    /** A real number. */
    public static Scalar real(double value) {
        return new Scalar(value, 0, false);
    }

    /** A complex number. */
    public static Scalar complex(double re, double im) {
        return new Scalar(re, im, true);
    }

    /**
     * The value of a real number.
     *
     * @throws IllegalStateException when the number is complex with an imaginary part that is not zero; {@link #complex()} and
     *     {@link #re()} read such a number
     */
    public double value() {
        if (im != 0)
            throw new IllegalStateException(
                    "the value " + complex() + " is complex; read it with complex(), or its real part with re()");
        return re;
    }

    /** The real part. */
    public double re() {
        return re;
    }

    /** The imaginary part. */
    public double im() {
        return im;
    }

    /** The number as a complex one. */
    public Complex complex() {
        return new Complex(re, im);
    }

    /** Whether the number came from complex elements. */
    public boolean isComplex() {
        return complex;
    }

    @Override
    public String toString() {
        return complex ? complex().toString() : Double.toString(re);
    }
}
