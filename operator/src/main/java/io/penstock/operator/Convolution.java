package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Convolution with a filter along one axis or several; a recipe, from which {@link #on} makes operators.
 *
 * <pre>{@code
 * var smooth = Convolution.along(0, 1, 2, 1).origin(1).on(space);
 * var blur   = Convolution.along(new int[] {0, 1}, kernel).origin(3, 3).on(space);
 * }</pre>
 *
 * <p>Along each of its axes {@code y[i] = sum over k of h[k] x[i + origin - k]}, where {@code x} is zero beyond its ends; filters may
 * be longer than the axis. Everything is computed directly, in one pass over the data.
 *
 * <p>Over ranks, what the filter reaches of other ranks' rows travels in one exchange.
 */
public final class Convolution {
    private final int[] axes;
    private final long[] filterShape;
    private final Complex[] filter;
    private final long[] origin;
    private final long @Nullable [] results;

    private Convolution(int[] axes, long[] filterShape, Complex[] filter, long[] origin, long @Nullable [] results) {
        this.axes = axes;
        this.filterShape = filterShape;
        this.filter = filter;
        this.origin = origin;
        this.results = results;
    }

    /** With a real filter along one axis, its origin at its first element. */
    public static Convolution along(int axis, double... filter) {
        return new Convolution(
                new int[] {axis},
                new long[] {filter.length},
                Arrays.stream(filter).mapToObj(Complex::of).toArray(Complex[]::new),
                new long[1],
                null);
    }

    /** With a filter along one axis, its origin at its first element. */
    public static Convolution along(int axis, NDArray filter) {
        return along(new int[] {axis}, filter);
    }

    /**
     * With a filter along several axes, its origin at its first element.
     *
     * @param axes for each axis of the filter, along which axis of the data it lies
     * @param filter the filter, whose elements are copied; a complex one is for complex data only
     * @throws IllegalArgumentException when the filter does not have as many axes
     */
    public static Convolution along(int[] axes, NDArray filter) {
        if (filter.ndim() != axes.length || axes.length == 0)
            throw new IllegalArgumentException("filter has " + filter.ndim() + " axes and axes is "
                    + Arrays.toString(axes) + "; expected as many, one or more");
        Complex[] elements = new Complex[Math.toIntExact(filter.size())];
        NDArray flat = filter.reshape(filter.size());
        for (int i = 0; i < elements.length; i++) elements[i] = flat.getComplex(i);
        return new Convolution(axes.clone(), filter.shape(), elements, new long[axes.length], null);
    }

    /**
     * With another origin: for each axis of the filter, the index of the element that weighs {@code x[i]} in {@code y[i]}.
     *
     * @throws IllegalArgumentException when an index does not lie within the filter
     */
    public Convolution origin(long... index) {
        requireEach("origin", index);
        for (int k = 0; k < index.length; k++)
            if (index[k] < 0 || index[k] >= filterShape[k])
                throw new IllegalArgumentException("origin is " + Arrays.toString(index)
                        + "; expected an index within a filter of shape " + Arrays.toString(filterShape));
        return new Convolution(axes, filterShape, filter, index.clone(), results);
    }

    /**
     * With another number of results along each axis of the filter, fewer or more than there are data: those of indices 0 up to
     * that number. An axis that arrays are cut along keeps its extent.
     */
    public Convolution results(long... extents) {
        requireEach("extents", extents);
        for (long extent : extents)
            if (extent < 0)
                throw new IllegalArgumentException("extents is " + Arrays.toString(extents) + "; expected 0 or more");
        return new Convolution(axes, filterShape, filter, origin, extents.clone());
    }

    private void requireEach(String name, long[] values) {
        if (values.length != axes.length)
            throw new IllegalArgumentException(name + " is " + Arrays.toString(values) + "; expected " + axes.length
                    + " entries, one for each axis of the filter");
    }

    /**
     * The operator on arrays.
     *
     * @throws IllegalArgumentException when they lack one of the axes, their elements are integers, or the filter is complex and
     *     they are not
     */
    public LinearOperator<NDArray, NDArray> on(ArraySpace space) {
        return LocalStencil.of(toString(), stencil(space.dims(), space.dtype()), space);
    }

    /**
     * The operator on distributed arrays, whichever axis they are cut along.
     *
     * @throws IllegalArgumentException when they lack one of the axes, their elements are integers, the filter is complex and
     *     they are not, or the axis that they are cut along does not keep its extent
     */
    public LinearOperator<DistributedArray, DistributedArray> on(DistributedSpace space) {
        return DistributedStencil.of(toString(), stencil(space.layout().dims(), space.dtype()), space);
    }

    private ComplexStencil stencil(long[] shape, DType dtype) {
        Axes.requireFloating(dtype);
        int[] indices = Axes.distinct(Arrays.stream(axes).boxed().toList(), shape.length);
        boolean complex = !Arrays.stream(filter).allMatch(Complex::isReal);
        if (complex && !dtype.isComplex())
            throw new IllegalArgumentException("the elements are " + dtype
                    + " and the filter is complex; expected complex elements, such as " + dtype.complex());
        Stencil re = part(indices, shape, Complex::re);
        return complex ? new ComplexStencil(re, part(indices, shape, Complex::im), 1) : ComplexStencil.real(re);
    }

    /** The stencil of the filter's real or imaginary parts: along the innermost axis a band for each of the filter's rows. */
    private Stencil part(int[] indices, long[] shape, ToDoubleFunction<Complex> partOf) {
        long[] range = shape.clone();
        if (results != null) for (int k = 0; k < indices.length; k++) range[indices[k]] = results[k];
        int inner = IntStream.range(0, indices.length)
                .reduce((a, b) -> indices[a] > indices[b] ? a : b)
                .orElseThrow();
        long innerStride = 1;
        for (int k = inner + 1; k < filterShape.length; k++) innerStride *= filterShape[k];
        Stencil sum = Stencil.none(shape, range);
        for (int at = 0; at < filter.length; at++) {
            if (at / innerStride % filterShape[inner] != 0) continue;
            double[] row = new double[(int) filterShape[inner]];
            for (int j = 0; j < row.length; j++) row[j] = partOf.applyAsDouble(filter[(int) (at + j * innerStride)]);
            @Nullable Band[] factors = new @Nullable Band[shape.length];
            long rest = at;
            for (int k = indices.length - 1; k >= 0; k--) {
                int axis = indices[k];
                long index = rest % filterShape[k];
                rest /= filterShape[k];
                factors[axis] = k == inner
                        ? Band.convolution(row, origin[k], range[axis], shape[axis])
                        : Band.shift(origin[k] - index, range[axis], shape[axis]);
            }
            sum = sum.plus(factors);
        }
        return sum;
    }

    @Override
    public String toString() {
        return "Convolution[axes=" + Arrays.toString(axes) + ", filter of shape " + Arrays.toString(filterShape)
                + ", origin=" + Arrays.toString(origin) + "]";
    }
}
