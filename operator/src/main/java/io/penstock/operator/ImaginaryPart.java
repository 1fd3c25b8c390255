package io.penstock.operator;

import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/**
 * The imaginary part, {@code y = Im(x)}, of complex vectors of any kind, as real vectors.
 *
 * <p>It is linear for real factors only. Its adjoint, {@code x = i y}, is the one for the real part of the inner product.
 *
 * @param <V> the class of the vectors
 */
public final class ImaginaryPart<V extends Vector<V>> extends LinearOperator<V, V> {
    private ImaginaryPart(VectorSpace<V> domain) {
        super(domain, domain.as(domain.dtype().real()));
    }

    /**
     * The operator that takes the imaginary part of vectors of a complex space.
     *
     * @throws IllegalArgumentException when the space is real
     */
    public static <V extends Vector<V>> ImaginaryPart<V> of(VectorSpace<V> domain) {
        if (!Operands.isComplex(domain))
            throw new IllegalArgumentException("domain is " + domain + "; expected a complex space");
        return new ImaginaryPart<>(domain);
    }

    @Override
    protected void applyForward(V x, V y) {
        Parts.imaginary(x, y);
    }

    @Override
    protected void applyAdjoint(V y, V x) {
        x.fill(0);
        Parts.setImaginary(y, x);
    }

    @Override
    public boolean isComplexLinear() {
        return false;
    }
}
