package io.penstock.array;

import io.penstock.kernel.ElementView;
import io.penstock.kernel.KernelArgument;
import io.penstock.kernel.MapBody;
import io.penstock.kernel.ViewLayout;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Region;
import io.penstock.runtime.Scope;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * An N-dimensional array of numbers in a device's memory: a shape and strides over a {@link Buffer}. Views share the memory of
 * the array they were taken from.
 *
 * <p>Operations run on the device that the arrays lie on; of several arrays all must lie on one, but for {@link #assign} and
 * {@link #set(NDArray)}, which copy between devices. Their order is nobody's business but the library's, and reading elements waits
 * for what is under way on these elements and for nothing else.
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

    NDArray(Buffer buffer, DType dtype, long[] shape, long[] strides, long offset) {
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

    // New arrays lie on the device of the queue that Queue.during has chosen for the calling thread, else on the JVM.

    /** An array of unspecified content. */
    public static NDArray empty(DType dtype, long... shape) {
        return empty(Device.current(), dtype, shape);
    }

    /** An array of unspecified content on a device, in the JVM's host memory or the memory of the device's own. */
    public static NDArray empty(Device device, DType dtype, long... shape) {
        return empty(device, Placement.usual(device), dtype, shape);
    }

    /**
     * An array of unspecified content on a device.
     *
     * @throws io.penstock.runtime.DeviceMemoryException when the device has too little memory left
     */
    public static NDArray empty(Device device, MemoryKind kind, DType dtype, long... shape) {
        Objects.requireNonNull(device, "device is null");
        Objects.requireNonNull(kind, "kind is null");
        Objects.requireNonNull(dtype, "dtype is null");
        long[] own = shape.clone();
        long size = Shapes.size(own);
        if (size > Long.MAX_VALUE / dtype.bytes())
            throw new IllegalArgumentException(
                    "shape " + Shapes.describe(own) + " of " + dtype + " has more than 2^63 bytes");
        Buffer buffer = device.allocate(size * dtype.bytes(), kind);
        return new NDArray(buffer, dtype, own, Shapes.rowMajor(own), 0);
    }

    /** An array of unspecified content in the JVM's memory, whatever device is chosen. */
    static NDArray onHost(DType dtype, long... shape) {
        return empty(Device.jvm(), MemoryKind.HOST, dtype, shape);
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

    /** An array whose elements are all {@code value}. */
    public static NDArray full(Complex value, DType dtype, long... shape) {
        NDArray array = empty(dtype, shape);
        array.requireReal(value, "value");
        Elementwise.fill(array, value.re(), value.im());
        return array;
    }

    /** A one-dimensional array of the given double-precision numbers. */
    public static NDArray of(double... values) {
        return Creation.placed(Creation.of(values));
    }

    /** A one-dimensional array of the given single-precision numbers. */
    public static NDArray ofFloats(float... values) {
        return Creation.placed(Creation.of(values));
    }

    /** A one-dimensional array of the given 32-bit integers. */
    public static NDArray ofInts(int... values) {
        return Creation.placed(Creation.of(values));
    }

    /** A one-dimensional array of the given 64-bit integers. */
    public static NDArray ofLongs(long... values) {
        return Creation.placed(Creation.of(values));
    }

    /** A one-dimensional array of double-precision complex numbers, given by real and imaginary parts in turn. */
    public static NDArray ofComplex(double... interleaved) {
        return Creation.placed(Creation.ofComplex(interleaved));
    }

    /** A matrix of double-precision numbers from its rows, which must be of one length. */
    public static NDArray copyOf(double[][] rows) {
        return Creation.placed(Creation.copyOf(rows));
    }

    static NDArray scalar(Object number) {
        return Creation.scalar(number);
    }

    /** The whole numbers from 0 to {@code n - 1}, of type I64. */
    public static NDArray arange(long n) {
        return Creation.placed(Creation.arange(n));
    }

    /** The numbers {@code from}, {@code from + step}, ... before {@code to}, of type F64. */
    public static NDArray arange(double from, double to, double step) {
        return Creation.placed(Creation.arange(from, to, step));
    }

    /** {@code n} numbers in equal steps from {@code from} to {@code to}, both included, of type F64. */
    public static NDArray linspace(double from, double to, long n) {
        return Creation.placed(Creation.linspace(from, to, n));
    }

    /** The identity matrix of {@code n} rows. */
    public static NDArray eye(DType dtype, long n) {
        NDArray array = zeros(dtype, n, n);
        array.diagonal().fill(1);
        return array;
    }

    /**
     * An array of independent standard normal numbers (both parts, where complex). Element {@code i} in C order depends on
     * {@code seed} and {@code i} alone.
     */
    public static NDArray random(long seed, DType dtype, long... shape) {
        return Creation.placed(Creation.random(seed, dtype, shape));
    }

    /**
     * The elements {@code from} (inclusive) to {@code to} (exclusive) along an axis of what {@link #random} gives for
     * {@code globalShape}, without making the rest.
     */
    public static NDArray randomBlock(long seed, DType dtype, long[] globalShape, int axis, long from, long to) {
        return Creation.placed(Creation.randomBlock(seed, dtype, globalShape, axis, from, to));
    }

    /**
     * Reads a .npy file: format versions 1 to 3, either byte order, C or Fortran order. The elements i1, i2 and u2 become I32, u4
     * becomes I64, f2 becomes F32, and b1 becomes U8.
     *
     * @throws ArrayFileException naming the file, the byte and what was expected, when it cannot be read
     */
    public static NDArray load(Path path) {
        return Creation.placed(Npy.load(path));
    }

    /**
     * The shape and element type of the array in a .npy file, of which only the header is read.
     *
     * @throws ArrayFileException naming the file, the byte and what was expected, when it cannot be read
     */
    public static ArraySpace spaceOf(Path path) {
        return Npy.space(path);
    }

    /**
     * Reads the elements {@code from} (inclusive) to {@code to} (exclusive) along an axis of a .npy file, and no others.
     *
     * @throws ArrayFileException naming the file, the byte and what was expected, when it cannot be read
     * @throws IndexOutOfBoundsException when the range does not lie within the axis
     */
    public static NDArray loadSlab(Path path, int axis, long from, long to) {
        return Creation.placed(Npy.loadSlab(path, axis, from, to));
    }

    /**
     * Writes a .npy file of format version 1, little-endian and in C order, replacing the file if there is one.
     *
     * @throws ArrayFileException when it cannot be written
     */
    public void save(Path path) {
        Npy.save(this, path);
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

    /** The extents; not to be changed. */
    long[] extents() {
        return shape;
    }

    /** The strides; not to be changed. */
    long[] steps() {
        return strides;
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

    /** The device whose memory the array lies in, and which runs the operations on it. */
    public Device device() {
        return buffer.device();
    }

    /** The kind of memory that the array lies in. */
    public MemoryKind kind() {
        return buffer.kind();
    }

    /** The bytes that the elements take up, counted from the beginning of the buffer's allocation. */
    public Region region() {
        return Region.of(buffer.offset() + offset * dtype.bytes(), dtype.bytes(), shape, strides);
    }

    /**
     * The address of the first element (of index 0 in every dimension), once no work on a queue is under way on the elements.
     * Work submitted later knows nothing of what is done through the address.
     *
     * @throws IllegalStateException when the host cannot address the array's memory
     */
    public long address() {
        requireHost();
        if (buffer.isBusy()) buffer.await(region(), true);
        return addressNow();
    }

    /** The {@link #address} for somebody who only reads, once no work on a queue that writes the elements is under way. */
    public long addressToRead() {
        requireHost();
        if (buffer.isBusy()) buffer.await(region(), false);
        return addressNow();
    }

    /** The address, whatever is under way. */
    private long addressNow() {
        return buffer.hostAddress() + offset * dtype.bytes();
    }

    private void requireHost() {
        if (buffer.isHostAddressable()) return;
        throw new IllegalStateException("this needs an array that the host can address, but one of shape "
                + Shapes.describe(shape) + " lies in " + kind() + " memory of " + device().name()
                + "; use a copy of it, toHost()");
    }

    /** Where the first element lies, in bytes from the beginning of the buffer. */
    long startByte() {
        return offset * dtype.bytes();
    }

    /** This array where the host can address it, else a copy in host memory, which the caller closes. */
    NDArray readable() {
        return buffer.isHostAddressable() ? this : Scope.outside(this::toHost);
    }

    /** Ends the use of {@link #readable}. */
    void doneWith(NDArray readable) {
        if (readable != this) readable.close();
    }

    @Override
    public ElementView elements() {
        return ViewLayout.of(ElementKernels.type(dtype), shape, strides).view(buffer, offset);
    }

    @Override
    public ArraySpace space() {
        return new ArraySpace(Shapes.toList(shape), dtype, device());
    }

    // Elements -----------------------------------------------------------------------------------------------------

    /**
     * The element at {@code index} as a double.
     *
     * @throws IndexOutOfBoundsException naming the dimension, the index and the extent
     * @throws IllegalStateException when the element is complex with a non-zero imaginary part
     */
    public double get(long... index) {
        if (!buffer.isHostAddressable()) {
            try (NDArray copy = element(index).readable()) {
                return copy.get();
            }
        }
        long address = addressOf(false, index);
        double im = Elements.im(dtype, address);
        if (im != 0)
            throw new IllegalStateException("the element is complex: " + getComplex(index) + "; use getComplex");
        return Elements.re(dtype, address);
    }

    /** The element at {@code index} as a complex number. */
    public Complex getComplex(long... index) {
        if (!buffer.isHostAddressable()) {
            try (NDArray copy = element(index).readable()) {
                return copy.getComplex();
            }
        }
        long address = addressOf(false, index);
        return new Complex(Elements.re(dtype, address), Elements.im(dtype, address));
    }

    /** The element at {@code index} as a whole number, with all of its digits where it is one. */
    long getWhole(long... index) {
        if (!buffer.isHostAddressable()) {
            try (NDArray copy = element(index).readable()) {
                return copy.getWhole();
            }
        }
        return Elements.whole(dtype, addressOf(false, index));
    }

    /** Sets the element at {@code index}, converted to the array's type. */
    public void set(double value, long... index) {
        if (!buffer.isHostAddressable()) Transfer.fill(element(index), value, 0);
        else Elements.set(dtype, addressOf(true, index), value, 0);
    }

    /** Sets the element at {@code index}, which must be of a complex type unless {@code value} is real. */
    public void set(Complex value, long... index) {
        if (!dtype.isComplex() && !value.isReal())
            throw new IllegalArgumentException(
                    "value is " + value + "; expected a real number for an array of " + dtype);
        if (!buffer.isHostAddressable()) Transfer.fill(element(index), value.re(), value.im());
        else Elements.set(dtype, addressOf(true, index), value.re(), value.im());
    }

    /** The element at {@code index} as a view. */
    private NDArray element(long... index) {
        return view(new long[0], new long[0], positionOf(index) - offset);
    }

    private long addressOf(boolean writes, long... index) {
        long from = positionOf(index) * dtype.bytes();
        if (buffer.isBusy()) buffer.await(Region.contiguous(buffer.offset() + from, dtype.bytes()), writes);
        return buffer.hostAddress() + from;
    }

    /** Where an element lies, in elements from the beginning of the buffer. */
    private long positionOf(long... index) {
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
        return at;
    }

    // Views --------------------------------------------------------------------------------------------------------

    /** A view of this array's memory, {@code start} elements after the first. */
    NDArray view(long[] newShape, long[] newStrides, long start) {
        return new NDArray(buffer, dtype, newShape, newStrides, offset + start);
    }

    /**
     * The elements {@code from} (inclusive) to {@code to} (exclusive) along an axis, as a view.
     *
     * @throws IndexOutOfBoundsException when the range does not lie within the axis
     */
    public NDArray slice(int axis, long from, long to) {
        return Views.slice(this, axis, from, to, 1);
    }

    /**
     * Every {@code step}-th element from {@code from} (inclusive) to {@code to} (exclusive) along an axis, as a view.
     *
     * @throws IndexOutOfBoundsException when the range does not lie within the axis
     */
    public NDArray slice(int axis, long from, long to, long step) {
        return Views.slice(this, axis, from, to, step);
    }

    /**
     * The elements at one index along an axis, as a view without that axis.
     *
     * @throws IndexOutOfBoundsException naming the dimension, the index and the extent
     */
    public NDArray at(int axis, long index) {
        return Views.at(this, axis, index);
    }

    /**
     * The same elements, in C order, in another shape, of which one extent may be -1 for what remains: a view where this array
     * is contiguous, else a copy.
     */
    public NDArray reshape(long... newShape) {
        long[] wanted = Shapes.infer(newShape, size);
        if (Shapes.size(wanted) != size)
            throw new IllegalArgumentException("shape " + Shapes.describe(wanted) + " has " + Shapes.size(wanted)
                    + " elements; expected " + size + ", those of shape " + Shapes.describe(shape));
        return contiguous().view(wanted, Shapes.rowMajor(wanted), 0);
    }

    /** The array with its axes in another order, as a view; without arguments, reversed. */
    public NDArray transpose(int... axes) {
        return Views.transpose(this, axes);
    }

    /** The array with the order along the given axes (all when none is given) reversed, as a view. */
    public NDArray flip(int... axes) {
        return Views.flip(this, axes);
    }

    /** The array without the given axes, which must have extent 1 (without all axes of extent 1 when none is given), as a view. */
    public NDArray squeeze(int... axes) {
        return Views.squeeze(this, axes);
    }

    /** The array with a new axis of extent 1 at {@code axis}, as a view. */
    public NDArray expandDims(int axis) {
        return Views.expandDims(this, axis);
    }

    /** The array repeated along new axes and those of extent 1, as a view; writing to it is not defined. */
    public NDArray broadcastTo(long... newShape) {
        return Views.broadcastTo(this, newShape);
    }

    /** The elements of a matrix whose two indices are equal, as a view. */
    public NDArray diagonal() {
        return Views.diagonal(this);
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

    /**
     * The parts of complex elements as elements, real and imaginary in turn along one axis more, as a view; the array itself when it
     * is not complex.
     */
    public NDArray reals() {
        if (!dtype.isComplex()) return this;
        long[] extents = Arrays.copyOf(shape, shape.length + 1);
        long[] steps = Arrays.copyOf(strides, strides.length + 1);
        extents[shape.length] = 2;
        for (int k = 0; k < shape.length; k++) steps[k] *= 2;
        steps[shape.length] = 1;
        return new NDArray(buffer, dtype.real(), extents, steps, 2 * offset);
    }

    private NDArray part(int which) {
        long[] doubled = strides.clone();
        for (int k = 0; k < doubled.length; k++) doubled[k] *= 2;
        return new NDArray(buffer, dtype.real(), shape, doubled, 2 * offset + which);
    }

    // Vector -------------------------------------------------------------------------------------------------------

    @Override
    public NDArray copy() {
        NDArray result = empty(device(), kind(), dtype, shape);
        result.assign(this);
        return result;
    }

    @Override
    public void fill(double value) {
        Elementwise.fill(this, value, 0);
        Alive.until(this);
    }

    /** {@code this = x}; {@code x} may lie on another device. */
    @Override
    public void assign(NDArray x) {
        if (dtype != x.dtype || !Arrays.equals(shape, x.shape)) space().check(x, "x");
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
        requireReal(alpha, "alpha");
        Combination.scale(this, alpha);
        Alive.until(this);
    }

    @Override
    public void axpy(double alpha, NDArray x) {
        axpby(alpha, x, 1);
    }

    @Override
    public void axpy(Complex alpha, NDArray x) {
        requireReal(alpha, "alpha");
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

    @Override
    public Scalar dot(NDArray y) {
        if (dtype.isComplex()) {
            Complex sum = localDot(y);
            return Scalar.complex(sum.re(), sum.im());
        }
        check(y, "y");
        double sum = Combination.dotReal(this, y);
        Alive.until(this, y);
        return Scalar.real(sum);
    }

    @Override
    public double norm() {
        return Math.sqrt(localDot(this).re());
    }

    /** The sum of {@code conj(this[i]) * y[i]} over the elements of two arrays of one space. */
    public Complex localDot(NDArray y) {
        check(y, "y");
        Complex sum = Combination.dot(this, y);
        Alive.until(this, y);
        return sum;
    }

    private void check(NDArray x, String name) {
        if (dtype != x.dtype || !Arrays.equals(shape, x.shape) || !device().equals(x.device())) space().check(x, name);
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

    // Conversion ---------------------------------------------------------------------------------------------------

    /**
     * This array when it lies on {@code device}, else a contiguous copy there. Returns once the copy is submitted; whoever uses it,
     * on the host or a queue, comes after it without being told to.
     *
     * @throws io.penstock.runtime.DeviceMemoryException when the device has too little memory left
     */
    public NDArray to(Device device) {
        return device().equals(device) ? this : to(device, Placement.usual(device));
    }

    /**
     * This array when it lies in that kind of memory of {@code device}, else a contiguous copy there; see {@link #to(Device)}.
     *
     * @throws io.penstock.runtime.DeviceMemoryException when the device has too little memory left
     */
    public NDArray to(Device device, MemoryKind kind) {
        if (device().equals(device) && kind() == kind) return this;
        NDArray result = empty(device, kind, dtype, shape);
        Elementwise.assign(result, this);
        Alive.until(this);
        return result;
    }

    /** How many bytes of arrays this process has copied from one device to another so far, reading single elements included. */
    public static long movedBytes() {
        return Transfer.MOVED.sum();
    }

    /** This array when it lies in the JVM's host memory, else a contiguous copy there; see {@link #to(Device)}. */
    public NDArray toHost() {
        return to(Device.jvm(), MemoryKind.HOST);
    }

    /**
     * The elements as another type; this array itself when it is of that type. Whole numbers wrap when they become narrower;
     * floating-point numbers lose their fraction and saturate when they become whole, NaN becoming 0; complex numbers lose their
     * imaginary part when they become real.
     */
    public NDArray as(DType other) {
        if (other == dtype) return this;
        NDArray result = empty(device(), kind(), other, shape);
        result.set(this);
        return result;
    }

    /** This array when it is contiguous, else a copy that is. */
    public NDArray contiguous() {
        return contiguous ? this : copy();
    }

    /** Sets every element from another array, broadcast to this one's shape and converted as by {@link #as}. */
    public void set(NDArray x) {
        Elementwise.assign(this, Overlap.safe(this, x.broadcastTo(shape)));
        Alive.until(this, x);
    }

    /** The elements in C order as doubles; complex elements must be real. */
    public double[] toDoubles() {
        return Creation.toDoubles(this);
    }

    /** The elements in C order as floats; complex elements must be real. */
    public float[] toFloats() {
        return Creation.toFloats(this);
    }

    /** The elements in C order as ints, converted as by {@link #as}; complex elements must be real. */
    public int[] toInts() {
        return Creation.toInts(this);
    }

    /** The elements in C order as longs, converted as by {@link #as}; complex elements must be real. */
    public long[] toLongs() {
        return Creation.toLongs(this);
    }

    void requireRealElements() {
        if (imaginary().any().get() != 0)
            throw new IllegalStateException(
                    "the array has complex elements; read them with getComplex, or take real() and imaginary()");
    }

    /** The shape and elements as NumPy writes them, shortened when there are more than 1000. */
    @Override
    public String toString() {
        return Formatting.format(this);
    }

    // Arithmetic: new arrays of the promoted type and broadcast shape; numbers and 0-d arrays count by their kind only
    // ----

    /** {@code this + y}. */
    public NDArray add(NDArray y) {
        return Arithmetic.binary(BinaryOp.ADD, this, y);
    }

    /** {@code this + y}. */
    public NDArray add(double y) {
        return Arithmetic.binary(BinaryOp.ADD, this, y);
    }

    /** {@code this + y}. */
    public NDArray add(long y) {
        return Arithmetic.binary(BinaryOp.ADD, this, y);
    }

    /** {@code this + y}. */
    public NDArray add(Complex y) {
        return Arithmetic.binary(BinaryOp.ADD, this, y);
    }

    /** {@code this - y}. */
    public NDArray subtract(NDArray y) {
        return Arithmetic.binary(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this - y}. */
    public NDArray subtract(double y) {
        return Arithmetic.binary(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this - y}. */
    public NDArray subtract(long y) {
        return Arithmetic.binary(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this - y}. */
    public NDArray subtract(Complex y) {
        return Arithmetic.binary(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this * y}, element by element. */
    public NDArray multiply(NDArray y) {
        return Arithmetic.binary(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this * y}, element by element. */
    public NDArray multiply(double y) {
        return Arithmetic.binary(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this * y}, element by element. */
    public NDArray multiply(long y) {
        return Arithmetic.binary(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this * y}, element by element. */
    public NDArray multiply(Complex y) {
        return Arithmetic.binary(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this / y}; whole numbers give F64. */
    public NDArray divide(NDArray y) {
        return Arithmetic.binary(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this / y}; whole numbers give F64. */
    public NDArray divide(double y) {
        return Arithmetic.binary(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this / y}; whole numbers give F64. */
    public NDArray divide(long y) {
        return Arithmetic.binary(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this / y}; whole numbers give F64. */
    public NDArray divide(Complex y) {
        return Arithmetic.binary(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this} to the power {@code y}; whole numbers only to powers that are not negative. */
    public NDArray power(NDArray y) {
        return Arithmetic.binary(BinaryOp.POWER, this, y);
    }

    /** {@code this} to the power {@code y}; whole numbers only to powers that are not negative. */
    public NDArray power(double y) {
        return Arithmetic.binary(BinaryOp.POWER, this, y);
    }

    /** {@code this} to the power {@code y}; whole numbers only to powers that are not negative. */
    public NDArray power(long y) {
        return Arithmetic.binary(BinaryOp.POWER, this, y);
    }

    /** {@code this} to the power {@code y}; whole numbers only to powers that are not negative. */
    public NDArray power(Complex y) {
        return Arithmetic.binary(BinaryOp.POWER, this, y);
    }

    /** What is left after dividing by {@code y}, with the sign of {@code y}; whole numbers only by others than 0. */
    public NDArray remainder(NDArray y) {
        return Arithmetic.binary(BinaryOp.REMAINDER, this, y);
    }

    /** What is left after dividing by {@code y}, with the sign of {@code y}; whole numbers only by others than 0. */
    public NDArray remainder(double y) {
        return Arithmetic.binary(BinaryOp.REMAINDER, this, y);
    }

    /** What is left after dividing by {@code y}, with the sign of {@code y}; whole numbers only by others than 0. */
    public NDArray remainder(long y) {
        return Arithmetic.binary(BinaryOp.REMAINDER, this, y);
    }

    /** The lesser of {@code this} and {@code y}, NaN where either is. */
    public NDArray minimum(NDArray y) {
        return Arithmetic.binary(BinaryOp.MINIMUM, this, y);
    }

    /** The lesser of {@code this} and {@code y}, NaN where either is. */
    public NDArray minimum(double y) {
        return Arithmetic.binary(BinaryOp.MINIMUM, this, y);
    }

    /** The lesser of {@code this} and {@code y}, NaN where either is. */
    public NDArray minimum(long y) {
        return Arithmetic.binary(BinaryOp.MINIMUM, this, y);
    }

    /** The greater of {@code this} and {@code y}, NaN where either is. */
    public NDArray maximum(NDArray y) {
        return Arithmetic.binary(BinaryOp.MAXIMUM, this, y);
    }

    /** The greater of {@code this} and {@code y}, NaN where either is. */
    public NDArray maximum(double y) {
        return Arithmetic.binary(BinaryOp.MAXIMUM, this, y);
    }

    /** The greater of {@code this} and {@code y}, NaN where either is. */
    public NDArray maximum(long y) {
        return Arithmetic.binary(BinaryOp.MAXIMUM, this, y);
    }

    /** {@code this += y}. {@code y} is broadcast; the result must not be of a higher kind than this array. */
    public void addInPlace(NDArray y) {
        Arithmetic.inPlace(BinaryOp.ADD, this, y);
    }

    /** {@code this += y}. The number takes this array's type. */
    public void addInPlace(double y) {
        Arithmetic.inPlace(BinaryOp.ADD, this, y);
    }

    /** {@code this += y}. The number takes this array's type. */
    public void addInPlace(long y) {
        Arithmetic.inPlace(BinaryOp.ADD, this, y);
    }

    /** {@code this += y}. The number takes this array's type. */
    public void addInPlace(Complex y) {
        Arithmetic.inPlace(BinaryOp.ADD, this, y);
    }

    /** {@code this -= y}. {@code y} is broadcast; the result must not be of a higher kind than this array. */
    public void subtractInPlace(NDArray y) {
        Arithmetic.inPlace(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this -= y}. The number takes this array's type. */
    public void subtractInPlace(double y) {
        Arithmetic.inPlace(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this -= y}. The number takes this array's type. */
    public void subtractInPlace(long y) {
        Arithmetic.inPlace(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this -= y}. The number takes this array's type. */
    public void subtractInPlace(Complex y) {
        Arithmetic.inPlace(BinaryOp.SUBTRACT, this, y);
    }

    /** {@code this *= y}. {@code y} is broadcast; the result must not be of a higher kind than this array. */
    public void multiplyInPlace(NDArray y) {
        Arithmetic.inPlace(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this *= y}. The number takes this array's type. */
    public void multiplyInPlace(double y) {
        Arithmetic.inPlace(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this *= y}. The number takes this array's type. */
    public void multiplyInPlace(long y) {
        Arithmetic.inPlace(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this *= y}. The number takes this array's type. */
    public void multiplyInPlace(Complex y) {
        Arithmetic.inPlace(BinaryOp.MULTIPLY, this, y);
    }

    /** {@code this /= y}. {@code y} is broadcast; the result must not be of a higher kind than this array. */
    public void divideInPlace(NDArray y) {
        Arithmetic.inPlace(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this /= y}. The number takes this array's type. */
    public void divideInPlace(double y) {
        Arithmetic.inPlace(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this /= y}. The number takes this array's type. */
    public void divideInPlace(long y) {
        Arithmetic.inPlace(BinaryOp.DIVIDE, this, y);
    }

    /** {@code this /= y}. The number takes this array's type. */
    public void divideInPlace(Complex y) {
        Arithmetic.inPlace(BinaryOp.DIVIDE, this, y);
    }

    // Comparison: new arrays of type U8, 1 for yes and 0 for no ------------------------------------------------------

    /** Where {@code this == y}. */
    public NDArray equal(NDArray y) {
        return Arithmetic.binary(BinaryOp.EQUAL, this, y);
    }

    /** Where {@code this == y}. */
    public NDArray equal(double y) {
        return Arithmetic.binary(BinaryOp.EQUAL, this, y);
    }

    /** Where {@code this == y}. */
    public NDArray equal(long y) {
        return Arithmetic.binary(BinaryOp.EQUAL, this, y);
    }

    /** Where {@code this != y}, NaN included. */
    public NDArray notEqual(NDArray y) {
        return Arithmetic.binary(BinaryOp.NOT_EQUAL, this, y);
    }

    /** Where {@code this != y}, NaN included. */
    public NDArray notEqual(double y) {
        return Arithmetic.binary(BinaryOp.NOT_EQUAL, this, y);
    }

    /** Where {@code this != y}, NaN included. */
    public NDArray notEqual(long y) {
        return Arithmetic.binary(BinaryOp.NOT_EQUAL, this, y);
    }

    /** Where {@code this < y}. */
    public NDArray less(NDArray y) {
        return Arithmetic.binary(BinaryOp.LESS, this, y);
    }

    /** Where {@code this < y}. */
    public NDArray less(double y) {
        return Arithmetic.binary(BinaryOp.LESS, this, y);
    }

    /** Where {@code this < y}. */
    public NDArray less(long y) {
        return Arithmetic.binary(BinaryOp.LESS, this, y);
    }

    /** Where {@code this <= y}. */
    public NDArray lessEqual(NDArray y) {
        return Arithmetic.binary(BinaryOp.LESS_EQUAL, this, y);
    }

    /** Where {@code this <= y}. */
    public NDArray lessEqual(double y) {
        return Arithmetic.binary(BinaryOp.LESS_EQUAL, this, y);
    }

    /** Where {@code this <= y}. */
    public NDArray lessEqual(long y) {
        return Arithmetic.binary(BinaryOp.LESS_EQUAL, this, y);
    }

    /** Where {@code this > y}. */
    public NDArray greater(NDArray y) {
        return Arithmetic.binary(BinaryOp.GREATER, this, y);
    }

    /** Where {@code this > y}. */
    public NDArray greater(double y) {
        return Arithmetic.binary(BinaryOp.GREATER, this, y);
    }

    /** Where {@code this > y}. */
    public NDArray greater(long y) {
        return Arithmetic.binary(BinaryOp.GREATER, this, y);
    }

    /** Where {@code this >= y}. */
    public NDArray greaterEqual(NDArray y) {
        return Arithmetic.binary(BinaryOp.GREATER_EQUAL, this, y);
    }

    /** Where {@code this >= y}. */
    public NDArray greaterEqual(double y) {
        return Arithmetic.binary(BinaryOp.GREATER_EQUAL, this, y);
    }

    /** Where {@code this >= y}. */
    public NDArray greaterEqual(long y) {
        return Arithmetic.binary(BinaryOp.GREATER_EQUAL, this, y);
    }

    /** The elements of {@code x} where {@code condition} is not zero, else those of {@code y}; all three broadcast. */
    public static NDArray where(NDArray condition, NDArray x, NDArray y) {
        return Arithmetic.where(condition, x, y);
    }

    /**
     * Whether shapes agree and {@code |this - y| <= atol + rtol * |y|} everywhere. NaN is close to nothing, infinity to itself only.
     */
    public boolean allClose(NDArray y, double rtol, double atol) {
        return Arrays.equals(shape, y.shape) && Closeness.everywhere(this, y, rtol, atol);
    }

    // Functions: new arrays; whole numbers become F64 where the function needs it -----------------------------------

    /** {@code -this}. */
    public NDArray negate() {
        return Arithmetic.unary(UnaryOp.NEGATE, this);
    }

    /** The absolute value; of complex numbers the modulus, of a real type. */
    public NDArray abs() {
        return Arithmetic.unary(UnaryOp.ABSOLUTE, this);
    }

    /** The complex conjugate. */
    public NDArray conj() {
        return Arithmetic.unary(UnaryOp.CONJUGATE, this);
    }

    /** -1, 0 or 1; of complex numbers {@code z / |z|}. */
    public NDArray sign() {
        return Arithmetic.unary(UnaryOp.SIGN, this);
    }

    /** The greatest whole number not above each element. */
    public NDArray floor() {
        return Arithmetic.unary(UnaryOp.FLOOR, this);
    }

    /** The least whole number not below each element. */
    public NDArray ceil() {
        return Arithmetic.unary(UnaryOp.CEIL, this);
    }

    /** The nearest whole number, the even one of two. */
    public NDArray round() {
        return Arithmetic.unary(UnaryOp.ROUND, this);
    }

    /** The square root; NaN of negative real numbers. */
    public NDArray sqrt() {
        return Arithmetic.unary(UnaryOp.SQRT, this);
    }

    /** The exponential function. */
    public NDArray exp() {
        return Arithmetic.unary(UnaryOp.EXP, this);
    }

    /** The natural logarithm. */
    public NDArray log() {
        return Arithmetic.unary(UnaryOp.LOG, this);
    }

    /** The sine. */
    public NDArray sin() {
        return Arithmetic.unary(UnaryOp.SIN, this);
    }

    /** The cosine. */
    public NDArray cos() {
        return Arithmetic.unary(UnaryOp.COS, this);
    }

    /** The hyperbolic tangent. */
    public NDArray tanh() {
        return Arithmetic.unary(UnaryOp.TANH, this);
    }

    /** The elements, those below {@code low} replaced by it and those above {@code high} by that. */
    public NDArray clip(double low, double high) {
        if (!(low <= high))
            throw new IllegalArgumentException("low is " + low + ", high is " + high + "; expected low <= high");
        boolean whole = dtype.isInteger() && low == (long) low && high == (long) high;
        return whole ? maximum((long) low).minimum((long) high) : maximum(low).minimum(high);
    }

    // Reductions ---------------------------------------------------------------------------------------------------

    /** The sum (of whole numbers as I64) along {@code axes}, all when none is given. */
    public NDArray sum(int... axes) {
        return sum(false, axes);
    }

    /** The sum (of whole numbers as I64) along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray sum(boolean keepDims, int... axes) {
        return Statistics.reduce(AxisReduction.Kind.SUM, this, keepDims, axes);
    }

    /** The product (of whole numbers as I64) along {@code axes}, all when none is given. */
    public NDArray prod(int... axes) {
        return prod(false, axes);
    }

    /** The product (of whole numbers as I64) along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray prod(boolean keepDims, int... axes) {
        return Statistics.reduce(AxisReduction.Kind.PRODUCT, this, keepDims, axes);
    }

    /** The mean (of whole numbers as F64) along {@code axes}, all when none is given. */
    public NDArray mean(int... axes) {
        return mean(false, axes);
    }

    /** The mean (of whole numbers as F64) along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray mean(boolean keepDims, int... axes) {
        return Statistics.mean(this, keepDims, axes);
    }

    /** The least element, NaN where one is, along {@code axes}, all when none is given. */
    public NDArray min(int... axes) {
        return min(false, axes);
    }

    /** The least element, NaN where one is, along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray min(boolean keepDims, int... axes) {
        return Statistics.reduce(AxisReduction.Kind.MINIMUM, this, keepDims, axes);
    }

    /** The greatest element, NaN where one is, along {@code axes}, all when none is given. */
    public NDArray max(int... axes) {
        return max(false, axes);
    }

    /** The greatest element, NaN where one is, along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray max(boolean keepDims, int... axes) {
        return Statistics.reduce(AxisReduction.Kind.MAXIMUM, this, keepDims, axes);
    }

    /** 1 where an element is not zero, else 0, along {@code axes}, all when none is given. */
    public NDArray any(int... axes) {
        return any(false, axes);
    }

    /** 1 where an element is not zero, else 0, along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray any(boolean keepDims, int... axes) {
        return Statistics.truth(AxisReduction.Kind.MAXIMUM, this, keepDims, axes);
    }

    /** 1 where no element is zero, else 0, along {@code axes}, all when none is given. */
    public NDArray all(int... axes) {
        return all(false, axes);
    }

    /** 1 where no element is zero, else 0, along {@code axes}, all when none is given; {@code keepDims} leaves them with extent 1. */
    public NDArray all(boolean keepDims, int... axes) {
        return Statistics.truth(AxisReduction.Kind.MINIMUM, this, keepDims, axes);
    }

    /**
     * The norm of order {@code order} along {@code axes}, all when none is given: {@code (sum |x|^order)^(1/order)}, the greatest
     * or least modulus for an infinite order, the number of elements that are not zero for order 0.
     */
    public NDArray norm(double order, int... axes) {
        return Statistics.norm(this, order, false, axes);
    }

    /** The norm along {@code axes}; {@code keepDims} leaves them with extent 1. */
    public NDArray norm(double order, boolean keepDims, int... axes) {
        return Statistics.norm(this, order, keepDims, axes);
    }

    /** The position of the first least element in C order; of the first NaN when there is one. */
    public long argMin() {
        return Statistics.position(reshape(-1), 0, true).toLongs()[0];
    }

    /** The positions of the first least elements along an axis, of type I64. */
    public NDArray argMin(int axis) {
        return Statistics.position(this, axis, true);
    }

    /** The position of the first greatest element in C order; of the first NaN when there is one. */
    public long argMax() {
        return Statistics.position(reshape(-1), 0, false).toLongs()[0];
    }

    /** The positions of the first greatest elements along an axis, of type I64. */
    public NDArray argMax(int axis) {
        return Statistics.position(this, axis, false);
    }

    /** The running sums along an axis (of whole numbers as I64). */
    public NDArray cumulativeSum(int axis) {
        return Statistics.cumulativeSum(this, axis);
    }

    /** The running products along an axis (of whole numbers as I64). */
    public NDArray cumulativeProduct(int axis) {
        return Mapping.scan(AxisReduction.Kind.PRODUCT, this, axis);
    }

    /** The least elements so far along an axis, NaN from the first one on. */
    public NDArray cumulativeMin(int axis) {
        return Mapping.scan(AxisReduction.Kind.MINIMUM, this, axis);
    }

    /** The greatest elements so far along an axis, NaN from the first one on. */
    public NDArray cumulativeMax(int axis) {
        return Mapping.scan(AxisReduction.Kind.MAXIMUM, this, axis);
    }

    // Functions of one's own: one kernel on the device that the arrays lie on, which broadcast ------------------------
    // A lambda or static method in the kernel language (docs/kernels.md) runs on every device, any other on the JVM.

    /** {@code f} of each element, as doubles; of the promoted type, F64 for whole numbers. */
    public static NDArray map(MapBody.OfDouble f, NDArray a) {
        return Mapping.doubles(f, a);
    }

    /** {@code f} of elements, as doubles; of the promoted type, F64 for whole numbers. */
    public static NDArray map(MapBody.OfDoubles2 f, NDArray a, NDArray b) {
        return Mapping.doubles(f, a, b);
    }

    /** {@code f} of elements, as doubles; of the promoted type, F64 for whole numbers. */
    public static NDArray map(MapBody.OfDoubles3 f, NDArray a, NDArray b, NDArray c) {
        return Mapping.doubles(f, a, b, c);
    }

    /** {@code f} of elements, as doubles; of the promoted type, F64 for whole numbers. */
    public static NDArray map(MapBody.OfDoubles4 f, NDArray a, NDArray b, NDArray c, NDArray d) {
        return Mapping.doubles(f, a, b, c, d);
    }

    /** {@code f} of elements, as doubles; of the promoted type, F64 for whole numbers. */
    public static NDArray map(MapBody.OfDoubles5 f, NDArray a, NDArray b, NDArray c, NDArray d, NDArray e) {
        return Mapping.doubles(f, a, b, c, d, e);
    }

    /** {@code f} of each element, as floats; of type F32. */
    public static NDArray mapFloats(MapBody.OfFloat f, NDArray a) {
        return Mapping.floats(f, a);
    }

    /** {@code f} of elements, as floats; of type F32. */
    public static NDArray mapFloats(MapBody.OfFloats2 f, NDArray a, NDArray b) {
        return Mapping.floats(f, a, b);
    }

    /** {@code f} of elements, as floats; of type F32. */
    public static NDArray mapFloats(MapBody.OfFloats3 f, NDArray a, NDArray b, NDArray c) {
        return Mapping.floats(f, a, b, c);
    }

    /** {@code f} of elements, as floats; of type F32. */
    public static NDArray mapFloats(MapBody.OfFloats4 f, NDArray a, NDArray b, NDArray c, NDArray d) {
        return Mapping.floats(f, a, b, c, d);
    }

    /** {@code f} of elements, as floats; of type F32. */
    public static NDArray mapFloats(MapBody.OfFloats5 f, NDArray a, NDArray b, NDArray c, NDArray d, NDArray e) {
        return Mapping.floats(f, a, b, c, d, e);
    }

    /** {@code f} of each element of whole numbers, as longs; of the promoted type. */
    public static NDArray mapLongs(MapBody.OfLong f, NDArray a) {
        return Mapping.longs(f, a);
    }

    /** {@code f} of elements of whole numbers, as longs; of the promoted type. */
    public static NDArray mapLongs(MapBody.OfLongs2 f, NDArray a, NDArray b) {
        return Mapping.longs(f, a, b);
    }

    /** {@code f} of elements of whole numbers, as longs; of the promoted type. */
    public static NDArray mapLongs(MapBody.OfLongs3 f, NDArray a, NDArray b, NDArray c) {
        return Mapping.longs(f, a, b, c);
    }

    /** {@code f} of each element, as complex numbers; of the complex type of the promoted one. */
    public static NDArray mapComplex(ComplexBody.OfComplex f, NDArray a) {
        return Mapping.complex(f, a);
    }

    /** {@code f} of elements, as complex numbers; of the complex type of the promoted one. */
    public static NDArray mapComplex(ComplexBody.OfComplex2 f, NDArray a, NDArray b) {
        return Mapping.complex(f, a, b);
    }

    /** {@code f} of elements, as complex numbers; of the complex type of the promoted one. */
    public static NDArray mapComplex(ComplexBody.OfComplex3 f, NDArray a, NDArray b, NDArray c) {
        return Mapping.complex(f, a, b, c);
    }

    /**
     * The elements, as doubles, combined along {@code axes}, all when none is given; of this type, F64 for whole numbers.
     *
     * @param combine takes what was combined so far and an element, or two combinations; it should not matter in which order, which
     *     for one shape on one device is the same each time
     * @param identity what combines with any number to that number; a combination may begin with it more than once
     */
    public NDArray reduce(MapBody.OfDoubles2 combine, double identity, int... axes) {
        return Mapping.reduce(null, combine, identity, axes, this);
    }

    /** {@code f} of each element combined as by {@link #reduce}, without an array in between. */
    public static NDArray mapReduce(
            MapBody.OfDouble f, MapBody.OfDoubles2 combine, double identity, NDArray a, int... axes) {
        return Mapping.reduce(f, combine, identity, axes, a);
    }

    /** {@code f} of elements combined as by {@link #reduce}, without an array in between. */
    public static NDArray mapReduce(
            MapBody.OfDoubles2 f, MapBody.OfDoubles2 combine, double identity, NDArray a, NDArray b, int... axes) {
        return Mapping.reduce(f, combine, identity, axes, a, b);
    }

    /** The running combinations along an axis, combined as by {@link #reduce}. */
    public NDArray scan(MapBody.OfDoubles2 combine, double identity, int axis) {
        return Mapping.scan(combine, identity, this, axis);
    }

    // Products and joining -----------------------------------------------------------------------------------------

    /** The matrix product; NumPy's rules for vectors (a row on the left, a column on the right) and for leading axes. */
    public NDArray matmul(NDArray x) {
        NDArray product = MatrixProduct.matmul(this, x);
        Alive.until(this, x);
        return product;
    }

    /** {@code y = this x} for this matrix and a vector or matrix {@code x}, of one floating-point type with {@code y}. */
    public void matmul(NDArray x, NDArray y) {
        MatrixProduct.into(y, this, x, false);
    }

    /** {@code y = A^H x} for this matrix A and a vector or matrix {@code x}; the matrix is neither copied nor transposed. */
    public void adjointMatmul(NDArray x, NDArray y) {
        MatrixProduct.into(y, this, x, true);
    }

    /** The arrays one after another along an axis; their other extents must agree. */
    public static NDArray concatenate(int axis, NDArray... parts) {
        return Joining.concatenate(axis, parts);
    }

    /** The arrays, of one shape, one after another along a new axis. */
    public static NDArray stack(int axis, NDArray... parts) {
        return Joining.stack(axis, parts);
    }

    /**
     * A larger array with this one within.
     *
     * @param value what surrounds it
     * @param widths how many elements go before and after, in turn for each axis
     */
    public NDArray pad(double value, long... widths) {
        return Joining.pad(this, value, widths);
    }

    /** The array moved by {@code shift} positions along an axis; what leaves at one end comes back at the other. */
    public NDArray roll(long shift, int axis) {
        return Joining.roll(this, shift, axis);
    }

    // ---------------------------------------------------------------------------------------------------------------

    private void requireReal(Complex number, String name) {
        if (!dtype.isComplex() && !number.isReal())
            throw new IllegalArgumentException(
                    name + " is " + number + "; expected a real number for an array of " + dtype);
    }
}
