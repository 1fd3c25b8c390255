package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.Reductions;
import io.penstock.array.Vector;

/**
 * What a dot test found: two inner products that are equal when the adjoint is the true one.
 *
 * @param forward {@code <u, A x>}, conjugate-linear in {@code u}
 * @param adjoint {@code <A^H u, x>}
 * @param relativeDifference the modulus of their difference over the larger of {@code |u| |A x|} and {@code |A^H u| |x|}, which
 *     bound them and scale their rounding errors; 0 when both bounds are
 */
public record DotTest(Complex forward, Complex adjoint, double relativeDifference) {
    /** Whether the relative difference is at most {@code tolerance}; never when it is not a number. */
    public boolean passes(double tolerance) {
        return relativeDifference <= tolerance;
    }

    static <X extends Vector<X>, Y extends Vector<Y>> DotTest of(LinearOperator<X, Y> a, long seed) {
        try (X x = a.domain().random(seed);
                Y u = a.range().random(~seed);
                Y ax = a.forward(x);
                X ahu = a.adjoint(u)) {
            Reductions sums = new Reductions(6);
            u.dot(ax, sums, 0);
            ahu.dot(x, sums, 1);
            u.dot(u, sums, 2);
            ax.dot(ax, sums, 3);
            ahu.dot(ahu, sums, 4);
            x.dot(x, sums, 5);
            sums.reduce();
            boolean complex = a.isComplexLinear() && Operands.isComplex(a.domain()) && Operands.isComplex(a.range());
            Complex forward = new Complex(sums.re(0), complex ? sums.im(0) : 0);
            Complex adjoint = new Complex(sums.re(1), complex ? sums.im(1) : 0);
            double bound = Math.max(Math.sqrt(sums.re(2) * sums.re(3)), Math.sqrt(sums.re(4) * sums.re(5)));
            double difference = forward.minus(adjoint).abs();
            return new DotTest(forward, adjoint, difference == 0 && bound == 0 ? 0 : difference / bound);
        }
    }
}
