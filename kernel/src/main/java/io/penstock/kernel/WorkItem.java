package io.penstock.kernel;

/**
 * One of the points of the range that a kernel is launched over: where it is, and how large the range is.
 *
 * <p>Of a range of rows and columns, {@code y} is the row and {@code x} the column; of planes, rows and columns, {@code z} is
 * the plane. Dimensions that a range lacks have index 0 and size 1.
 */
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
}
