package io.penstock.array;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.ComplexFloats;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.KernelArgument;
import io.penstock.kernel.Longs;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * An N-dimensional array of numbers in a device's memory: a shape and strides over a {@link Buffer}. Views share the memory of
 * the array they were taken from.
 *
 * <p>New arrays are C-ordered. Axes may be counted from the end with negative numbers; indices may not.
 */
public final class NDArray implements Vector<NDArray>, KernelArgument {
    private final Buffer buffer;
    private final DType dtype;
    private final long[] shape;
    private final long[] strides;
    private final long offset;
    private final long size;
    private final boolean contiguous;

    private NDArray(Buffer buffer, DType dtype, long[] shape, long[] strides, long offset) {
        this.buffer = buffer;
        this.dtype = dtype;
        this.shape = shape;
        this.strides = strides;
        this.offset = offset;
        this.size = Shapes.size(shape);
        this.contiguous = isRowMajor(shape, strides);
    }

    private static boolean isRowMajor(long[] shape, long[] strides) {
        long expected = 1;
        for (int k = shape.length - 1; k >= 0; k--) {
            if (shape[k] == 0) return true;
            if (shape[k] != 1 && strides[k] != expected) return false;
            expected *= shape[k];
        }
        return true;
    }

    // Creation -----------------------------------------------------------------------------------------------------

    /** An array of unspecified content. */
    public static NDArray empty(DType dtype, long... shape) {
        Objects.requireNonNull(dtype, "dtype is null");
        long[] own = shape.clone();
        long size = Shapes.size(own);
        if (size > Long.MAX_VALUE / dtype.bytes())
            throw new IllegalArgumentException(
                    "shape " + Shapes.describe(own) + " of " + dtype + " has more than 2^63 bytes");
        Buffer buffer = Device.jvm().allocate(size * dtype.bytes(), MemoryKind.HOST);
        return new NDArray(buffer, dtype, own, Shapes.rowMajor(own), 0);
    }

    /** An array of zeros. */
    public static NDArray zeros(DType dtype, long... shape) {
        NDArray array = empty(dtype, shape);
        array.fill(0);
        return array;
    }

    /** An array whose elements are all {@code value}. */
    public static NDArray full(double value, DType dtype, long... shape) {
        NDArray array = empty(dtype, shape);
        array.fill(value);
        return array;
    }

    /** A one-dimensional array of the given double-precision numbers. */
    public static NDArray of(double... values) {
        NDArray array = empty(DType.F64, values.length);
        for (int i = 0; i < values.length; i++) Elements.set(DType.F64, array.addressOf(i), values[i], 0);
        return array;
    }

    /**
     * An array of independent standard normal numbers (both parts, where complex). Element {@code i} in C order depends on
     * {@code seed} and {@code i} alone.
     */
    public static NDArray random(long seed, DType dtype, long... shape) {
        NDArray array = empty(dtype, shape);
        for (long i = 0; i < array.size; i++)
            Elements.set(
                    dtype, array.address() + i * dtype.bytes(), Normal.at(seed, 2 * i), Normal.at(seed, 2 * i + 1));
        return array;
    }

    // Properties ---------------------------------------------------------------------------------------------------

    /** The type of the elements. */
    public DType dtype() {
        return dtype;
    }

    /** The extent of each dimension, as an array that the caller may change. */
    public long[] shape() {
        return shape.clone();
    }

    /** The extent of one dimension. */
    public long dim(int axis) {
        return shape[Shapes.axis(axis, shape.length)];
    }

    /** The distance in elements between neighbours along each dimension, as an array that the caller may change. */
    public long[] strides() {
        return strides.clone();
    }

    /** The number of dimensions. */
    public int ndim() {
        return shape.length;
    }

    /** The number of elements. */
    public long size() {
        return size;
    }

    /** Whether the elements lie next to each other in C order. */
    public boolean isContiguous() {
        return contiguous;
    }

    /** The memory that the array, or the one it is a view of, was allocated with. */
    public Buffer buffer() {
        return buffer;
    }

    /** The address of the first element (of index 0 in every dimension). */
    public long address() {
        return buffer.address() + offset * dtype.bytes();
    }

    @Override
    public ElementView elements() {
        return switch (dtype) {
            case U8 -> Bytes.of(buffer, offset, shape, strides);
            case I32 -> Ints.of(buffer, offset, shape, strides);
            case I64 -> Longs.of(buffer, offset, shape, strides);
            case F32 -> Floats.of(buffer, offset, shape, strides);
            case F64 -> Doubles.of(buffer, offset, shape, strides);
            case C64 -> ComplexFloats.of(buffer, offset, shape, strides);
            case C128 -> ComplexDoubles.of(buffer, offset, shape, strides);
        };
    }

    @Override
    public ArraySpace space() {
        return new ArraySpace(Shapes.toList(shape), dtype);
    }

    // Elements -----------------------------------------------------------------------------------------------------

    /**
     * The element at {@code index} as a double.
     *
     * @throws IndexOutOfBoundsException naming the dimension, the index and the extent
     * @throws IllegalStateException when the element is complex with a non-zero imaginary part
     */
    public double get(long... index) {
        long address = addressOf(index);
        double im = Elements.im(dtype, address);
        if (im != 0)
            throw new IllegalStateException("the element is complex: " + getComplex(index) + "; use getComplex");
        return Elements.re(dtype, address);
    }

    /** The element at {@code index} as a complex number. */
    public Complex getComplex(long... index) {
        long address = addressOf(index);
        return new Complex(Elements.re(dtype, address), Elements.im(dtype, address));
    }

    /** Sets the element at {@code index}, converted to the array's type. */
    public void set(double value, long... index) {
        Elements.set(dtype, addressOf(index), value, 0);
    }

    /** Sets the element at {@code index}, which must be of a complex type unless {@code value} is real. */
    public void set(Complex value, long... index) {
        if (!dtype.isComplex() && !value.isReal())
            throw new IllegalArgumentException(
                    "value is " + value + "; expected a real number for an array of " + dtype);
        Elements.set(dtype, addressOf(index), value.re(), value.im());
    }

    private long addressOf(long... index) {
        if (index.length != shape.length)
            throw new IllegalArgumentException("index has " + index.length + " entries; expected " + shape.length
                    + " for shape " + Shapes.describe(shape));
        long at = offset;
        for (int k = 0; k < index.length; k++) {
            if (index[k] < 0 || index[k] >= shape[k])
                throw new IndexOutOfBoundsException("index " + index[k] + " in dimension " + k + "; expected 0 to "
                        + (shape[k] - 1) + " for shape " + Shapes.describe(shape));
            at += index[k] * strides[k];
        }
        return buffer.address() + at * dtype.bytes();
    }

    // Views --------------------------------------------------------------------------------------------------------

    /**
     * The elements {@code from} (inclusive) to {@code to} (exclusive) along an axis, as a view.
     *
     * @throws IndexOutOfBoundsException when the range does not lie within the axis
     */
    public NDArray slice(int axis, long from, long to) {
        int k = Shapes.axis(axis, shape.length);
        if (from < 0 || to < from || to > shape[k])
            throw new IndexOutOfBoundsException(
                    "slice " + from + " to " + to + " along axis " + k + " does not lie within its extent " + shape[k]);
        long[] newShape = shape.clone();
        newShape[k] = to - from;
        return new NDArray(buffer, dtype, newShape, strides, to == from ? offset : offset + from * strides[k]);
    }

    /** The same elements in another shape: a view where the memory order allows it, else a copy. */
    public NDArray reshape(long... newShape) {
        if (Shapes.size(newShape) != size)
            throw new IllegalArgumentException("shape " + Shapes.describe(newShape) + " has " + Shapes.size(newShape)
                    + " elements; expected " + size + ", those of shape " + Shapes.describe(shape));
        NDArray base = contiguous ? this : copy();
        return new NDArray(base.buffer, dtype, newShape.clone(), Shapes.rowMajor(newShape), base.offset);
    }

    /** The array with its axes in another order, as a view; without arguments, reversed. */
    public NDArray transpose(int... axes) {
        int n = shape.length;
        long[] newShape = new long[n];
        long[] newStrides = new long[n];
        boolean[] seen = new boolean[n];
        if (axes.length != n && axes.length != 0)
            throw new IllegalArgumentException(
                    "axes is " + Arrays.toString(axes) + "; expected each of " + n + " axes once");
        for (int k = 0; k < n; k++) {
            int axis = axes.length == 0 ? n - 1 - k : Shapes.axis(axes[k], n);
            if (seen[axis])
                throw new IllegalArgumentException("axes is " + Arrays.toString(axes) + "; expected each axis once");
            seen[axis] = true;
            newShape[k] = shape[axis];
            newStrides[k] = strides[axis];
        }
        return new NDArray(buffer, dtype, newShape, newStrides, offset);
    }

    /** The real parts, as a view; the array itself when it is not complex. */
    public NDArray real() {
        return dtype.isComplex() ? part(0) : this;
    }

    /**
     * The imaginary parts of a complex array, as a view.
     *
     * @throws IllegalArgumentException when the array is not complex
     */
    public NDArray imaginary() {
        if (!dtype.isComplex())
            throw new IllegalArgumentException("dtype is " + dtype + "; expected C64 or C128 to have imaginary parts");
        return part(1);
    }

    private NDArray part(int which) {
        long[] doubled = strides.clone();
        for (int k = 0; k < doubled.length; k++) doubled[k] *= 2;
        return new NDArray(buffer, dtype.real(), shape, doubled, 2 * offset + which);
    }

    // Vector -------------------------------------------------------------------------------------------------------

    @Override
    public NDArray copy() {
        NDArray result = empty(dtype, shape);
        result.assign(this);
        return result;
    }

    @Override
    public void fill(double value) {
        Elementwise.fill(this, value, 0);
        Alive.until(this);
    }

    @Override
    public void assign(NDArray x) {
        check(x, "x");
        Elementwise.assign(this, Overlap.safe(this, x));
        Alive.until(this, x);
    }

    @Override
    public void scale(double alpha) {
        Combination.scale(this, alpha);
        Alive.until(this);
    }

    @Override
    public void scale(Complex alpha) {
        requireReal(alpha);
        Combination.scale(this, alpha);
        Alive.until(this);
    }

    @Override
    public void axpy(double alpha, NDArray x) {
        axpby(alpha, x, 1);
    }

    @Override
    public void axpy(Complex alpha, NDArray x) {
        requireReal(alpha);
        check(x, "x");
        Combination.axpy(alpha, Overlap.safe(this, x), this);
        Alive.until(this, x);
    }

    @Override
    public void axpby(double alpha, NDArray x, double beta) {
        check(x, "x");
        Combination.axpby(alpha, Overlap.safe(this, x), beta, this);
        Alive.until(this, x);
    }

    @Override
    public void conjugate() {
        if (dtype.isComplex()) imaginary().scale(-1);
    }

    @Override
    public void dot(NDArray y, Reductions sums, int slot) {
        check(y, "y");
        if (dtype.isComplex()) {
            Complex sum = Combination.dot(this, y);
            sums.add(slot, sum.re(), sum.im(), true, null);
        } else sums.add(slot, Combination.dotReal(this, y), 0, false, null);
        Alive.until(this, y);
    }

    /** The sum of {@code conj(this[i]) * y[i]} over the elements of two arrays of one space. */
    public Complex localDot(NDArray y) {
        check(y, "y");
        Complex sum = Combination.dot(this, y);
        Alive.until(this, y);
        return sum;
    }

    private void check(NDArray x, String name) {
        if (dtype != x.dtype || !Arrays.equals(shape, x.shape)) space().check(x, name);
    }

    /** Whether the range of memory that this array's elements span meets that of one of {@code other}'s buffers. */
    @Override
    public boolean overlaps(Vector<?> other) {
        if (other instanceof NDArray array) return Overlap.ranges(this, array);
        boolean[] shared = {false};
        other.forEachBuffer(b -> shared[0] |= b.allocation() == buffer.allocation());
        return shared[0];
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> visitor) {
        visitor.accept(buffer);
    }

    @Override
    public void close() {
        buffer.close();
    }

    /** The elements in C order as doubles; complex elements must be real. */
    public double[] toDoubles() {
        double[] values = new double[Math.toIntExact(size)];
        int[] i = {0};
        Runs.inOrder(this).forEach((at, step, n) -> {
            for (long k = 0; k < n; k++) values[i[0]++] = Elements.re(dtype, at[0] + k * step[0]);
        });
        return values;
    }

    private void requireReal(Complex alpha) {
        if (!dtype.isComplex() && !alpha.isReal())
            throw new IllegalArgumentException(
                    "alpha is " + alpha + "; expected a real number for an array of " + dtype);
    }
}
