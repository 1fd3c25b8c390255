package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.runtime.Buffer;
import java.util.function.Consumer;

/** An array whose parts lie on the ranks of a communicator. Each rank holds its own part as an {@link NDArray}. */
public final class DistributedArray implements Vector<DistributedArray> {
    private final DistributedSpace space;
    private final NDArray local;

    DistributedArray(DistributedSpace space, NDArray local) {
        this.space = space;
        this.local = local;
    }

    /**
     * Makes a distributed array of the parts that the ranks already hold; nothing is copied.
     *
     * @throws IllegalArgumentException when {@code local} is not of the shape and type that the space gives this rank
     */
    public static DistributedArray ofLocal(DistributedSpace space, NDArray local) {
        space.local().check(local, "local");
        return new DistributedArray(space, local);
    }

    @Override
    public DistributedSpace space() {
        return space;
    }

    /** This rank's part, sharing memory with this array. */
    public NDArray local() {
        return local;
    }

    @Override
    public DistributedArray copy() {
        return new DistributedArray(space, local.copy());
    }

    @Override
    public void fill(double value) {
        local.fill(value);
    }

    @Override
    public void assign(DistributedArray x) {
        space.check(x, "x");
        local.assign(x.local);
    }

    @Override
    public void scale(double alpha) {
        local.scale(alpha);
    }

    @Override
    public void scale(Complex alpha) {
        local.scale(alpha);
    }

    @Override
    public void axpy(double alpha, DistributedArray x) {
        space.check(x, "x");
        local.axpy(alpha, x.local);
    }

    @Override
    public void axpy(Complex alpha, DistributedArray x) {
        space.check(x, "x");
        local.axpy(alpha, x.local);
    }

    @Override
    public void axpby(double alpha, DistributedArray x, double beta) {
        space.check(x, "x");
        local.axpby(alpha, x.local, beta);
    }

    @Override
    public void conjugate() {
        local.conjugate();
    }

    @Override
    public void dot(DistributedArray y, Reductions sums, int slot) {
        space.check(y, "y");
        Complex part = local.localDot(y.local);
        Reductions.Group group =
                space.layout().isReplicated() ? null : space.ranks().reductions();
        sums.add(slot, part.re(), part.im(), space.dtype().isComplex(), group);
    }

    @Override
    public boolean overlaps(Vector<?> other) {
        return local.overlaps(other);
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> visitor) {
        local.forEachBuffer(visitor);
    }

    @Override
    public void close() {
        local.close();
    }
}
