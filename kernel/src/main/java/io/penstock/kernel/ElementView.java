package io.penstock.kernel;

import io.penstock.kernel.jvm.LaunchWords;
import io.penstock.kernel.reach.IndexRange;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Region;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an array as a kernel sees them: an address, and an extent and a stride for each dimension.
 *
 * <p>Every access is checked in every dimension, so an index that is too large in one dimension is an error even where the
 * element it would reach belongs to the array. Accesses give as many indices as the view has dimensions. A view whose elements
 * lie next to each other in C order can also be accessed by one index, the position in that order, whatever its dimensions.
 *
 * <p>A view is valid for as long as its buffer is open. Views of open buffers may be used from any thread. A view knows nothing of
 * work under way: outside kernels, {@code view.buffer().await(view.region(), ...)} waits for what queues still do to its elements.
 */
public abstract sealed class ElementView implements KernelArgument
        permits Bytes, Ints, Longs, Floats, Doubles, ComplexFloats, ComplexDoubles {
    private final long address;
    /** How many elements one index reaches; none in a view of several dimensions that is not in C order. */
    private final long flat;

    /** Whether one index reaches all elements. */
    private final boolean isFlat;

    private final long flatStride;
    /** The extent that the first of two indices is checked against; none unless there are two dimensions. */
    private final long rowsOfMatrix;
    /** The extent that the first of three indices is checked against; none unless there are three dimensions. */
    private final long planesOfCube;

    private final long rows;
    private final long columns;
    private final long planeStride;
    private final long rowStride;
    private final long columnStride;

    /** Whether neighbours along the innermost dimension are next to each other. */
    private final boolean adjacent;

    private final Buffer buffer;
    private final long offset;
    private final ViewLayout layout;

    ElementView(Buffer buffer, long offset, ViewLayout layout) {
        this.buffer = buffer;
        this.offset = offset;
        this.layout = layout;
        layout.check(buffer, offset);
        long[] shape = layout.shape();
        long[] strides = layout.strides();
        int bytes = layout.bytes();
        int rank = shape.length;
        this.isFlat = layout.isFlat();
        // Memory that the host cannot address has no element that its checks let pass.
        boolean here = buffer.isHostAddressable();
        this.address = here ? buffer.hostAddress() + offset * bytes : 0;
        this.flat = here && isFlat ? layout.length() : 0;
        this.adjacent = rank == 0 || strides[rank - 1] == 1;
        this.flatStride = rank == 1 ? strides[0] * bytes : bytes;
        this.rows = rank < 2 ? 1 : shape[rank - 2];
        this.columns = rank < 1 ? 1 : shape[rank - 1];
        this.rowsOfMatrix = here && rank == 2 ? rows : 0;
        this.planesOfCube = here && rank == 3 ? shape[0] : 0;
        this.planeStride = rank < 3 ? 0 : strides[rank - 3] * bytes;
        this.rowStride = rank < 2 ? 0 : strides[rank - 2] * bytes;
        this.columnStride = rank < 1 ? 0 : strides[rank - 1] * bytes;
    }

    @Override
    public final ElementView elements() {
        return this;
    }

    /** The memory that the elements lie in. */
    public final Buffer buffer() {
        return buffer;
    }

    /** The bytes that the elements take up, counted from the beginning of the buffer's allocation. */
    public final Region region() {
        return Region.of(begin(), layout.bytes(), layout.shape(), layout.strides());
    }

    /** The number of dimensions. */
    public final int dimensions() {
        return layout.shape().length;
    }

    /** The number of elements. */
    public final long length() {
        return layout.length();
    }

    /**
     * The extent of one dimension, counted from 0.
     *
     * @throws IndexOutOfBoundsException when there is no such dimension
     */
    public final long extent(int dimension) {
        long[] shape = layout.shape();
        return shape[Objects.checkIndex(dimension, shape.length)];
    }

    /** The extent of the third dimension from the inside; 1 when there is none. */
    public final long planes() {
        long[] shape = layout.shape();
        return shape.length < 3 ? 1 : shape[shape.length - 3];
    }

    /** The extent of the second dimension from the inside; 1 when there is none. */
    public final long rows() {
        return rows;
    }

    /** The extent of the innermost dimension; 1 when there is none. */
    public final long columns() {
        return columns;
    }

    // The checks are one unsigned comparison each, against an extent that becomes 0 when an outer index is outside. As
    // separate
    // comparisons, those of outer indices would not change along the inner loop, and the JVM would hoist them out of it
    // even
    // where a condition of the kernel guards them: a stencil that skips its border would then be thrown back to the
    // interpreter
    // at every border row. Neighbours are addressed by a shift where they are adjacent, since the JVM does not unroll
    // the product.

    /**
     * The address of an element by its one index.
     *
     * @param shift the binary logarithm of an element's bytes, a constant wherever this is inlined
     */
    final long at(long i, int shift) {
        if (Long.compareUnsigned(i, flat) >= 0) throw outside(i);
        return address + (adjacent ? i << shift : i * flatStride);
    }

    /** The address of an element by its row and its column. */
    final long at(long i, long j, int shift) {
        long outer = i | (rowsOfMatrix - 1 - i);
        if (Long.compareUnsigned(j, columns & ~(outer >> 63)) >= 0) throw outside(i, j);
        return address + i * rowStride + (adjacent ? j << shift : j * columnStride);
    }

    /** The address of an element by its plane, row and column. */
    final long at(long i, long j, long k, int shift) {
        long outer = (i | (planesOfCube - 1 - i)) | (j | (rows - 1 - j));
        if (Long.compareUnsigned(k, columns & ~(outer >> 63)) >= 0) throw outside(i, j, k);
        return address + i * planeStride + j * rowStride + (adjacent ? k << shift : k * columnStride);
    }

    /** The extents that as many indices are checked against; null where that many always fail. */
    final long @Nullable [] extents(int indices) {
        if (indices == dimensions()) return layout.shape().clone();
        return indices == 1 && isFlat ? new long[] {length()} : null;
    }

    /**
     * The bytes of the elements that some indices reach, as those of {@link #region()}; indices outside reach none, since
     * accesses by them fail.
     */
    final Region region(List<IndexRange> indices) {
        Region none = Region.contiguous(0, 0);
        long[] extents = extents(indices.size());
        if (extents == null) return none;
        long[] steps = indices.size() == dimensions() ? layout.strides().clone() : new long[] {1};
        long first = offset;
        for (int k = 0; k < extents.length; k++) {
            IndexRange inside = indices.get(k).upTo(extents[k]);
            if (inside.first() > inside.last()) return none;
            first += inside.first() * steps[k];
            steps[k] *= inside.step();
            extents[k] = (inside.last() - inside.first()) / inside.step() + 1;
        }
        int bytes = layout.bytes();
        return Region.of(buffer.offset() + first * bytes, bytes, extents, steps);
    }

    /** The distance between neighbours along a dimension, in elements. */
    final long stride(int dimension) {
        return layout.strides()[dimension];
    }

    /** Where the element of index 0 in every dimension lies within the allocation, in bytes. */
    final long begin() {
        return buffer.offset() + offset * layout.bytes();
    }

    /** Writes down what compiled kernels need of the view; see {@link LaunchWords}. */
    final void describe(long[] words, int first) {
        long[] shape = layout.shape();
        words[first + LaunchWords.ADDRESS] = address;
        for (int k = 0; k < shape.length && k < 3; k++) {
            words[first + LaunchWords.STRIDES + k] = layout.strides()[k] * layout.bytes();
            words[first + LaunchWords.EXTENTS + k] = shape[k];
        }
        words[first + LaunchWords.LENGTH] = length();
        words[first + LaunchWords.FLAT] = flat;
    }

    /** Whether neighbours along the innermost dimension, and by one index, are next to each other. */
    final boolean isAdjacent() {
        return adjacent;
    }

    /** Whether all distances between elements, counted in elements, fit 32 bits. */
    final boolean isNarrow() {
        long[] shape = layout.shape();
        long[] strides = layout.strides();
        long reach = 0;
        for (int k = 0; k < shape.length; k++) {
            long high = Math.multiplyHigh(Math.abs(strides[k]), shape[k]);
            long span = Math.abs(strides[k]) * shape[k];
            if (high != 0 || span < 0 || span > Integer.MAX_VALUE || strides[k] != (int) strides[k]) return false;
            reach += span;
        }
        return reach <= Integer.MAX_VALUE && length() <= Integer.MAX_VALUE;
    }

    /** What the elements that indices reach depend on, but for where the view begins. */
    final List<Object> layout() {
        return layout.key();
    }

    private RuntimeException outside(long... index) {
        if (!buffer.isHostAddressable())
            return new IllegalStateException(
                    "the elements lie in memory of device " + buffer.device().name()
                            + ", which the host cannot address; copy them to the host, as an array's toHost() does, or run a"
                            + " kernel there");
        return outsideOfShape(index);
    }

    /** What an access throws whose indices are outside. */
    final RuntimeException outsideOfShape(long... index) {
        long[] shape = layout.shape();
        if (index.length == 1 && shape.length != 1) {
            if (!isFlat)
                return new IllegalStateException("one index was given for a view of shape " + Footprint.describe(shape)
                        + " whose elements are not in C order; expected " + shape.length);
            return new ElementIndexException(
                    this,
                    "index " + index[0] + "; expected 0 to " + (length() - 1) + " for the " + length()
                            + " elements of shape " + Footprint.describe(shape));
        }
        if (index.length != shape.length)
            return new IllegalStateException(index.length + " indices were given for a view of shape "
                    + Footprint.describe(shape) + "; expected " + shape.length);
        int k = 0;
        while (index[k] >= 0 && index[k] < shape[k]) k++;
        return new ElementIndexException(
                this,
                "index " + index[k] + " in dimension " + k + "; "
                        + (shape[k] == 0 ? "the extent is 0" : "expected 0 to " + (shape[k] - 1)) + " for shape "
                        + Footprint.describe(shape));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + Footprint.describe(layout.shape());
    }
}
