package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;

/**
 * The lowest frequencies of real arrays along their first axis, time: a discrete Fourier transform scaled such that with all frequencies
 * it keeps norms, {@code y[f] = s / sqrt(n) sum over t of exp(-2 pi i f t / n) x[t]}, where {@code s} is 1 for frequencies that
 * are their own negative and the square root of 2 for all others, which stand for two.
 *
 * <p>It is applied as a matrix, so any length and any device will do. That takes as many operations an element as there are frequencies:
 * right where the transform is followed by a matrix product of that order, as in {@link MultidimensionalConvolution}.
 *
 * <p>The operator is linear for real numbers; its adjoint is the one for the real part of the inner product.
 */
public final class Spectrum extends ArrayOperator {
    private final NDArray cosines;
    private final NDArray sines;
    private final Workspace<NDArray> part;
    private final Workspace<NDArray> term;

    private Spectrum(ArraySpace domain, ArraySpace range, NDArray cosines, NDArray sines) {
        super(domain, range);
        this.cosines = cosines;
        this.sines = sines;
        long columns = columns(domain);
        part = new Workspace<>(domain.reshape(cosines.dim(0), columns));
        term = new Workspace<>(domain.reshape(cosines.dim(1), columns));
    }

    private static long columns(ArraySpace space) {
        long[] shape = space.dims();
        long columns = 1;
        for (int k = 1; k < shape.length; k++) columns *= shape[k];
        return columns;
    }

    /**
     * The operator on arrays of shape (n, ...), to complex ones of shape (frequencies, ...).
     *
     * @param frequencies how many frequencies, at most {@code n / 2 + 1}
     * @param centred whether time 0 is that of index {@code n / 2}, rounded down, instead of index 0
     * @throws IllegalArgumentException when the space has no axis or is not real, or there are too many frequencies
     */
    public static Spectrum of(ArraySpace domain, long frequencies, boolean centred) {
        long[] shape = domain.dims();
        if (shape.length == 0 || domain.dtype().isComplex() || domain.dtype().isInteger())
            throw new IllegalArgumentException("domain is " + domain + "; expected real arrays with a first axis");
        requireFrequencies(frequencies, shape[0]);
        NDArray cosines = matrix(domain, frequencies, centred, true);
        NDArray sines = matrix(domain, frequencies, centred, false);
        return new Spectrum(
                domain, domain.as(domain.dtype().complex()).reshape(Slabs.with(shape, 0, frequencies)), cosines, sines);
    }

    private static void requireFrequencies(long frequencies, long n) {
        if (frequencies < 0 || frequencies > n / 2 + 1 || (n == 0 && frequencies > 0))
            throw new IllegalArgumentException("frequencies is " + frequencies + "; expected 0 to "
                    + (n == 0 ? 0 : n / 2 + 1) + " of arrays of " + n + " samples");
    }

    /**
     * The operator on distributed arrays that are not cut along their first axis; nothing is sent.
     *
     * @throws IllegalArgumentException when they are cut along it; otherwise like {@link #of(ArraySpace, long, boolean)}
     */
    public static LinearOperator<DistributedArray, DistributedArray> of(
            DistributedSpace domain, long frequencies, boolean centred) {
        Layout layout = domain.layout();
        if (layout.axis() == 0)
            throw new IllegalArgumentException(
                    "domain is " + domain + "; expected it cut along another axis than time");
        Spectrum local = of(domain.local(), frequencies, centred);
        return Blockwise.of(
                domain,
                domain.with(layout.withExtent(0, frequencies)).as(domain.dtype().complex()),
                local);
    }

    /** Real or imaginary parts of the transform's matrix; angles are reduced as whole numbers, so that they are exact. */
    private static NDArray matrix(ArraySpace domain, long frequencies, boolean centred, boolean real) {
        long n = domain.dims()[0];
        return Scope.outside(() -> {
            NDArray matrix = NDArray.empty(Device.jvm(), DType.F64, frequencies, n);
            long shift = centred ? n / 2 : 0;
            for (long f = 0; f < frequencies; f++) {
                double scale = Math.sqrt((f == 0 || 2 * f == n ? 1.0 : 2.0) / n);
                for (long t = 0; t < n; t++) {
                    double angle = -2 * Math.PI * Math.floorMod(f * (t - shift), n) / n;
                    matrix.set(scale * (real ? Math.cos(angle) : Math.sin(angle)), f, t);
                }
            }
            NDArray placed = matrix.as(domain.dtype()).to(domain.device());
            if (placed != matrix) matrix.close();
            return placed;
        });
    }

    @Override
    void ordered(Runnable loops, NDArray given, NDArray result) {
        loops.run(); // products and copies do it
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        NDArray columns = x.reshape(x.dim(0), columns(domainSpace()));
        NDArray spectrum = y.reshape(y.dim(0), columns.dim(1));
        NDArray product = part.get();
        cosines.matmul(columns, product);
        spectrum.real().assign(product);
        sines.matmul(columns, product);
        spectrum.imaginary().assign(product);
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        NDArray columns = x.reshape(x.dim(0), columns(domainSpace()));
        NDArray spectrum = y.reshape(y.dim(0), columns.dim(1));
        NDArray parts = part.get();
        parts.assign(spectrum.real());
        cosines.adjointMatmul(parts, columns);
        parts.assign(spectrum.imaginary());
        sines.adjointMatmul(parts, term.get());
        columns.addInPlace(term.get());
    }

    @Override
    public boolean isComplexLinear() {
        return false;
    }

    @Override
    public void close() {
        super.close();
        part.close();
        term.close();
    }
}
