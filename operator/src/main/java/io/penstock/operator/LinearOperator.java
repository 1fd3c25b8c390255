package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import java.util.Objects;

/**
 * A linear map {@code A} between two vector spaces that is never stored as a matrix: it knows how to apply itself and its
 * adjoint.
 *
 * @param <X> the class of the vectors that it is applied to, its domain
 * @param <Y> the class of its results, its range
 */
public abstract class LinearOperator<X extends Vector<X>, Y extends Vector<Y>> {
    private final VectorSpace<X> domain;
    private final VectorSpace<Y> range;

    /** An operator from {@code domain} to {@code range}. */
    protected LinearOperator(VectorSpace<X> domain, VectorSpace<Y> range) {
        this.domain = Objects.requireNonNull(domain, "domain is null");
        this.range = Objects.requireNonNull(range, "range is null");
    }

    /** The space of the vectors that the operator is applied to. */
    public final VectorSpace<X> domain() {
        return domain;
    }

    /** The space of its results. */
    public final VectorSpace<Y> range() {
        return range;
    }

    /** {@code y = A x}; {@code x} and {@code y} are of the right spaces and share no memory, {@code y} holds anything. */
    protected abstract void applyForward(X x, Y y);

    /** {@code x = A^H y}; {@code x} and {@code y} are of the right spaces and share no memory, {@code x} holds anything. */
    protected abstract void applyAdjoint(Y y, X x);

    /**
     * {@code y = A x}.
     *
     * @param x a vector of the domain
     * @param y a vector of the range, whose old content does not matter; it may share memory with {@code x}
     * @throws IllegalArgumentException when a vector is of another space
     */
    public final void forward(X x, Y y) {
        domain.check(x, "x");
        range.check(y, "y");
        if (!y.overlaps(x)) {
            applyForward(x, y);
            return;
        }
        try (X apart = x.copy()) {
            applyForward(apart, y);
        }
    }

    /** {@code A x}, as a new vector. */
    public final Y forward(X x) {
        Y y = range.empty();
        forward(x, y);
        return y;
    }

    /**
     * {@code x = A^H y}.
     *
     * @param y a vector of the range
     * @param x a vector of the domain, whose old content does not matter; it may share memory with {@code y}
     * @throws IllegalArgumentException when a vector is of another space
     */
    public final void adjoint(Y y, X x) {
        range.check(y, "y");
        domain.check(x, "x");
        if (!x.overlaps(y)) {
            applyAdjoint(y, x);
            return;
        }
        try (Y apart = y.copy()) {
            applyAdjoint(apart, x);
        }
    }

    /** {@code A^H y}, as a new vector. */
    public final X adjoint(Y y) {
        X x = domain.empty();
        adjoint(y, x);
        return x;
    }
}
