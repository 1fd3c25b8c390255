package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import org.jspecify.annotations.Nullable;

/** A {@link ComplexStencil} made ready for arrays of one type, of which a window along one axis may lie in memory. */
final class StencilPass {
    private final Loops loops;
    private final boolean hasImaginary;
    private final int sign;

    /** What computes the rows that are asked for, in contiguous arrays. */
    private interface Loops {
        void run(NDArray x, NDArray y, @Nullable NDArray imaginary, boolean accumulate);
    }

    private StencilPass(ComplexStencil stencil, Loops loops) {
        this.loops = loops;
        hasImaginary = stencil.im() != null;
        sign = stencil.sign();
    }

    /** For arrays in host memory. */
    StencilPass(ComplexStencil stencil, DType dtype, Sweep.@Nullable Window window) {
        this(stencil, onHost(stencil, dtype, window));
    }

    private static Loops onHost(ComplexStencil stencil, DType dtype, Sweep.@Nullable Window window) {
        HostStencil re = new HostStencil(stencil.re(), dtype, window);
        HostStencil im = stencil.im() == null ? null : new HostStencil(stencil.im(), dtype, window);
        return (x, y, imaginary, accumulate) -> {
            re.apply(x, y, accumulate);
            if (im != null && imaginary != null) im.apply(x, imaginary, false);
        };
    }

    /** For whole arrays of a space, where they lie. */
    static StencilPass of(ComplexStencil stencil, ArraySpace domain) {
        if (domain.device().equals(Device.jvm())) return new StencilPass(stencil, domain.dtype(), null);
        DeviceStencil re = new DeviceStencil(stencil.re(), domain);
        DeviceStencil im = stencil.im() == null ? null : new DeviceStencil(stencil.im(), domain);
        return new StencilPass(stencil, (x, y, imaginary, accumulate) -> {
            re.apply(x, y, accumulate);
            if (im != null && imaginary != null) im.apply(x, imaginary, false);
        });
    }

    /**
     * Computes the rows that the window names, in contiguous arrays.
     *
     * @param imaginary an array like {@code y} for what the imaginary coefficients make of {@code x}, or null where there are none
     * @param accumulate whether to add to {@code y}
     */
    void run(NDArray x, NDArray y, @Nullable NDArray imaginary, boolean accumulate) {
        loops.run(x, y, imaginary, accumulate);
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
        } else if (hasImaginary) {
            try (NDArray imaginary = y.space().empty()) {
                work.run(x, y, imaginary);
                y.axpy(new Complex(0, sign), imaginary);
            }
        } else work.run(x, y, null);
    }

    /** Applies the stencil to arrays that lie in memory whole. */
    void apply(NDArray from, NDArray to, boolean accumulate) {
        Ordered.run(
                () -> onContiguous(from, to, accumulate, (x, y, imaginary) -> run(x, y, imaginary, accumulate)),
                to,
                from);
    }
}
