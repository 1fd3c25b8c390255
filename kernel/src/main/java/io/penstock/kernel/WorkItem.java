package io.penstock.kernel;

/**
 * One of the points of the range that a kernel is launched over: where it is, and how large the range is.
 *
 * <p>Of a range of rows and columns, {@code y} is the row and {@code x} the column; of planes, rows and columns, {@code z} is
 * the plane. Dimensions that a range lacks have index 0 and size 1.
 *
 * <p>The range is cut into groups. The items of a group can share memory and wait for each other; those of different groups
 * cannot. Memory of a group has a size that is known when the launch begins: constants, scalars, and the sizes of views, range
 * and groups. At each place where a kernel asks for such memory, all items of a group get the same.
 */
@SuppressWarnings("DoNotCallSuggester") // Translated kernels have their own way with barriers and shared memory.
public final class WorkItem {
    private final long x;
    private final long y;
    private final long z;
    private final Range range;

    WorkItem(long x, long y, long z, Range range) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.range = range;
    }

    /** The index along the innermost dimension, 0 to {@link #sizeX()} - 1. */
    public long x() {
        return x;
    }

    /** The index along the second dimension from the inside, 0 to {@link #sizeY()} - 1. */
    public long y() {
        return y;
    }

    /** The index along the third dimension from the inside, 0 to {@link #sizeZ()} - 1. */
    public long z() {
        return z;
    }

    /** How many items the range has along {@code x}. */
    public long sizeX() {
        return range.x();
    }

    /** How many items the range has along {@code y}. */
    public long sizeY() {
        return range.y();
    }

    /** How many items the range has along {@code z}. */
    public long sizeZ() {
        return range.z();
    }

    /** The item's index along {@code x} within its group, 0 to {@link #groupSizeX()} - 1. */
    public long localX() {
        return x % range.group().x();
    }

    /** The item's index along {@code y} within its group, 0 to {@link #groupSizeY()} - 1. */
    public long localY() {
        return y % range.group().y();
    }

    /** The item's index along {@code z} within its group, 0 to {@link #groupSizeZ()} - 1. */
    public long localZ() {
        return z % range.group().z();
    }

    /** The index along {@code x} of the item's group, 0 to {@link #groupsX()} - 1. */
    public long groupX() {
        return x / range.group().x();
    }

    /** The index along {@code y} of the item's group, 0 to {@link #groupsY()} - 1. */
    public long groupY() {
        return y / range.group().y();
    }

    /** The index along {@code z} of the item's group, 0 to {@link #groupsZ()} - 1. */
    public long groupZ() {
        return z / range.group().z();
    }

    /** How many items a group has along {@code x}; the last one may have fewer. */
    public long groupSizeX() {
        return range.group().x();
    }

    /** How many items a group has along {@code y}; the last one may have fewer. */
    public long groupSizeY() {
        return range.group().y();
    }

    /** How many items a group has along {@code z}; the last one may have fewer. */
    public long groupSizeZ() {
        return range.group().z();
    }

    /** How many groups the range has along {@code x}. */
    public long groupsX() {
        return range.groupsX();
    }

    /** How many groups the range has along {@code y}. */
    public long groupsY() {
        return range.groupsY();
    }

    /** How many groups the range has along {@code z}. */
    public long groupsZ() {
        return range.groupsZ();
    }

    /**
     * Waits until all items of the group have come here, and sees all that they have written before. Either all items of a
     * group come to a barrier or none; a kernel in which a condition that differs between items decides that is refused.
     */
    public void barrier() {
        throw new NeedsGroupException("waits at a barrier");
    }

    /** An array of bytes that the items of the group share; what it holds at the beginning is unspecified. */
    public Bytes localBytes(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of bytes that the items of the group share; what it holds at the beginning is unspecified. */
    public Bytes localBytes(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of bytes that the items of the group share; what it holds at the beginning is unspecified. */
    public Bytes localBytes(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of 32-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Ints localInts(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of 32-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Ints localInts(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of 32-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Ints localInts(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of 64-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Longs localLongs(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of 64-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Longs localLongs(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of 64-bit integers that the items of the group share; what it holds at the beginning is unspecified. */
    public Longs localLongs(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of single-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Floats localFloats(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of single-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Floats localFloats(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of single-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Floats localFloats(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of double-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Doubles localDoubles(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of double-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Doubles localDoubles(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of double-precision numbers that the items of the group share; what it holds at the beginning is unspecified. */
    public Doubles localDoubles(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of complex numbers of single-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexFloats localComplexFloats(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of complex numbers of single-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexFloats localComplexFloats(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of complex numbers of single-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexFloats localComplexFloats(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** An array of complex numbers of double-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexDoubles localComplexDoubles(long length) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A matrix of complex numbers of double-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexDoubles localComplexDoubles(long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }

    /** A cube of complex numbers of double-precision parts that the items of the group share; what it holds at the beginning is unspecified. */
    public ComplexDoubles localComplexDoubles(long planes, long rows, long columns) {
        throw new NeedsGroupException("shares memory in its group");
    }
}
