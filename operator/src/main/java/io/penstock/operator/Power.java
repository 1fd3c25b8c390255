package io.penstock.operator;

import io.penstock.array.Vector;

/** {@code A^n}. */
final class Power<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private final LinearOperator<X, X> a;
    private final int n;
    private final Workspace<X> even;
    private final Workspace<X> odd;

    // Equal spaces have vectors of one class, so X and Y are the same.
    @SuppressWarnings("unchecked")
    Power(LinearOperator<X, Y> a, int n) {
        super(a.domain(), a.range());
        if (n < 0) throw new IllegalArgumentException("the exponent is " + n + "; expected 0 or more");
        if (!a.domain().equals(a.range()))
            throw new IllegalArgumentException(
                    "the operator maps " + a.domain() + " to " + a.range() + "; expected one space, for a power");
        this.a = (LinearOperator<X, X>) a;
        this.n = n;
        this.even = new Workspace<>(a.domain());
        this.odd = new Workspace<>(a.domain());
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void applyForward(X x, Y y) {
        apply(a, x, (X) y);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void applyAdjoint(Y y, X x) {
        apply(a.adjoint(), (X) y, x);
    }

    private void apply(LinearOperator<X, X> step, X given, X result) {
        if (n == 0) result.assign(given);
        X from = given;
        for (int k = 1; k <= n; k++) {
            X to = k == n ? result : (k % 2 == 0 ? even : odd).get();
            step.applyForward(from, to);
            from = to;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public LinearOperator<X, Y> complex() {
        LinearOperator<X, X> complex = a.complex();
        return complex.domain().equals(a.domain()) ? this : new Power<>((LinearOperator<X, Y>) complex, n);
    }

    @Override
    public boolean isComplexLinear() {
        return n == 0 || a.isComplexLinear();
    }

    @Override
    public void close() {
        even.close();
        odd.close();
        a.close();
    }

    @Override
    public String toString() {
        return "power " + n + " of " + a;
    }
}
