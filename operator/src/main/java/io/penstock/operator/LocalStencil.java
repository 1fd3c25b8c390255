package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;

/** A stencil as an operator between arrays. */
final class LocalStencil extends AccumulatingOperator<NDArray> {
    private final String name;
    private final StencilPass forward;
    private final StencilPass adjoint;

    private LocalStencil(String name, ComplexStencil stencil, ArraySpace domain, ArraySpace range) {
        super(domain, range);
        this.name = name;
        forward = StencilPass.of(stencil, domain);
        adjoint = StencilPass.of(stencil.adjoint(), range);
    }

    /** The operator between arrays of the stencil's shapes, of the type and on the device of a space's. */
    static LocalStencil of(String name, ComplexStencil stencil, ArraySpace like) {
        return of(
                name,
                stencil,
                like.reshape(stencil.re().domain()),
                like.reshape(stencil.re().range()));
    }

    /** The operator between arrays whose shapes differ from the stencil's by axes of extent 1 only. */
    static LocalStencil of(String name, ComplexStencil stencil, ArraySpace domain, ArraySpace range) {
        return new LocalStencil(name, stencil, domain, range);
    }

    @Override
    void forward(NDArray x, NDArray y, boolean accumulate) {
        forward.apply(x, y, accumulate);
    }

    @Override
    void adjoint(NDArray y, NDArray x, boolean accumulate) {
        adjoint.apply(y, x, accumulate);
    }

    @Override
    public String toString() {
        return name + " on " + domain();
    }
}
