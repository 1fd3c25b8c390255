package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * A linear map {@code A} between two vector spaces that is never stored as a matrix: it knows how to apply itself and its
 * adjoint.
 *
 * <p><b>Types.</b> A space says which elements its vectors have, and an operator is applied to vectors of its own spaces only.
 * Where the algebra brings real and complex operators of one precision together, and where a real operator is multiplied by a
 * complex number, the real ones are first extended to complex vectors as {@link #complex()} does, so no imaginary part is ever
 * lost. Operators of different precision do not combine; the error says so.
 *
 * <p><b>Memory.</b> Operators keep the intermediate vectors that they need from one application to the next, outside any
 * scope, so that applying them again allocates nothing. They are freed with the operator by the garbage collector, or at once
 * by {@link #close}. Because of them an operator is used by one thread at a time.
 *
 * @param <X> the class of the vectors that it is applied to, its domain
 * @param <Y> the class of its results, its range
 */
public abstract class LinearOperator<X extends Vector<X>, Y extends Vector<Y>> implements AutoCloseable {
    private final VectorSpace<X> domain;
    private final VectorSpace<Y> range;

    /** An operator from {@code domain} to {@code range}. */
    protected LinearOperator(VectorSpace<X> domain, VectorSpace<Y> range) {
        this.domain = Objects.requireNonNull(domain, "domain is null");
        this.range = Objects.requireNonNull(range, "range is null");
    }

    /**
     * An operator made of two functions.
     *
     * @param forward given {@code x} and {@code y}, which share no memory, sets {@code y = A x}
     * @param adjoint given {@code y} and {@code x}, which share no memory, sets {@code x = A^H y}
     */
    public static <X extends Vector<X>, Y extends Vector<Y>> LinearOperator<X, Y> of(
            VectorSpace<X> domain, VectorSpace<Y> range, BiConsumer<X, Y> forward, BiConsumer<Y, X> adjoint) {
        return new FunctionOperator<>(domain, range, forward, adjoint);
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
        domain.check(x, "x");
        Y y = range.empty();
        applyForward(x, y);
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
        range.check(y, "y");
        X x = domain.empty();
        applyAdjoint(y, x);
        return x;
    }

    // Algebra ------------------------------------------------------------------------------------------------------

    /** {@code A^H}, the conjugate transpose. */
    public LinearOperator<Y, X> adjoint() {
        return new Adjoint<>(this);
    }

    /** {@code A^T}, the transpose without conjugation. */
    public LinearOperator<Y, X> transpose() {
        return adjoint().conjugate();
    }

    /** The operator whose matrix is the complex conjugate of this one's; this operator itself where nothing is complex. */
    public LinearOperator<X, Y> conjugate() {
        return domain.dtype().isComplex() || range.dtype().isComplex() ? new Conjugate<>(this) : this;
    }

    /**
     * {@code A + B}.
     *
     * @throws IllegalArgumentException when the spaces differ in more than real against complex
     */
    public LinearOperator<X, Y> plus(LinearOperator<X, Y> b) {
        return Combination.of(this, Complex.ONE, b);
    }

    /**
     * {@code A - B}.
     *
     * @throws IllegalArgumentException when the spaces differ in more than real against complex
     */
    public LinearOperator<X, Y> minus(LinearOperator<X, Y> b) {
        return Combination.of(this, Complex.of(-1), b);
    }

    /**
     * {@code A B}: first {@code b}, then this.
     *
     * @throws IllegalArgumentException when the range of {@code b} differs from this domain in more than real against complex
     */
    public <W extends Vector<W>> LinearOperator<W, Y> times(LinearOperator<W, X> b) {
        return Product.of(this, b);
    }

    /**
     * {@code alpha A}.
     *
     * @throws IllegalArgumentException when {@code alpha} is not finite, or the range holds integers and {@code alpha} is not one
     */
    public LinearOperator<X, Y> scaled(double alpha) {
        return scaled(Complex.of(alpha));
    }

    /**
     * {@code alpha A}; where {@code alpha} is not real and this operator is, over complex vectors.
     *
     * @throws IllegalArgumentException when {@code alpha} is not finite, or the range holds integers and {@code alpha} is not one
     */
    public LinearOperator<X, Y> scaled(Complex alpha) {
        return Scaled.of(alpha, this);
    }

    /** {@code -A}. */
    public LinearOperator<X, Y> negate() {
        return scaled(-1);
    }

    /**
     * {@code A^n}, this operator applied {@code n} times; the identity for 0.
     *
     * @throws IllegalArgumentException when {@code n} is negative, or domain and range differ
     */
    public LinearOperator<X, Y> power(int n) {
        return new Power<>(this, n);
    }

    /**
     * The operator over complex vectors, {@code A (u + i v) = A u + i A v}; this operator itself where its domain is complex.
     *
     * @throws IllegalArgumentException when the operator is not complex-linear, or its elements are integers
     */
    public LinearOperator<X, Y> complex() {
        if (!isComplexLinear())
            throw new IllegalArgumentException(
                    "the operator is not complex-linear, so it cannot be extended to complex vectors");
        return domain.dtype().isComplex() ? this : new Complexified<>(this);
    }

    /**
     * Whether {@code A (c x) = c A x} for complex {@code c}. Operators such as {@link RealPart} are linear for real {@code c}
     * only; their adjoint is the one for the real part of the inner product.
     */
    public boolean isComplexLinear() {
        return true;
    }

    // Inspection ---------------------------------------------------------------------------------------------------

    /**
     * The matrix of the operator, of shape (size of the range, size of the domain), the same on every rank.
     *
     * <p>Elements are numbered in C order of the global arrays, stacked parts one after the other. The operator is applied to
     * each unit vector; the ranks then exchange the result in one reduction for each distributed part of the range.
     */
    public NDArray denseMatrix() {
        return DenseForm.of(this);
    }

    /**
     * Compares {@code <u, A x>} with {@code <A^H u, x>} for random {@code x} and {@code u}; they are equal for a true adjoint.
     * Vectors are not gathered: all sums travel in one reduction.
     */
    public DotTest dotTest(long seed) {
        return DotTest.of(this, seed);
    }

    /**
     * {@link #dotTest(long)} that throws when the test fails.
     *
     * @param tolerance the largest {@link DotTest#relativeDifference} that passes
     * @throws ArithmeticException when the relative difference is larger, or not a number
     */
    public DotTest dotTest(long seed, double tolerance) {
        DotTest test = dotTest(seed);
        if (!test.passes(tolerance))
            throw new ArithmeticException("the dot test of " + this + " fails with seed " + seed + ": <u, A x> is "
                    + test.forward() + " and <A^H u, x> is " + test.adjoint() + ", relative difference "
                    + test.relativeDifference() + "; expected at most " + tolerance);
        return test;
    }

    /** Frees the memory that the operator keeps between applications. It stays usable: the next application allocates again. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return getClass().getSimpleName() + " from " + domain + " to " + range;
    }
}
