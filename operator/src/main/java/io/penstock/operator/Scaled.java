package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.Vector;

/** {@code alpha A}. */
final class Scaled<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private final Complex alpha;
    private final LinearOperator<X, Y> a;

    private Scaled(Complex alpha, LinearOperator<X, Y> a) {
        super(a.domain(), a.range());
        this.alpha = alpha;
        this.a = a;
    }

    static <X extends Vector<X>, Y extends Vector<Y>> LinearOperator<X, Y> of(Complex alpha, LinearOperator<X, Y> a) {
        if (!Double.isFinite(alpha.re()) || !Double.isFinite(alpha.im()))
            throw new IllegalArgumentException("alpha is " + alpha + "; expected a finite number");
        DType type = a.range().dtype();
        if ((type.isInteger() || a.domain().dtype().isInteger()) && alpha.re() != Math.rint(alpha.re()))
            throw new IllegalArgumentException("alpha is " + alpha + " for an operator on " + type
                    + "; expected a whole number, or an operator built over F64");
        // Without complex linearity the adjoint is A^H after conj(alpha), in this order.
        if (!alpha.isReal() && !a.isComplexLinear())
            return of(alpha, Identity.of(a.range())).times(a);
        if (a instanceof Scaled<X, Y> scaled && (alpha.isReal() || scaled.hasComplexSpaces()))
            return of(alpha.times(scaled.alpha), scaled.a);
        return new Scaled<>(alpha, alpha.isReal() ? a : Operands.complex(a));
    }

    private boolean hasComplexSpaces() {
        return domain().dtype().isComplex() && range().dtype().isComplex();
    }

    Complex alpha() {
        return alpha;
    }

    LinearOperator<X, Y> unscaled() {
        return a;
    }

    @Override
    protected void applyForward(X x, Y y) {
        a.applyForward(x, y);
        scale(y, alpha);
    }

    @Override
    protected void applyAdjoint(Y y, X x) {
        a.applyAdjoint(y, x);
        scale(x, alpha.conjugate());
    }

    private static <V extends Vector<V>> void scale(V vector, Complex alpha) {
        if (alpha.isReal()) vector.scale(alpha.re());
        else vector.scale(alpha);
    }

    @Override
    public LinearOperator<X, Y> conjugate() {
        return of(alpha.conjugate(), a.conjugate());
    }

    @Override
    public LinearOperator<Y, X> adjoint() {
        return of(alpha.conjugate(), a.adjoint());
    }

    @Override
    public LinearOperator<X, Y> complex() {
        LinearOperator<X, Y> complex = a.complex();
        return complex.domain().equals(a.domain()) ? this : new Scaled<>(alpha, complex);
    }

    @Override
    public boolean isComplexLinear() {
        return a.isComplexLinear();
    }

    @Override
    public void close() {
        a.close();
    }

    @Override
    public String toString() {
        return alpha + " times " + a;
    }
}
