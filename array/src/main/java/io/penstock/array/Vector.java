package io.penstock.array;

import io.penstock.runtime.Scope;

/**
 * An element of a vector space: what operators map and solvers combine. Arrays, distributed arrays and stacks of vectors are
 * vectors, so each solver is written once.
 *
 * <p>Operations that combine vectors require them to lie in the same {@link VectorSpace} and throw an
 * {@link IllegalArgumentException} naming both spaces otherwise. None of them sends anything between ranks; only
 * {@link Reductions#reduce} does, and {@link #dot} and {@link #norm}, which call it.
 *
 * @param <V> the implementing class
 */
public interface Vector<V extends Vector<V>> extends Scope.Owned, AutoCloseable {
    /** The space that this vector lies in. */
    VectorSpace<V> space();

    /** A new vector with the same elements. */
    V copy();

    /** Sets every element to {@code value}. */
    void fill(double value);

    /** {@code this = x}. */
    void assign(V x);

    /** {@code this = alpha * this}. */
    void scale(double alpha);

    /**
     * {@code this = alpha * this}.
     *
     * @throws IllegalArgumentException when {@code alpha} is not real but the elements are
     */
    void scale(Complex alpha);

    /** {@code this = alpha * x + this}. */
    void axpy(double alpha, V x);

    /**
     * {@code this = alpha * x + this}.
     *
     * @throws IllegalArgumentException when {@code alpha} is not real but the elements are
     */
    void axpy(Complex alpha, V x);

    /** {@code this = alpha * x + beta * this}; where {@code beta} is zero the old elements do not matter, NaN included. */
    void axpby(double alpha, V x, double beta);

    /** Replaces every element by its complex conjugate; does nothing to real elements. */
    void conjugate();

    /**
     * Adds this rank's part of the sum of {@code conj(this[i]) * y[i]} to {@code sums} at {@code slot}. Nothing is sent until
     * {@link Reductions#reduce}, so several sums can travel in one message.
     */
    void dot(V y, Reductions sums, int slot);

    /** Whether any byte of this vector is also a byte of {@code other}. */
    boolean overlaps(Vector<?> other);

    /** Frees the vector's memory. Closing again does nothing. */
    @Override
    void close();

    /** The sum of {@code conj(this[i]) * y[i]}, the same on every rank; one reduction. */
    default Scalar dot(V y) {
        Reductions sums = new Reductions(1);
        dot(y, sums, 0);
        sums.reduce();
        return space().dtype().isComplex() ? Scalar.complex(sums.re(0), sums.im(0)) : Scalar.real(sums.re(0));
    }

    /** The Euclidean norm, the same on every rank; one reduction. */
    default double norm() {
        @SuppressWarnings("unchecked")
        V self = (V) this;
        Reductions sums = new Reductions(1);
        dot(self, sums, 0);
        sums.reduce();
        return Math.sqrt(sums.re(0));
    }
}
