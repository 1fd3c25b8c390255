package io.penstock.runtime;

/**
 * A regular set of bytes within an allocation: {@code rows} runs of {@code rowBytes} bytes whose beginnings lie
 * {@code stride} bytes apart. A contiguous range is one run.
 *
 * @param offset where the first run begins
 * @param rowBytes how long each run is
 * @param rows how many runs there are
 * @param stride the distance between the beginnings of neighbouring runs, at least {@code rowBytes} where there are several
 */
public record Region(long offset, long rowBytes, long rows, long stride) {
    /** Checks the numbers, and joins runs that touch into one. */
    public Region {
        if (offset < 0 || rowBytes < 0 || rows < 0)
            throw new IllegalArgumentException(
                    "region of " + rows + " runs of " + rowBytes + " bytes at " + offset + "; expected none negative");
        if (rows > 1 && stride < rowBytes)
            throw new IllegalArgumentException(
                    "stride is " + stride + " bytes; expected at least the run's length, " + rowBytes);
        requireEnd(offset, rowBytes, rows, stride);
        if (rows > 1 && stride == rowBytes) {
            rowBytes *= rows;
            rows = 1;
        }
        if (rows == 0 || rowBytes == 0) {
            rows = 0;
            rowBytes = 0;
        }
        if (rows <= 1) stride = rowBytes;
    }

    private static void requireEnd(long offset, long rowBytes, long rows, long stride) {
        if (rows == 0 || rowBytes == 0) return;
        try {
            Math.addExact(offset, Math.addExact(rows == 1 ? 0 : Math.multiplyExact(rows - 1, stride), rowBytes));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "region of " + rows + " runs of " + rowBytes + " bytes, " + stride + " apart, at " + offset
                            + "; expected an end that fits in a long",
                    e);
        }
    }

    /** A contiguous range. */
    public static Region contiguous(long offset, long bytes) {
        return new Region(offset, bytes, 1, bytes);
    }

    /**
     * The bytes of an array: exact where its elements lie in runs of one length at one distance, as those of a contiguous
     * array, a row, a column or a rectangle of a matrix do; else the bounds.
     *
     * @param offset where the element of index 0 begins
     * @param elementBytes how long an element is
     * @param shape the extent of each dimension
     * @param strides the distance, in elements, between neighbours along each dimension
     */
    public static Region of(long offset, int elementBytes, long[] shape, long[] strides) {
        long[] extents = new long[shape.length];
        long[] steps = new long[shape.length];
        int dimensions = 0;
        long first = offset;
        long reach = 0;
        for (int k = 0; k < shape.length; k++) {
            if (shape[k] == 0) return contiguous(0, 0); // Where it begins may lie outside its allocation.
            if (shape[k] == 1 || strides[k] == 0) continue;
            long step = Math.abs(strides[k]) * elementBytes;
            if (strides[k] < 0) first -= (shape[k] - 1) * step;
            reach += (shape[k] - 1) * step;
            int at = dimensions++;
            for (; at > 0 && steps[at - 1] > step; at--) {
                steps[at] = steps[at - 1];
                extents[at] = extents[at - 1];
            }
            steps[at] = step;
            extents[at] = shape[k];
        }
        long run = elementBytes;
        int k = 0;
        for (; k < dimensions && steps[k] <= run; k++) run += (extents[k] - 1) * steps[k];
        if (k == dimensions) return contiguous(first, run);
        long stride = steps[k];
        long rows = extents[k++];
        for (; k < dimensions && steps[k] == rows * stride; k++) rows *= extents[k];
        return k == dimensions ? new Region(first, run, rows, stride) : contiguous(first, reach + elementBytes);
    }

    /** Whether the region holds no byte. */
    public boolean isEmpty() {
        return rows == 0;
    }

    /** One past the last byte. */
    public long end() {
        return rows == 0 ? offset : offset + (rows - 1) * stride + rowBytes;
    }

    /**
     * Whether a byte lies in both regions. Exact where either is contiguous or both have the same stride; where the strides
     * differ, regions whose bounds overlap count as overlapping.
     */
    public boolean overlaps(Region other) {
        if (isEmpty() || other.isEmpty() || end() <= other.offset || other.end() <= offset) return false;
        if (rows == 1 && other.rows == 1) return true;
        if (rows == 1) return other.touches(offset, rowBytes);
        if (other.rows == 1) return touches(other.offset, other.rowBytes);
        if (stride != other.stride) return true;
        return offset <= other.offset ? meets(other) : other.meets(this);
    }

    /** Whether a run of this region shares a byte with a contiguous range that overlaps its bounds. */
    private boolean touches(long from, long bytes) {
        if (from < offset) return true; // The bounds overlap, so the range reaches the first run.
        long row = (from - offset) / stride;
        long within = from - offset - row * stride;
        return within < rowBytes || (row + 1 < rows && within + bytes > stride);
    }

    /** Whether a later region of the same stride shares a byte with this one. */
    private boolean meets(Region later) {
        long row = (later.offset - offset) / stride;
        long phase = (later.offset - offset) % stride;
        if (phase < rowBytes) return row < rows;
        return phase + later.rowBytes > stride && row + 1 < rows;
    }

    /** Whether every byte of another region lies in this one; may say no where the strides differ. */
    public boolean covers(Region other) {
        if (other.isEmpty()) return true;
        if (isEmpty() || other.offset < offset || other.end() > end()) return false;
        if (rows == 1) return true;
        if (other.rows > 1 && other.stride != stride) return false;
        long phase = (other.offset - offset) % stride;
        return phase + other.rowBytes <= rowBytes;
    }

    /** The smallest contiguous range that holds both regions; where one is empty, the other one. */
    public Region bounds(Region other) {
        if (isEmpty()) return other;
        if (other.isEmpty()) return this;
        long from = Math.min(offset, other.offset);
        return contiguous(from, Math.max(end(), other.end()) - from);
    }
}
