package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/**
 * The real part, {@code y = Re(x)}, of complex vectors of any kind, as real vectors.
 *
 * <p>It is linear for real factors only. Its adjoint, {@code x = y}, is the one for the real part of the inner product.
 *
 * @param <V> the class of the vectors
 */
public final class RealPart<V extends Vector<V>> extends LinearOperator<V, V> {
    private RealPart(VectorSpace<V> domain) {
        super(domain, domain.as(domain.dtype().real()));
    }

    /**
     * The operator that takes the real part of vectors of a complex space.
     *
     * @throws IllegalArgumentException when the space is real
     */
    public static <V extends Vector<V>> RealPart<V> of(VectorSpace<V> domain) {
        if (!Operands.isComplex(domain))
            throw new IllegalArgumentException("domain is " + domain + "; expected a complex space");
        return new RealPart<>(domain);
    }

    @Override
    protected void applyForward(V x, V y) {
        Parts.real(x, y);
    }

    @Override
    protected void applyAdjoint(V y, V x) {
        x.fill(0);
        Parts.setReal(y, x);
    }

    @Override
    public boolean isComplexLinear() {
        return false;
    }
}
