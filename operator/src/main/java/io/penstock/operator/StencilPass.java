package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import org.jspecify.annotations.Nullable;

/** A {@link ComplexStencil} made ready for arrays of one type, of which a window along one axis may lie in memory. */
final class StencilPass {
    private final Sweep re;
    private final @Nullable Sweep im;
    private final int sign;

    StencilPass(ComplexStencil stencil, DType dtype, Sweep.@Nullable Window window) {
        re = Sweep.of(stencil.re(), dtype, window);
        im = stencil.im() == null ? null : Sweep.of(stencil.im(), dtype, window);
        sign = stencil.sign();
    }

    /**
     * Computes the rows that the window names, in contiguous arrays.
     *
     * @param imaginary an array like {@code y} for what the imaginary coefficients make of {@code x}; used, and to be given, only
     *     where there are any. Once all of {@code y} is computed, {@link #combine} adds it.
     */
    void run(NDArray x, NDArray y, @Nullable NDArray imaginary) {
        re.run(y.address(), x.address(), false);
        if (im != null && imaginary != null) im.run(imaginary.address(), x.address(), false);
    }

    /** {@code y = y + sign i imaginary}. */
    void combine(NDArray y, @Nullable NDArray imaginary) {
        if (im != null && imaginary != null) y.axpy(new Complex(0, sign), imaginary);
    }

    boolean isReal() {
        return im == null;
    }

    /** Work on contiguous arrays; the last is null for real stencils. */
    interface Work {
        void run(NDArray x, NDArray y, @Nullable NDArray imaginary);
    }

    /** Does {@code work} on {@code x} and {@code y}, or on contiguous copies of them. */
    void onContiguous(NDArray x, NDArray y, Work work) {
        if (!x.isContiguous()) {
            try (NDArray copy = x.copy()) {
                onContiguous(copy, y, work);
            }
        } else if (!y.isContiguous()) {
            try (NDArray result = y.space().empty()) {
                onContiguous(x, result, work);
                y.assign(result);
            }
        } else if (im != null) {
            try (NDArray imaginary = y.space().empty()) {
                work.run(x, y, imaginary);
            }
        } else work.run(x, y, null);
    }
}
