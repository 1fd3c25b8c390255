package io.penstock.distributed;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which part of a global array: a value that every rank computes for itself, compared by {@code equals}.
 *
 * <p>Either the array is cut along one axis into one block a rank, in rank order (blocks may be empty), or every rank holds all
 * of it.
 */
public final class Layout {
    /** What {@link #axis} is when every rank holds the whole array. */
    public static final int REPLICATED = -1;

    private static final int BLOCKS_SHOWN = 8;

    private final long[] shape;
    private final int axis;
    private final long[] starts;
    private final long size;

    /** {@code starts} has an entry a rank, where its block begins, and one more, where the last block ends. */
    private Layout(long[] shape, int axis, long[] starts) {
        this.shape = shape;
        this.axis = axis;
        this.starts = starts;
        long product = 1;
        for (long extent : shape) product = extent == 0 ? 0 : Math.multiplyExact(product, extent);
        this.size = product;
    }

    /** Cut along the first axis as evenly as can be: the first ranks get one row more where it does not divide. */
    public static Layout rows(int ranks, long... shape) {
        return split(ranks, 0, shape);
    }

    /** Cut along an axis (negative counts from the end) as evenly as can be, larger blocks first. */
    public static Layout split(int ranks, int axis, long... shape) {
        requireRanks(ranks);
        long[] own = checkedShape(shape);
        int k = checkedAxis(axis, own);
        long even = own[k] / ranks;
        long more = own[k] % ranks;
        long[] starts = new long[ranks + 1];
        for (int r = 0; r < ranks; r++) starts[r + 1] = starts[r] + (r < more ? even + 1 : even);
        return new Layout(own, k, starts);
    }

    /**
     * Cut along an axis (negative counts from the end) into blocks that the caller chooses.
     *
     * @param blocks for each rank, the extent of its block; zero where it gets nothing
     * @throws IllegalArgumentException when the blocks do not add up to the extent of the axis
     */
    public static Layout blocks(int axis, long[] blocks, long... shape) {
        requireRanks(blocks.length);
        long[] own = checkedShape(shape);
        int k = checkedAxis(axis, own);
        long[] starts = new long[blocks.length + 1];
        for (int r = 0; r < blocks.length; r++) {
            if (blocks[r] < 0)
                throw new IllegalArgumentException(
                        "blocks is " + Arrays.toString(blocks) + "; expected no negative extent");
            starts[r + 1] = Math.addExact(starts[r], blocks[r]);
        }
        long sum = starts[blocks.length];
        if (sum != own[k])
            throw new IllegalArgumentException("blocks is " + Arrays.toString(blocks) + ", which add up to " + sum
                    + "; expected " + own[k] + ", the extent of axis " + k + " of shape " + describe(own));
        return new Layout(own, k, starts);
    }

    /** Every rank holds the whole array. */
    public static Layout replicated(int ranks, long... shape) {
        requireRanks(ranks);
        return new Layout(checkedShape(shape), REPLICATED, new long[ranks + 1]);
    }

    /** The global shape. */
    public List<Long> shape() {
        return Arrays.stream(shape).boxed().toList();
    }

    /** The global shape as an array that the caller may change. */
    public long[] dims() {
        return shape.clone();
    }

    /** The global extent of one axis (negative counts from the end). */
    public long dim(int k) {
        return shape[checkedAxis(k, shape)];
    }

    /** How many dimensions the global array has. */
    public int ndim() {
        return shape.length;
    }

    /** The number of elements of the global array. */
    public long size() {
        return size;
    }

    /** The axis along which the array is cut, or {@link #REPLICATED}. */
    public int axis() {
        return axis;
    }

    /** Whether every rank holds the whole array. */
    public boolean isReplicated() {
        return axis == REPLICATED;
    }

    /** How many ranks there are. */
    public int ranks() {
        return starts.length - 1;
    }

    /** For each rank, the extent of its block along {@link #axis}; zeros when replicated. */
    public List<Long> blocks() {
        return LongStream.range(0, ranks()).map(r -> block((int) r)).boxed().toList();
    }

    /** The extent of a rank's block along {@link #axis}; zero when replicated. */
    public long block(int rank) {
        return starts[rank + 1] - starts[rank];
    }

    /** Where a rank's block begins along {@link #axis}; zero when replicated. */
    public long start(int rank) {
        return starts[rank];
    }

    /** Where a rank's block ends along {@link #axis}, exclusive; zero when replicated. */
    public long end(int rank) {
        return starts[rank + 1];
    }

    /**
     * The rank that owns a global index along {@link #axis}.
     *
     * @throws IllegalStateException when the array is replicated
     * @throws IndexOutOfBoundsException when the index does not lie within the axis
     */
    public int owner(long index) {
        if (isReplicated()) throw new IllegalStateException("a replicated array has no single owner");
        if (index < 0 || index >= shape[axis])
            throw new IndexOutOfBoundsException(
                    "index " + index + " along axis " + axis + " does not lie within its extent " + shape[axis]);
        int low = 0;
        int high = ranks() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= index) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    /** The shape of a rank's part. */
    public long[] localShape(int rank) {
        long[] local = shape.clone();
        if (!isReplicated()) local[axis] = block(rank);
        return local;
    }

    /** The number of elements of a rank's part. */
    public long localSize(int rank) {
        if (isReplicated()) return size;
        return shape[axis] == 0 ? 0 : size / shape[axis] * block(rank);
    }

    /** The same shape, cut along an axis as evenly as can be. */
    public Layout along(int newAxis) {
        return split(ranks(), newAxis, shape);
    }

    /** The same shape, whole on every rank. */
    public Layout asReplicated() {
        return replicated(ranks(), shape);
    }

    /**
     * The same cut of a shape that differs in the extent of another axis.
     *
     * @throws IllegalArgumentException when {@code k} is the axis of the cut, whose blocks the extent would not fit
     */
    public Layout withExtent(int k, long extent) {
        int at = checkedAxis(k, shape);
        if (at == axis)
            throw new IllegalArgumentException(
                    "axis is " + k + ", along which " + this + " is cut; expected another axis");
        long[] other = shape.clone();
        other[at] = extent;
        return new Layout(checkedShape(other), axis, starts);
    }

    /** What is left when an axis is reduced to a number: replicated when the array is cut along it, else cut as before. */
    public Layout without(int k) {
        int at = checkedAxis(k, shape);
        long[] other = new long[shape.length - 1];
        for (int i = 0; i < other.length; i++) other[i] = shape[i < at ? i : i + 1];
        if (isReplicated() || at == axis) return replicated(ranks(), other);
        return new Layout(other, at < axis ? axis - 1 : axis, starts);
    }

    /**
     * The layout of the same elements in another shape (in C order), when each rank can keep what it has.
     *
     * @throws IllegalArgumentException when the sizes differ, or when elements would have to move to another rank
     */
    public Layout reshape(long... newShape) {
        Layout whole = replicated(ranks(), newShape);
        if (whole.size != size)
            throw new IllegalArgumentException("shape " + describe(newShape) + " has " + whole.size
                    + " elements; expected " + size + ", those of shape " + describe(shape));
        if (isReplicated()) return whole;
        if (size == 0 && newShape.length > 0) return split(ranks(), Math.min(axis, newShape.length - 1), newShape);
        long before = product(shape, 0, axis);
        long inner = product(shape, axis + 1, shape.length);
        for (int k = 0; k < newShape.length; k++) {
            if (product(newShape, 0, k) != before) continue;
            long[] cut = rescaled(inner, product(newShape, k + 1, newShape.length));
            if (cut != null) return new Layout(newShape.clone(), k, cut);
        }
        throw new IllegalArgumentException("shape " + describe(newShape) + " would move elements of " + this
                + " to other ranks; redistribute the array first, along axis 0 in blocks that the shape can keep, or to a"
                + " replicated layout");
    }

    /** Where blocks begin in units of {@code inner} elements, given in units of {@code scale} elements; null if in between. */
    private long @Nullable [] rescaled(long scale, long inner) {
        long[] cut = new long[starts.length];
        for (int r = 0; r < starts.length; r++) {
            long elements = starts[r] * scale;
            if (elements % inner != 0) return null;
            cut[r] = elements / inner;
        }
        return cut;
    }

    private static long product(long[] extents, int from, int to) {
        long product = 1;
        for (int k = from; k < to; k++) product *= extents[k];
        return product;
    }

    private static void requireRanks(int ranks) {
        if (ranks < 1) throw new IllegalArgumentException("ranks is " + ranks + "; expected 1 or more");
    }

    private static long[] checkedShape(long[] shape) {
        for (long extent : shape)
            if (extent < 0)
                throw new IllegalArgumentException("shape is " + describe(shape) + "; expected no negative extent");
        return shape.clone();
    }

    private static int checkedAxis(int axis, long[] shape) {
        int k = axis < 0 ? axis + shape.length : axis;
        if (k < 0 || k >= shape.length)
            throw new IllegalArgumentException("axis is " + axis + "; expected " + -shape.length + " to "
                    + (shape.length - 1) + " for shape " + describe(shape));
        return k;
    }

    /** A shape as NumPy writes it. */
    static String describe(long[] shape) {
        if (shape.length == 1) return "(" + shape[0] + ",)";
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) return true;
        return other instanceof Layout that
                && axis == that.axis
                && Arrays.equals(shape, that.shape)
                && Arrays.equals(starts, that.starts);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(shape) + axis) + Arrays.hashCode(starts);
    }

    @Override
    public String toString() {
        if (isReplicated()) return describe(shape) + " replicated on " + ranks() + " ranks";
        List<Long> blocks = blocks();
        String extents = blocks.size() <= BLOCKS_SHOWN
                ? blocks.toString()
                : blocks.subList(0, BLOCKS_SHOWN - 1).toString().replace("]", ", ... of " + ranks() + " ranks]");
        return describe(shape) + " in blocks " + extents + " along axis " + axis;
    }
}
