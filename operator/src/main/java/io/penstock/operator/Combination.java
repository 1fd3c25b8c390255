package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.Vector;

/** {@code A + beta B}. */
final class Combination<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private final LinearOperator<X, Y> a;
    private final Complex beta;
    private final LinearOperator<X, Y> b;
    private final Workspace<X> x;
    private final Workspace<Y> y;

    private Combination(LinearOperator<X, Y> a, Complex beta, LinearOperator<X, Y> b) {
        super(a.domain(), a.range());
        this.a = a;
        this.beta = beta;
        this.b = b;
        this.x = new Workspace<>(a.domain());
        this.y = new Workspace<>(a.range());
    }

    /** The sum, over complex vectors when either operator is. A factor of {@code b} joins beta, which saves a pass over memory. */
    static <X extends Vector<X>, Y extends Vector<Y>> LinearOperator<X, Y> of(
            LinearOperator<X, Y> a, Complex beta, LinearOperator<X, Y> b) {
        if (!a.domain().equals(b.domain()) || !a.range().equals(b.range())) {
            if (Operands.isComplex(a.domain()) || Operands.isComplex(a.range())) b = Operands.complex(b);
            if (Operands.isComplex(b.domain()) || Operands.isComplex(b.range())) a = Operands.complex(a);
            Operands.requireSame("the domain of the second term", b.domain(), a.domain());
            Operands.requireSame("the range of the second term", b.range(), a.range());
        }
        return b instanceof Scaled<X, Y> scaled
                ? new Combination<>(a, beta.times(scaled.alpha()), scaled.unscaled())
                : new Combination<>(a, beta, b);
    }

    @Override
    protected void applyForward(X given, Y result) {
        a.applyForward(given, result);
        Y second = y.get();
        b.applyForward(given, second);
        add(beta, second, result);
    }

    @Override
    protected void applyAdjoint(Y given, X result) {
        a.applyAdjoint(given, result);
        X second = x.get();
        b.applyAdjoint(given, second);
        add(beta.conjugate(), second, result);
    }

    private static <V extends Vector<V>> void add(Complex factor, V vector, V result) {
        if (factor.isReal()) result.axpy(factor.re(), vector);
        else result.axpy(factor, vector);
    }

    @Override
    public LinearOperator<X, Y> complex() {
        LinearOperator<X, Y> first = a.complex();
        return first.domain().equals(a.domain()) ? this : new Combination<>(first, beta, b.complex());
    }

    @Override
    public boolean isComplexLinear() {
        return a.isComplexLinear() && b.isComplexLinear();
    }

    @Override
    public void close() {
        x.close();
        y.close();
        a.close();
        b.close();
    }

    @Override
    public String toString() {
        return "(" + a + ") + " + beta + " (" + b + ")";
    }
}
