package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/**
 * The complex conjugate, {@code y = conj(x)}, of vectors of any kind.
 *
 * <p>It is linear for real factors only. As its adjoint serves itself, which is right for the real part of the inner product:
 * {@code Re <u, conj(x)> = Re <conj(u), x>}.
 *
 * @param <V> the class of the vectors
 */
public final class Conjugation<V extends Vector<V>> extends LinearOperator<V, V> {
    private Conjugation(VectorSpace<V> space) {
        super(space, space);
    }

    /** The conjugation of a space; the identity where that is real. */
    public static <V extends Vector<V>> Conjugation<V> of(VectorSpace<V> space) {
        return new Conjugation<>(space);
    }

    @Override
    protected void applyForward(V x, V y) {
        y.assign(x);
        y.conjugate();
    }

    @Override
    protected void applyAdjoint(V y, V x) {
        applyForward(y, x);
    }

    @Override
    public boolean isComplexLinear() {
        return !Operands.isComplex(domain());
    }
}
