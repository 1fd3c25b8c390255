package io.penstock.operator;

import io.penstock.array.Vector;

/** The operator with the complex conjugate of a matrix: {@code y = conj(A conj(x))}. */
final class Conjugate<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private final LinearOperator<X, Y> a;
    private final Workspace<X> x;
    private final Workspace<Y> y;

    Conjugate(LinearOperator<X, Y> a) {
        super(a.domain(), a.range());
        this.a = a;
        this.x = new Workspace<>(a.domain());
        this.y = new Workspace<>(a.range());
    }

    @Override
    protected void applyForward(X given, Y result) {
        a.applyForward(conjugateOf(given, x), result);
        result.conjugate();
    }

    @Override
    protected void applyAdjoint(Y given, X result) {
        a.applyAdjoint(conjugateOf(given, y), result);
        result.conjugate();
    }

    private static <V extends Vector<V>> V conjugateOf(V vector, Workspace<V> workspace) {
        if (!vector.space().dtype().isComplex()) return vector;
        V conjugate = workspace.get();
        conjugate.assign(vector);
        conjugate.conjugate();
        return conjugate;
    }

    @Override
    public LinearOperator<X, Y> conjugate() {
        return a;
    }

    @Override
    public LinearOperator<X, Y> complex() {
        LinearOperator<X, Y> complex = a.complex();
        return complex.domain().equals(a.domain()) ? this : complex.conjugate();
    }

    @Override
    public boolean isComplexLinear() {
        return a.isComplexLinear();
    }

    @Override
    public void close() {
        x.close();
        y.close();
        a.close();
    }

    @Override
    public String toString() {
        return "conjugate of " + a;
    }
}
