package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.Objects;

/**
 * The normal equations of a least-squares problem: {@code (A^H A + sum of weight^2 L^H L) x = A^H y}, whose solution minimises
 * {@code |y - A x|^2 + sum of weight^2 |L x|^2}. Their operator is positive definite, so {@link Cg} solves them.
 *
 * <p>In exact arithmetic CG on these equations and {@link Cgls} on {@code A} stacked on {@code weight L} take the same steps; CGLS
 * keeps more digits where the problem is badly conditioned, since this squares the condition number.
 *
 * @param <X> the class of the unknown
 * @param operator the operator on the left
 * @param rightHandSide the vector on the right
 */
public record NormalEquations<X extends Vector<X>>(LinearOperator<X, X> operator, X rightHandSide) {
    /** Checks that both lie in one space. */
    public NormalEquations {
        Objects.requireNonNull(operator, "operator is null");
        operator.range().check(rightHandSide, "rightHandSide");
    }

    /** {@code A^H A x = A^H y}. */
    public static <X extends Vector<X>, Y extends Vector<Y>> NormalEquations<X> of(LinearOperator<X, Y> a, Y y) {
        return new NormalEquations<>(a.adjoint().times(a), a.adjoint(y));
    }

    /**
     * These equations with {@code weight^2 L^H L} added to the operator.
     *
     * @throws IllegalArgumentException when the domain of {@code l} is another
     */
    public <Z extends Vector<Z>> NormalEquations<X> regularized(LinearOperator<X, Z> l, double weight) {
        LinearOperator<X, X> penalty = l.adjoint().times(l).scaled(weight * weight);
        return new NormalEquations<>(operator.plus(penalty), rightHandSide);
    }
}
