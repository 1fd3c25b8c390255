package io.penstock.operator;

import io.penstock.array.Vector;

/** {@code A B}: first B, then A. */
final class Product<W extends Vector<W>, X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<W, Y> {
    private final LinearOperator<X, Y> a;
    private final LinearOperator<W, X> b;
    private final Workspace<X> between;

    private Product(LinearOperator<X, Y> a, LinearOperator<W, X> b) {
        super(b.domain(), a.range());
        this.a = a;
        this.b = b;
        this.between = new Workspace<>(b.range());
    }

    static <W extends Vector<W>, X extends Vector<X>, Y extends Vector<Y>> LinearOperator<W, Y> of(
            LinearOperator<X, Y> a, LinearOperator<W, X> b) {
        if (!b.range().equals(a.domain())) {
            if (Operands.isComplex(a.domain())) b = Operands.complex(b);
            if (Operands.isComplex(b.range())) a = Operands.complex(a);
            Operands.requireSame("the range of the operator applied first", b.range(), a.domain());
        }
        return new Product<>(a, b);
    }

    @Override
    protected void applyForward(W x, Y y) {
        X middle = between.get();
        b.applyForward(x, middle);
        a.applyForward(middle, y);
    }

    @Override
    protected void applyAdjoint(Y y, W x) {
        X middle = between.get();
        a.applyAdjoint(y, middle);
        b.applyAdjoint(middle, x);
    }

    @Override
    public LinearOperator<W, Y> complex() {
        LinearOperator<W, X> first = b.complex();
        return first.domain().equals(b.domain()) ? this : of(a, first);
    }

    @Override
    public boolean isComplexLinear() {
        return a.isComplexLinear() && b.isComplexLinear();
    }

    @Override
    public void close() {
        between.close();
        a.close();
        b.close();
    }

    @Override
    public String toString() {
        return "(" + a + ") after (" + b + ")";
    }
}
