package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.Arrays;
import java.util.Objects;

/**
 * Post-stack seismic modelling: from the logarithm of acoustic impedance to the seismic section it makes; a recipe, from which
 * {@link #on} makes operators.
 *
 * <p>Small reflection coefficients at normal incidence are half the step of the impedance's logarithm from one sample to the next
 * but one (K. Aki and P. Richards, Quantitative Seismology, chapter 5), and the section is their convolution with the wavelet:
 * {@code data = W D model}. {@code D} is {@link FirstDerivative} along time with sampling 1: for centered ones
 * {@code (m[i+1] - m[i-1]) / 2}, zero at the first and the last sample. {@code W} convolves with the wavelet, whose centre is
 * sample {@code length / 2}, and takes all beyond the section as zero.
 *
 * <p>Both are applied as one band, in one pass over the data. Sections may be cut between ranks along any axis: along time one
 * exchange brings what the band reaches of the neighbours' samples; along others nothing is sent.
 */
public final class PoststackModelling {
    private final int axis;
    private final double[][] wavelets;
    private final Difference kind;

    private PoststackModelling(int axis, double[][] wavelets, Difference kind) {
        this.axis = axis;
        this.wavelets = wavelets;
        this.kind = Objects.requireNonNull(kind, "kind is null");
        for (double[] wavelet : wavelets)
            if (wavelet.length == 0 || wavelet.length != wavelets[0].length)
                throw new IllegalArgumentException("a wavelet has " + wavelet.length
                        + " samples; expected one or more, and as many in all wavelets");
    }

    /** With one wavelet for all times and centered differences. */
    public static PoststackModelling along(int timeAxis, double[] wavelet) {
        return new PoststackModelling(timeAxis, new double[][] {wavelet.clone()}, Difference.CENTERED);
    }

    /**
     * With a wavelet that changes with time and centered differences.
     *
     * @param wavelets for each sample of the model's time axis, the wavelet that it sends out
     */
    public static PoststackModelling along(int timeAxis, double[][] wavelets) {
        if (wavelets.length < 2)
            throw new IllegalArgumentException(
                    "there are " + wavelets.length + " wavelets; expected one for each time sample");
        return new PoststackModelling(
                timeAxis, Arrays.stream(wavelets).map(double[]::clone).toArray(double[][]::new), Difference.CENTERED);
    }

    /** On arrays whose first axis is time, with centered differences. */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace space, double[] wavelet) {
        return along(0, wavelet).on(space);
    }

    /** On distributed arrays whose first axis is time, with centered differences. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace space, double[] wavelet) {
        return along(0, wavelet).on(space);
    }

    /** With other differences. */
    public PoststackModelling kind(Difference other) {
        return new PoststackModelling(axis, wavelets, other);
    }

    /**
     * The operator on arrays.
     *
     * @throws IllegalArgumentException when they have no such axis or their elements are integers
     */
    public LinearOperator<NDArray, NDArray> on(ArraySpace space) {
        return LocalStencil.of(toString(), stencil(space.dims()), Axes.requireFloating(space));
    }

    /**
     * The operator on distributed arrays, whichever axis they are cut along.
     *
     * @throws IllegalArgumentException when they have no such axis or their elements are integers
     */
    public LinearOperator<DistributedArray, DistributedArray> on(DistributedSpace space) {
        Axes.requireFloating(space.dtype());
        return DistributedStencil.of(toString(), stencil(space.layout().dims()), space);
    }

    private ComplexStencil stencil(long[] shape) {
        int k = Axes.index(axis, shape.length);
        Band derivative = FirstDerivative.along(k).kind(kind).band(shape[k]);
        return ComplexStencil.real(Stencil.along(k, convolution(shape[k]).times(derivative), shape));
    }

    private Band convolution(long n) {
        int center = wavelets[0].length / 2;
        if (wavelets.length == 1) return Band.convolution(wavelets[0], center, n, n);
        if (wavelets.length != n)
            throw new IllegalArgumentException("there are " + wavelets.length + " wavelets; expected " + n
                    + ", one for each sample of axis " + axis);
        return Band.of(n, n, n, n, BandRow.EMPTY, i -> {
            BandRow.Builder row = new BandRow.Builder();
            for (int t = 0; t < wavelets[0].length; t++) {
                long j = i + center - t;
                if (j >= 0 && j < n) row.add(j - i, wavelets[(int) j][t]);
            }
            return row.build();
        });
    }

    @Override
    public String toString() {
        return "PoststackModelling[axis=" + axis + ", wavelet=" + wavelets[0].length + " samples, kind=" + kind + "]";
    }
}
