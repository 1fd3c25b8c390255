package io.penstock.solver;

import io.penstock.array.DType;
import io.penstock.distributed.Layout;
import java.util.Arrays;

/**
 * Which part of a vector a rank holds.
 *
 * @param dtype the type of the elements
 * @param shape the shape of the whole vector
 * @param axis the axis that it is cut along, {@link Layout#REPLICATED} where every rank holds the whole
 * @param start the first index along the axis
 * @param end the end of the indices, exclusive
 */
@SuppressWarnings("ArrayRecordComponent") // never leaves the package and is compared by isOfSameVector only
record Cut(DType dtype, long[] shape, int axis, long start, long end) {
    boolean isReplicated() {
        return axis == Layout.REPLICATED;
    }

    /** The shape of the part. */
    long[] local() {
        long[] local = shape.clone();
        if (!isReplicated()) local[axis] = end - start;
        return local;
    }

    boolean isOfSameVector(Cut other) {
        return axis == other.axis && dtype == other.dtype && Arrays.equals(shape, other.shape);
    }

    @Override
    public String toString() {
        return dtype + " of shape " + Arrays.toString(shape)
                + (isReplicated() ? ", replicated" : ", cut along axis " + axis);
    }
}
