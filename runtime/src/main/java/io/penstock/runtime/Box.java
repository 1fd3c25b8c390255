package io.penstock.runtime;

/**
 * A box of up to three dimensions in memory: {@code planes} planes of {@code rows} rows of {@code rowBytes} bytes.
 *
 * @param offset where the first row begins, counted from the beginning of the buffer
 * @param rowBytes how long each row is
 * @param rows how many rows a plane has
 * @param rowStride the distance between the beginnings of neighbouring rows, at least {@code rowBytes} where there are several
 * @param planes how many planes there are
 * @param planeStride the distance between the beginnings of neighbouring planes, at least {@code rows * rowStride} where there are several
 */
public record Box(long offset, long rowBytes, long rows, long rowStride, long planes, long planeStride) {
    /** Checks the numbers. */
    public Box {
        if (offset < 0 || rowBytes < 0 || rows < 0 || planes < 0)
            throw new IllegalArgumentException("box of " + planes + " planes of " + rows + " rows of " + rowBytes
                    + " bytes at " + offset + "; expected none negative");
        if (rows > 1 && rowStride < rowBytes)
            throw new IllegalArgumentException(
                    "rowStride is " + rowStride + " bytes; expected at least the row's length, " + rowBytes);
        if (rows <= 1) rowStride = rowBytes;
        if (planes > 1 && planeStride < Math.multiplyExact(rows, rowStride))
            throw new IllegalArgumentException(
                    "planeStride is " + planeStride + " bytes; expected at least " + rows + " rows of " + rowStride);
        if (planes <= 1) planeStride = Math.multiplyExact(rows, rowStride);
        if (rowBytes > 0 && rows > 0 && planes > 0)
            Math.addExact(
                    offset,
                    Math.addExact(
                            Math.multiplyExact(planes - 1, planeStride),
                            Math.addExact(Math.multiplyExact(rows - 1, rowStride), rowBytes)));
    }

    /** A contiguous range. */
    public static Box contiguous(long offset, long bytes) {
        return new Box(offset, bytes, 1, bytes, 1, bytes);
    }

    /** Rows at one distance, as those of a matrix are. */
    public static Box rows(long offset, long rowBytes, long rows, long rowStride) {
        return new Box(offset, rowBytes, rows, rowStride, 1, 0);
    }

    /** How many bytes the box holds. */
    public long bytes() {
        return rowBytes * rows * planes;
    }

    /** Whether the box's bytes lie side by side. */
    public boolean isContiguous() {
        return (rows <= 1 || rowStride == rowBytes) && (planes <= 1 || planeStride == rows * rowBytes);
    }

    /** Whether the box holds no byte. */
    public boolean isEmpty() {
        return rowBytes == 0 || rows == 0 || planes == 0;
    }

    /** The box's bytes for the ledger; exact but for boxes of several planes with gaps between their planes, whose bounds count. */
    public Region region() {
        if (isEmpty()) return Region.contiguous(0, 0);
        if (planes == 1) return new Region(offset, rowBytes, rows, rowStride);
        if (planeStride == rows * rowStride) return new Region(offset, rowBytes, rows * planes, rowStride);
        if (rows == 1 || rowStride == rowBytes) return new Region(offset, rows * rowBytes, planes, planeStride);
        return Region.contiguous(offset, (planes - 1) * planeStride + (rows - 1) * rowStride + rowBytes);
    }

    /** Whether two boxes have the same extents, so that one can be copied to the other. */
    boolean matches(Box other) {
        return rowBytes == other.rowBytes && rows == other.rows && planes == other.planes;
    }
}
