package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.Vector;

/** An operator on real vectors extended to complex ones: applied to the real and to the imaginary part. */
final class Complexified<X extends Vector<X>, Y extends Vector<Y>> extends LinearOperator<X, Y> {
    private static final Complex MINUS_I = new Complex(0, -1);

    private final LinearOperator<X, Y> a;
    private final boolean realRange;
    private final Workspace<X> x;
    private final Workspace<X> secondX;
    private final Workspace<Y> y;
    private final Workspace<Y> secondY;

    Complexified(LinearOperator<X, Y> a) {
        super(a.domain().as(Operands.complexOf(a.domain())), a.range().as(Operands.complexOf(a.range())));
        this.a = a;
        this.realRange = !a.range().dtype().isComplex();
        this.x = new Workspace<>(a.domain());
        this.secondX = new Workspace<>(a.domain());
        this.y = new Workspace<>(a.range());
        this.secondY = new Workspace<>(a.range());
    }

    @Override
    protected void applyForward(X given, Y result) {
        X part = x.get();
        Y re = realRange ? y.get() : result;
        Y im = secondY.get();
        Parts.real(given, part);
        a.applyForward(part, re);
        Parts.imaginary(given, part);
        a.applyForward(part, im);
        if (realRange) Parts.join(re, im, result);
        else result.axpy(Complex.I, im);
    }

    /** Where the range is complex, the adjoint on real vectors is {@code Re(A^H y)}, and {@code Im(A^H y) = Re(A^H (-i y))}. */
    @Override
    protected void applyAdjoint(Y given, X result) {
        X re = x.get();
        X im = secondX.get();
        if (realRange) {
            Y part = y.get();
            Parts.real(given, part);
            a.applyAdjoint(part, re);
            Parts.imaginary(given, part);
            a.applyAdjoint(part, im);
        } else {
            Y turned = secondY.get();
            a.applyAdjoint(given, re);
            turned.assign(given);
            turned.scale(MINUS_I);
            a.applyAdjoint(turned, im);
        }
        Parts.join(re, im, result);
    }

    @Override
    public LinearOperator<X, Y> conjugate() {
        return realRange ? this : super.conjugate();
    }

    @Override
    public void close() {
        x.close();
        secondX.close();
        y.close();
        secondY.close();
        a.close();
    }

    @Override
    public String toString() {
        return "over complex vectors, " + a;
    }
}
