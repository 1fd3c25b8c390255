package io.penstock.distributed;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Who owns which part of a global array: a value that every rank computes for itself.
 *
 * <p>Either the array is cut along one axis into one block a rank, in rank order (blocks may be empty), or every rank holds all
 * of it.
 *
 * @param shape the global shape
 * @param axis the axis along which the array is cut, or -1 when it is replicated
 * @param blocks for each rank, the extent of its block along {@code axis}; when replicated, for each rank 0
 */
public record Layout(List<Long> shape, int axis, List<Long> blocks) {
    /** What {@link #axis} is when every rank holds the whole array. */
    public static final int REPLICATED = -1;

    /** Checks the parts against each other. */
    public Layout {
        shape = List.copyOf(shape);
        blocks = List.copyOf(blocks);
        if (blocks.isEmpty()) throw new IllegalArgumentException("blocks is empty; expected one entry a rank");
        for (long extent : shape)
            if (extent < 0) throw new IllegalArgumentException("shape is " + shape + "; expected no negative extent");
        if (axis < REPLICATED || axis >= shape.size())
            throw new IllegalArgumentException(
                    "axis is " + axis + "; expected 0 to " + (shape.size() - 1) + " for shape " + shape);
        long sum = 0;
        for (long block : blocks) {
            if (block < 0) throw new IllegalArgumentException("blocks is " + blocks + "; expected no negative extent");
            sum = Math.addExact(sum, block);
        }
        long expected = axis == REPLICATED ? 0 : shape.get(axis);
        if (sum != expected)
            throw new IllegalArgumentException("blocks is " + blocks + ", which add up to " + sum + "; expected "
                    + expected + ", the extent of axis " + axis + " of shape " + shape);
    }

    /** Cut along the first axis as evenly as can be: the first ranks get one row more where it does not divide. */
    public static Layout rows(int ranks, long... shape) {
        return split(ranks, 0, shape);
    }

    /** Cut along an axis (negative counts from the end) as evenly as can be, larger blocks first. */
    public static Layout split(int ranks, int axis, long... shape) {
        requireRanks(ranks);
        int k = axis < 0 ? axis + shape.length : axis;
        if (k < 0 || k >= shape.length)
            throw new IllegalArgumentException("axis is " + axis + "; expected " + -shape.length + " to "
                    + (shape.length - 1) + " for shape " + Arrays.toString(shape));
        long even = shape[k] / ranks;
        long more = shape[k] % ranks;
        List<Long> blocks = LongStream.range(0, ranks)
                .mapToObj(r -> r < more ? even + 1 : even)
                .toList();
        return new Layout(boxed(shape), k, blocks);
    }

    /** Cut along an axis into blocks that the caller chooses. */
    public static Layout blocks(int axis, long[] blocks, long... shape) {
        return new Layout(boxed(shape), axis < 0 ? axis + shape.length : axis, boxed(blocks));
    }

    /** Every rank holds the whole array. */
    public static Layout replicated(int ranks, long... shape) {
        requireRanks(ranks);
        return new Layout(
                boxed(shape),
                REPLICATED,
                LongStream.range(0, ranks).mapToObj(r -> 0L).toList());
    }

    /** How many ranks there are. */
    public int ranks() {
        return blocks.size();
    }

    /** Whether every rank holds the whole array. */
    public boolean isReplicated() {
        return axis == REPLICATED;
    }

    /** The number of elements of the global array. */
    public long size() {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    /** The global shape as an array that the caller may change. */
    public long[] dims() {
        return shape.stream().mapToLong(Long::longValue).toArray();
    }

    /** The shape of a rank's part. */
    public long[] localShape(int rank) {
        long[] local = dims();
        if (!isReplicated()) local[axis] = blocks.get(rank);
        return local;
    }

    /** Where a rank's block begins along {@link #axis}; zero when replicated. */
    public long start(int rank) {
        long start = 0;
        for (int r = 0; r < rank; r++) start += blocks.get(r);
        return start;
    }

    /** Where a rank's block ends along {@link #axis}, exclusive; zero when replicated. */
    public long end(int rank) {
        return start(rank) + blocks.get(rank);
    }

    /** The rank that owns a global index along {@link #axis}. */
    public int owner(long index) {
        if (isReplicated()) throw new IllegalStateException("a replicated array has no single owner");
        long end = 0;
        for (int r = 0; r < blocks.size(); r++) {
            end += blocks.get(r);
            if (index >= 0 && index < end) return r;
        }
        throw new IndexOutOfBoundsException("index " + index + " along axis " + axis + "; expected 0 to " + (end - 1));
    }

    private static void requireRanks(int ranks) {
        if (ranks < 1) throw new IllegalArgumentException("ranks is " + ranks + "; expected 1 or more");
    }

    private static List<Long> boxed(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    @Override
    public String toString() {
        String global = shape.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
        return isReplicated()
                ? global + " replicated on " + ranks() + " ranks"
                : global + " in blocks " + blocks + " along axis " + axis;
    }
}
