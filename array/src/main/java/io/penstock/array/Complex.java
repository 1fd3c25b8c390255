package io.penstock.array;

/**
 * A complex number.
 *
 * @param re the real part
 * @param im the imaginary part
 */
public record Complex(double re, double im) {
    /** Zero. */
    public static final Complex ZERO = new Complex(0, 0);
    /** One. */
    public static final Complex ONE = new Complex(1, 0);
    /** The imaginary unit. */
    public static final Complex I = new Complex(0, 1);

    /** A real number as a complex one. */
    public static Complex of(double re) {
        return new Complex(re, 0);
    }

    /** The sum. */
    public Complex plus(Complex b) {
        return new Complex(re + b.re, im + b.im);
    }

    /** The difference. */
    public Complex minus(Complex b) {
        return new Complex(re - b.re, im - b.im);
    }

    /** The product. */
    public Complex times(Complex b) {
        return new Complex(re * b.re - im * b.im, re * b.im + im * b.re);
    }

    /** The product with a real number. */
    public Complex times(double b) {
        return new Complex(re * b, im * b);
    }

    /** The quotient, by Smith's method, which does not overflow where the result does not. */
    public Complex over(Complex b) {
        if (Math.abs(b.re) >= Math.abs(b.im)) {
            double ratio = b.im / b.re;
            double denominator = b.re + b.im * ratio;
            return new Complex((re + im * ratio) / denominator, (im - re * ratio) / denominator);
        }
        double ratio = b.re / b.im;
        double denominator = b.re * ratio + b.im;
        return new Complex((re * ratio + im) / denominator, (im * ratio - re) / denominator);
    }

    /** The complex conjugate. */
    public Complex conjugate() {
        return new Complex(re, -im);
    }

    /** The negative. */
    public Complex negate() {
        return new Complex(-re, -im);
    }

    /** The modulus. */
    public double abs() {
        return Math.hypot(re, im);
    }

    /** Whether the imaginary part is zero. */
    public boolean isReal() {
        return im == 0;
    }

    @Override
    public String toString() {
        return im < 0 || Double.compare(im, -0.0) == 0 ? re + "-" + -im + "i" : re + "+" + im + "i";
    }
}
