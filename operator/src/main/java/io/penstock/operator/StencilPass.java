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
     * @param imaginary an array like {@code y} for what the imaginary coefficients make of {@code x}, or null where there are none
     * @param accumulate whether to add to {@code y}
     */
    void run(NDArray x, NDArray y, @Nullable NDArray imaginary, boolean accumulate) {
        re.run(y.address(), x.addressToRead(), accumulate);
        if (im != null && imaginary != null) im.run(imaginary.address(), x.addressToRead(), false);
    }

    /** Work that calls {@link #run} on contiguous arrays until all rows are computed. */
    interface Work {
        void run(NDArray x, NDArray y, @Nullable NDArray imaginary);
    }

    /** Does {@code work} on {@code x} and {@code y}, or on contiguous copies of them, and brings real and imaginary part together. */
    void onContiguous(NDArray x, NDArray y, boolean accumulate, Work work) {
        if (!x.isContiguous()) {
            try (NDArray copy = x.copy()) {
                onContiguous(copy, y, accumulate, work);
            }
        } else if (!y.isContiguous()) {
            try (NDArray result = accumulate ? y.copy() : y.space().empty()) {
                onContiguous(x, result, accumulate, work);
                y.assign(result);
            }
        } else if (im != null) {
            try (NDArray imaginary = y.space().empty()) {
                work.run(x, y, imaginary);
                y.axpy(new Complex(0, sign), imaginary);
            }
        } else work.run(x, y, null);
    }

    /** Applies the stencil to arrays that lie in memory whole. */
    void apply(NDArray from, NDArray to, boolean accumulate) {
        onContiguous(from, to, accumulate, (x, y, imaginary) -> run(x, y, imaginary, accumulate));
    }
}
