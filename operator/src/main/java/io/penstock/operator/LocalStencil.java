package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;

/** A stencil as an operator between arrays. */
final class LocalStencil extends LinearOperator<NDArray, NDArray> {
    private final String name;
    private final StencilPass forward;
    private final StencilPass adjoint;

    private LocalStencil(String name, ComplexStencil stencil, DType dtype) {
        super(
                ArraySpace.of(dtype, stencil.re().domain()),
                ArraySpace.of(dtype, stencil.re().range()));
        this.name = name;
        forward = new StencilPass(stencil, dtype, null);
        adjoint = new StencilPass(stencil.adjoint(), dtype, null);
    }

    static LocalStencil of(String name, ComplexStencil stencil, DType dtype) {
        return new LocalStencil(name, stencil, dtype);
    }

    @Override
    protected void applyForward(NDArray x, NDArray y) {
        apply(forward, x, y);
    }

    @Override
    protected void applyAdjoint(NDArray y, NDArray x) {
        apply(adjoint, y, x);
    }

    private static void apply(StencilPass pass, NDArray from, NDArray to) {
        pass.onContiguous(from, to, (x, y, imaginary) -> {
            pass.run(x, y, imaginary);
            pass.combine(y, imaginary);
        });
    }

    @Override
    public String toString() {
        return name + " on " + domain();
    }
}
