package gallery;

import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Mandelbrot: how long each point stays near; neighbours part ways at the edge of the set. */
public class Mandelbrot {
    private static final Kernel ESCAPE = Kernel.of(Mandelbrot::escape);

    /** A complex number. */
    record Complex(double re, double im) {
        Complex plus(Complex other) {
            return new Complex(re + other.re, im + other.im);
        }

        Complex squared() {
            return new Complex(re * re - im * im, 2 * re * im);
        }

        double square() {
            return re * re + im * im;
        }
    }

    static void escape(WorkItem at, Ints rounds, double left, double top, double pixel, int most) {
        Complex c = new Complex(left + pixel * at.x(), top - pixel * at.y());
        Complex z = new Complex(0, 0);
        int k = 0;
        while (k < most && z.square() <= 4) {
            z = z.squared().plus(c);
            k++;
        }
        rounds.set(at.y(), at.x(), k);
    }

    /** Counts, for each pixel, the rounds until {@code z = z * z + c} leaves the circle of radius 2, up to {@code most}. */
    public static void run(Queue queue, Ints rounds, double left, double top, double pixel, int most) {
        ESCAPE.over(rounds.rows(), rounds.columns()).launch(queue, rounds, left, top, pixel, most);
    }
}
