package io.penstock.distributed;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.VectorSpace;
import io.penstock.comm.Communicator;
import io.penstock.runtime.Device;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The space of distributed arrays of one layout and element type over one group of ranks.
 *
 * @param ranks the group
 * @param layout who owns what
 * @param dtype the type of the elements
 */
public record DistributedSpace(Communicator ranks, Layout layout, DType dtype)
        implements VectorSpace<DistributedArray> {
    /** Checks that the layout is one for the group. */
    public DistributedSpace {
        Objects.requireNonNull(dtype, "dtype is null");
        if (layout.ranks() != ranks.size())
            throw new IllegalArgumentException("layout is for " + layout.ranks() + " ranks; expected " + ranks.size()
                    + ", the size of " + ranks.name());
    }

    /** Double-precision arrays cut along the first axis as evenly as can be. */
    public static DistributedSpace rows(Communicator ranks, long... shape) {
        return new DistributedSpace(ranks, Layout.rows(ranks.size(), shape), DType.F64);
    }

    /** Double-precision arrays cut along an axis as evenly as can be. */
    public static DistributedSpace split(Communicator ranks, int axis, long... shape) {
        return new DistributedSpace(ranks, Layout.split(ranks.size(), axis, shape), DType.F64);
    }

    /** Double-precision arrays that every rank holds whole. */
    public static DistributedSpace replicated(Communicator ranks, long... shape) {
        return new DistributedSpace(ranks, Layout.replicated(ranks.size(), shape), DType.F64);
    }

    /** The space of this rank's parts. */
    public ArraySpace local() {
        return ArraySpace.of(dtype, layout.localShape(ranks.rank())).on(Device.jvm());
    }

    /** The space of the whole array on one rank. */
    public ArraySpace global() {
        return new ArraySpace(layout.shape(), dtype, Device.jvm());
    }

    /** The space with the same ranks and element type and another layout. */
    public DistributedSpace with(Layout other) {
        return new DistributedSpace(ranks, other, dtype);
    }

    /**
     * An array of real values that each rank computes for its own part.
     *
     * @param value gives the value at a global index; it must not keep the index, which is used again
     */
    public DistributedArray fromFunction(ToDoubleFunction<long[]> value) {
        DistributedArray result = empty();
        NDArray part = result.local();
        long[] shape = part.shape();
        long[] at = new long[shape.length];
        long[] global = new long[shape.length];
        for (long i = 0; i < part.size(); i++) {
            System.arraycopy(at, 0, global, 0, at.length);
            if (!layout.isReplicated()) global[layout.axis()] += layout.start(ranks.rank());
            part.set(value.applyAsDouble(global), at);
            for (int k = at.length - 1; k >= 0 && ++at[k] == shape[k]; k--) at[k] = 0;
        }
        return result;
    }

    @Override
    public long size() {
        return layout.size();
    }

    @Override
    public DistributedArray zeros() {
        return new DistributedArray(this, local().zeros());
    }

    @Override
    public DistributedArray empty() {
        return new DistributedArray(this, local().empty());
    }

    @Override
    public DistributedArray random(long seed) {
        NDArray local = layout.isReplicated()
                ? NDArray.random(seed, dtype, layout.dims())
                : NDArray.randomBlock(
                        seed,
                        dtype,
                        layout.dims(),
                        layout.axis(),
                        layout.start(ranks.rank()),
                        layout.end(ranks.rank()));
        return new DistributedArray(this, local.to(Device.jvm()));
    }

    @Override
    public DistributedSpace as(DType other) {
        return new DistributedSpace(ranks, layout, other);
    }

    @Override
    public String toString() {
        return "arrays of " + dtype + ", " + layout;
    }
}
