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
 * @param device where this rank's parts lie; other ranks may have devices of their own, see {@link RankDevice}
 */
public record DistributedSpace(Communicator ranks, Layout layout, DType dtype, Device device)
        implements VectorSpace<DistributedArray> {
    /** Checks that the layout is one for the group. */
    public DistributedSpace {
        Objects.requireNonNull(dtype, "dtype is null");
        Objects.requireNonNull(device, "device is null");
        if (layout.ranks() != ranks.size())
            throw new IllegalArgumentException("layout is for " + layout.ranks() + " ranks; expected " + ranks.size()
                    + ", the size of " + ranks.name());
    }

    /** Arrays on the current device: that of the queue which {@code Queue.during} has chosen, else the JVM. */
    public DistributedSpace(Communicator ranks, Layout layout, DType dtype) {
        this(ranks, layout, dtype, Device.current());
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
        return global().reshape(layout.localShape(ranks.rank()));
    }

    /** The space of the whole array on one rank. */
    public ArraySpace global() {
        return new ArraySpace(layout.shape(), dtype, device);
    }

    /** The space with the same ranks, element type and device and another layout. */
    public DistributedSpace with(Layout other) {
        return new DistributedSpace(ranks, other, dtype, device);
    }

    /** The same space with this rank's parts on a device; each rank names its own. */
    public DistributedSpace on(Device other) {
        return new DistributedSpace(ranks, layout, dtype, other);
    }

    /**
     * An array of real values that each rank computes for its own part, in the JVM's memory first.
     *
     * @param value gives the value at a global index; it must not keep the index, which is used again
     */
    public DistributedArray fromFunction(ToDoubleFunction<long[]> value) {
        NDArray part = local().on(Device.jvm()).empty();
        long[] shape = part.shape();
        long[] at = new long[shape.length];
        long[] global = new long[shape.length];
        for (long i = 0; i < part.size(); i++) {
            System.arraycopy(at, 0, global, 0, at.length);
            if (!layout.isReplicated()) global[layout.axis()] += layout.start(ranks.rank());
            part.set(value.applyAsDouble(global), at);
            for (int k = at.length - 1; k >= 0 && ++at[k] == shape[k]; k--) at[k] = 0;
        }
        return new DistributedArray(this, placed(part));
    }

    /** An array where this space's parts lie: the given one, or a copy in whose place it is closed. */
    NDArray placed(NDArray part) {
        if (part.device().equals(device)) return part;
        try (part) {
            return part.to(device);
        }
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
        return new DistributedArray(this, placed(local));
    }

    @Override
    public DistributedSpace as(DType other) {
        return new DistributedSpace(ranks, layout, other, device);
    }

    @Override
    public void check(DistributedArray vector, String name) {
        DistributedSpace its = vector.space();
        if (!its.equals(this) && its.on(device).equals(this))
            throw new IllegalArgumentException(name + " lies on " + its.device.name() + "; expected " + this + " on "
                    + device.name() + ", so move this rank's part there with to(Device.named(\"" + device.name()
                    + "\"))");
        VectorSpace.super.check(vector, name);
    }

    @Override
    public String toString() {
        return "arrays of " + dtype + ", " + layout
                + (device.equals(Device.jvm()) ? "" : ", this rank's part on " + device.name());
    }
}
