package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Scope;
import java.util.Arrays;

/**
 * Multidimensional convolution: wavefields convolved in time and integrated over space with those of a kernel,
 * {@code y(t, s, v) = sum over r of g(t, s, r) * x(t, r, v)}, computed in the frequencies that the kernel has (Wapenaar and others,
 * 2011).
 *
 * <p>Arrays are real, of shape (times, receivers, columns), and results of shape (times, sources, columns). A plan describes the
 * operator: {@code MultidimensionalConvolution.of(kernel).sampling(0.004, 10).twoSided().on(space)}.
 *
 * <p>Distributed, the arrays are cut along an axis that is not time and the kernel between the ranks by frequency: two transforms on each
 * rank's own traces, two all-to-all exchanges of what the kernel's frequencies hold, and no array that any rank holds whole.
 */
public final class MultidimensionalConvolution {
    private final NDArray kernel;
    private final double dt;
    private final double dr;
    private final boolean twoSided;
    private final boolean conjugate;

    private MultidimensionalConvolution(NDArray kernel, double dt, double dr, boolean twoSided, boolean conjugate) {
        this.kernel = kernel;
        this.dt = dt;
        this.dr = dr;
        this.twoSided = twoSided;
        this.conjugate = conjugate;
    }

    /**
     * The plan for a kernel, with steps of 1 in time and space, and time that begins with 0.
     *
     * @param kernel its lowest frequencies, complex, of shape (frequencies, sources, receivers); distributed, this rank's frequencies.
     *     Shared, not copied, where no sampling scales it
     * @throws IllegalArgumentException when it is not complex or has not three dimensions
     */
    public static MultidimensionalConvolution of(NDArray kernel) {
        if (!kernel.dtype().isComplex() || kernel.ndim() != 3)
            throw new IllegalArgumentException("kernel is of shape " + Arrays.toString(kernel.shape()) + " and type "
                    + kernel.dtype() + "; expected three dimensions of complex numbers");
        return new MultidimensionalConvolution(kernel, 1, 1, false, false);
    }

    /** With steps in time and space, by which sums become integrals. */
    public MultidimensionalConvolution sampling(double timeStep, double spaceStep) {
        return new MultidimensionalConvolution(kernel, timeStep, spaceStep, twoSided, conjugate);
    }

    /** With arguments whose middle sample is that of time 0; results begin with time 0. Their number of samples must be odd. */
    public MultidimensionalConvolution twoSided() {
        return new MultidimensionalConvolution(kernel, dt, dr, true, conjugate);
    }

    /** With the complex conjugate of the kernel: correlation in time. */
    public MultidimensionalConvolution conjugated() {
        return new MultidimensionalConvolution(kernel, dt, dr, twoSided, !conjugate);
    }

    /**
     * The operator on arrays of one device.
     *
     * @throws IllegalArgumentException when the space does not fit the kernel
     */
    public LinearOperator<NDArray, NDArray> on(ArraySpace space) {
        long[] shape = space.dims();
        requireShape(shape, space.dtype());
        Spectrum before = Spectrum.of(space, kernel.dim(0), twoSided);
        Spectrum after = Spectrum.of(space.reshape(shape[0], kernel.dim(1), shape[2]), kernel.dim(0), false);
        return after.adjoint().times(Fredholm.of(scaled(shape[0]), shape[2]).times(before));
    }

    /**
     * The operator on distributed arrays that are cut along receivers or columns. Results are cut likewise, sources as evenly as can
     * be.
     *
     * @param frequencies how many frequencies all ranks' kernels have together; each has as many as {@code Layout.rows} gives it
     * @throws IllegalArgumentException when the space does not fit the kernel, or is cut along time or not at all
     */
    public LinearOperator<DistributedArray, DistributedArray> on(DistributedSpace space, long frequencies) {
        Layout layout = space.layout();
        requireShape(layout.dims(), space.dtype());
        if (layout.axis() != 1 && layout.axis() != 2)
            throw new IllegalArgumentException(
                    "space is " + space + "; expected it cut along receivers or columns, axis 1 or 2");
        long own = Layout.rows(layout.ranks(), frequencies).block(space.ranks().rank());
        if (kernel.dim(0) != own)
            throw new IllegalArgumentException("kernel has " + kernel.dim(0) + " frequencies; expected " + own
                    + ", those of this rank of " + frequencies);
        Layout results = layout.axis() == 2
                ? layout.withExtent(1, kernel.dim(1))
                : Layout.split(layout.ranks(), 1, layout.dim(0), kernel.dim(1), layout.dim(2));
        var before = Spectrum.of(space, frequencies, twoSided);
        var after = Spectrum.of(space.with(results), frequencies, false);
        var toFrequencies = byFrequency((DistributedSpace) before.range());
        var backwards = byFrequency((DistributedSpace) after.range());
        var integral = Fredholm.distributed((DistributedSpace) toFrequencies.range(), scaled(layout.dim(0)));
        return after.adjoint().times(backwards.adjoint().times(integral.times(toFrequencies.times(before))));
    }

    private static LinearOperator<DistributedArray, DistributedArray> byFrequency(DistributedSpace space) {
        return Redistribution.of(space, space.layout().along(0));
    }

    private void requireShape(long[] shape, DType dtype) {
        if (shape.length != 3 || shape[1] != kernel.dim(2))
            throw new IllegalArgumentException("the arrays have shape " + Arrays.toString(shape)
                    + "; expected three dimensions with " + kernel.dim(2) + " receivers, as the kernel of shape "
                    + Arrays.toString(kernel.shape()) + " has");
        if (dtype != kernel.dtype().real())
            throw new IllegalArgumentException("the arrays hold " + dtype + "; expected "
                    + kernel.dtype().real() + " for a kernel of " + kernel.dtype());
        if (twoSided && shape[0] % 2 == 0)
            throw new IllegalArgumentException("the arrays have " + shape[0]
                    + " times; expected an odd number, so that there is a middle one for time 0");
    }

    /** The kernel times what the transforms' scaling leaves to it. */
    private NDArray scaled(long times) {
        double scale = dr * dt * Math.sqrt((double) times);
        return Scope.outside(() -> {
            NDArray copy = kernel.copy();
            copy.scale(scale);
            if (conjugate) copy.conjugate();
            return copy;
        });
    }
}
