package gallery;

import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Complex map: a rational function of each element, with complex numbers as a record. */
public class ComplexMap {
    private static final Kernel MAP = Kernel.of(ComplexMap::map);

    /** A complex number. */
    record Complex(double re, double im) {
        Complex plus(double otherRe, double otherIm) {
            return new Complex(re + otherRe, im + otherIm);
        }

        Complex times(Complex other) {
            return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
        }

        Complex over(Complex other) {
            double square = other.re * other.re + other.im * other.im;
            return new Complex((re * other.re + im * other.im) / square, (im * other.re - re * other.im) / square);
        }
    }

    /** The function: zeros at 1, -1 and, twice, at 2 + i; two poles. */
    private static Complex f(Complex z) {
        Complex square = z.times(z), shifted = z.plus(-2, -1);
        return square.plus(-1, 0).times(shifted.times(shifted)).over(square.plus(2, 2));
    }

    static void map(WorkItem at, ComplexDoubles out, ComplexDoubles in) {
        Complex w = f(new Complex(in.getRe(at.x()), in.getIm(at.x())));
        out.set(at.x(), w.re(), w.im());
    }

    /** Maps all elements; {@code out} may be {@code in}. */
    public static void run(Queue queue, ComplexDoubles out, ComplexDoubles in) {
        MAP.over(in.length()).launch(queue, out, in);
    }
}
