package io.penstock.operator;

import io.penstock.array.Vector;

/** {@code A^H}. */
final class Adjoint<Y extends Vector<Y>, X extends Vector<X>> extends LinearOperator<Y, X> {
    private final LinearOperator<X, Y> a;

    Adjoint(LinearOperator<X, Y> a) {
        super(a.range(), a.domain());
        this.a = a;
    }

    @Override
    protected void applyForward(Y x, X y) {
        a.applyAdjoint(x, y);
    }

    @Override
    protected void applyAdjoint(X y, Y x) {
        a.applyForward(y, x);
    }

    @Override
    public LinearOperator<X, Y> adjoint() {
        return a;
    }

    @Override
    public LinearOperator<Y, X> complex() {
        LinearOperator<X, Y> complex = a.complex();
        return complex.domain().equals(a.domain()) ? this : complex.adjoint();
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
        return "adjoint of " + a;
    }
}
