package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Stencil} made ready for contiguous arrays of one type in host memory: the loops of a {@link Sweep}, and for short rows, once that was
 * found faster, a {@link RowKernel} for those that have the same taps. Both find the same bits.
 */
final class HostStencil {
    private final Sweep sweep;
    private final @Nullable RowTrial setting;
    private final @Nullable RowTrial adding;

    HostStencil(Stencil stencil, DType dtype, Sweep.@Nullable Window window) {
        List<SweepAxis> axes = SweepAxis.merged(stencil, dtype, window);
        sweep = new Sweep(dtype.real(), axes);
        RowKernel kernel = RowKernel.of(dtype.real(), axes);
        setting = kernel == null ? null : new RowTrial(kernel, dtype.real(), false);
        adding = kernel == null ? null : new RowTrial(kernel, dtype.real(), true);
    }

    /** {@code y = S x}, or {@code y += S x}. */
    void apply(NDArray x, NDArray y, boolean accumulate) {
        RowTrial trial = accumulate ? adding : setting;
        boolean done = trial != null && trial.apply(x, y);
        sweep.run(y.address(), x.addressToRead(), accumulate, done);
    }
}
