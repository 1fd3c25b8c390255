package io.penstock.array;

/** Elementary functions of complex numbers, on their principal branches. */
final class ComplexFunctions {
    private ComplexFunctions() {}

    static Complex exp(Complex z) {
        double r = Math.exp(z.re());
        return z.im() == 0 ? new Complex(r, z.im()) : new Complex(r * Math.cos(z.im()), r * Math.sin(z.im()));
    }

    static Complex log(Complex z) {
        return new Complex(Math.log(z.abs()), Math.atan2(z.im(), z.re()));
    }

    static Complex sqrt(Complex z) {
        if (z.re() == 0 && z.im() == 0) return new Complex(0, z.im());
        double t = Math.sqrt((Math.abs(z.re()) + z.abs()) / 2);
        return z.re() >= 0
                ? new Complex(t, z.im() / (2 * t))
                : new Complex(Math.abs(z.im()) / (2 * t), Math.copySign(t, z.im()));
    }

    static Complex sin(Complex z) {
        return new Complex(Math.sin(z.re()) * Math.cosh(z.im()), Math.cos(z.re()) * Math.sinh(z.im()));
    }

    static Complex cos(Complex z) {
        return new Complex(Math.cos(z.re()) * Math.cosh(z.im()), -Math.sin(z.re()) * Math.sinh(z.im()));
    }

    static Complex tanh(Complex z) {
        if (Math.abs(z.re()) > 20) return new Complex(Math.copySign(1, z.re()), Math.copySign(0, Math.sin(2 * z.im())));
        double d = Math.cosh(2 * z.re()) + Math.cos(2 * z.im());
        return new Complex(Math.sinh(2 * z.re()) / d, Math.sin(2 * z.im()) / d);
    }

    /** {@code z / |z|}; zero for zero. */
    static Complex sign(Complex z) {
        double r = z.abs();
        return r == 0 ? new Complex(0, 0) : new Complex(z.re() / r, z.im() / r);
    }

    static Complex power(Complex base, Complex exponent) {
        if (exponent.re() == 0 && exponent.im() == 0) return new Complex(1, 0);
        if (base.re() == 0 && base.im() == 0) {
            return exponent.re() > 0 ? new Complex(0, 0) : new Complex(Double.NaN, Double.NaN);
        }
        double e = exponent.re();
        if (exponent.im() == 0 && e == Math.rint(e) && Math.abs(e) <= 64) return power(base, (int) e);
        return exp(log(base).times(exponent));
    }

    private static Complex power(Complex base, int exponent) {
        Complex result = new Complex(1, 0);
        Complex square = base;
        for (int e = Math.abs(exponent); e > 0; e >>= 1) {
            if ((e & 1) == 1) result = result.times(square);
            square = square.times(square);
        }
        return exponent < 0 ? new Complex(1, 0).over(result) : result;
    }
}
