package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /**
     * Takes each rank's part of an array that every rank holds whole. The parts are copied; nothing is sent.
     *
     * @throws IllegalArgumentException when {@code whole} is not of the space's global shape and type
     */
    public static DistributedArray ofGlobal(DistributedSpace space, NDArray whole) {
        space.global().check(whole, "whole");
        DistributedArray result = space.empty();
        result.local.assign(
                Redistribution.part(whole, space.layout(), space.ranks().rank()));
        return result;
    }

    /**
     * Takes each rank's part of an array that one rank holds. A collective; the root sends each element at most once, and to
     * every rank when the layout is replicated.
     *
     * @param whole the array; looked at on rank {@code root} only, where it must be of the space's global shape and type
     */
    public static DistributedArray scatter(DistributedSpace space, @Nullable NDArray whole, int root) {
        Communicator ranks = space.ranks();
        DistributedArray result = space.empty();
        List<NDArray> parts = List.of();
        if (ranks.rank() == root) {
            Objects.requireNonNull(whole, "whole is null on the root");
            space.global().check(whole, "whole");
            if (space.layout().isReplicated()) result.local.assign(whole);
            else parts = Redistribution.parts(whole, space.layout());
        }
        if (space.layout().isReplicated()) ranks.broadcast(result.local, root);
        else ranks.scatter(parts, result.local, root);
        return result;
    }

    @Override
    public DistributedSpace space() {
        return space;
    }

    /** This rank's part, sharing memory with this array. */
    public NDArray local() {
        return local;
    }

    /** The type of the elements. */
    public DType dtype() {
        return space.dtype();
    }

    /** The global shape, as an array that the caller may change. */
    public long[] shape() {
        return space.layout().dims();
    }

    // Between ranks ------------------------------------------------------------------------------------------------

    /**
     * The whole array, on every rank. A collective: one all-gather, in which each rank sends its part; of a replicated array
     * nothing is sent.
     *
     * @return a new array
     */
    public NDArray allGather() {
        return redistribute(space.layout().asReplicated()).local;
    }

    /**
     * The whole array, on one rank. A collective: one gather; of a replicated array nothing is sent.
     *
     * @return a new array on rank {@code root}, nothing on the others
     */
    public Optional<NDArray> gather(int root) {
        boolean here = space.ranks().rank() == root;
        Layout layout = space.layout();
        if (layout.isReplicated()) return here ? Optional.of(local.copy()) : Optional.empty();
        Optional<NDArray> whole = here ? Optional.of(space.global().empty()) : Optional.empty();
        List<NDArray> into =
                whole.map(array -> Redistribution.parts(array, layout)).orElse(List.of());
        space.ranks().gather(local, into, root);
        return whole;
    }

    /**
     * The same elements in another layout. A collective, unless this array is replicated or the layouts are equal: one
     * all-to-all (to a replicated layout, one all-gather), in which each element that changes its rank is sent once.
     *
     * @return a new array
     * @throws IllegalArgumentException when the layout has another shape or number of ranks
     */
    public DistributedArray redistribute(Layout layout) {
        if (!layout.shape().equals(space.layout().shape()))
            throw new IllegalArgumentException("layout is " + layout + "; expected shape "
                    + Layout.describe(space.layout().dims()));
        DistributedArray result = space.with(layout).empty();
        Redistribution.copy(this, result);
        return result;
    }

    /** The same elements, cut along an axis as evenly as can be; like {@link #redistribute(Layout)}. */
    public DistributedArray redistribute(int axis) {
        return redistribute(space.layout().along(axis));
    }

    // Shape --------------------------------------------------------------------------------------------------------

    /**
     * The same elements in C order in another global shape; nothing is sent. A view where the memory order allows it.
     *
     * @throws IllegalArgumentException when elements would have to move to another rank: redistribute first
     */
    public DistributedArray reshape(long... shape) {
        Layout layout = space.layout().reshape(shape);
        return new DistributedArray(
                space.with(layout),
                local.reshape(layout.localShape(space.ranks().rank())));
    }

    /**
     * The elements in C order as one dimension; nothing is sent. A view where the memory order allows it.
     *
     * @throws IllegalArgumentException when the array is cut along another axis than the first: redistribute first
     */
    public DistributedArray ravel() {
        return reshape(space.size());
    }

    // Elements -----------------------------------------------------------------------------------------------------

    /**
     * The element at a global index, the same on every rank. A collective: its owner broadcasts it; of a replicated array
     * nothing is sent.
     *
     * @throws IllegalStateException when the element is complex with a non-zero imaginary part
     */
    public double get(long... index) {
        try (Scope _ = Scope.open()) {
            return element(index).get(new long[index.length]);
        }
    }

    /** The element at a global index as a complex number; like {@link #get}. */
    public Complex getComplex(long... index) {
        try (Scope _ = Scope.open()) {
            return element(index).getComplex(new long[index.length]);
        }
    }

    /**
     * Sets the element at a global index. Every rank must call it, and none sends anything: the owner writes (of a replicated
     * array, every rank).
     */
    public void set(double value, long... index) {
        if (owns(index)) local.set(value, localIndex(index));
    }

    /** Sets the element at a global index, which must be of a complex type unless {@code value} is real; like {@link #set}. */
    public void set(Complex value, long... index) {
        if (!space.dtype().isComplex() && !value.isReal())
            throw new IllegalArgumentException(
                    "value is " + value + "; expected a real number for an array of " + space.dtype());
        if (owns(index)) local.set(value, localIndex(index));
    }

    /** Whether this rank holds the element at a global index. */
    public boolean owns(long... index) {
        Layout layout = space.layout();
        if (index.length != layout.ndim())
            throw new IllegalArgumentException("index is " + Arrays.toString(index) + "; expected " + layout.ndim()
                    + " numbers for shape " + Layout.describe(layout.dims()));
        for (int k = 0; k < index.length; k++)
            if (index[k] < 0 || index[k] >= layout.dim(k))
                throw new IndexOutOfBoundsException(
                        "index " + index[k] + " along axis " + k + " does not lie within its extent " + layout.dim(k));
        return layout.isReplicated()
                || layout.owner(index[layout.axis()]) == space.ranks().rank();
    }

    /** The one element at an index, on every rank, as an array with as many dimensions as this one. */
    private NDArray element(long[] index) {
        boolean mine = owns(index);
        NDArray element = local;
        long[] at = localIndex(index);
        for (int k = 0; k < index.length && mine; k++) element = element.slice(k, at[k], at[k] + 1);
        if (space.layout().isReplicated()) return element;
        long[] one = new long[index.length];
        Arrays.fill(one, 1);
        if (!mine) element = NDArray.empty(space.dtype(), one);
        space.ranks()
                .broadcast(element, space.layout().owner(index[space.layout().axis()]));
        return element;
    }

    private long[] localIndex(long[] index) {
        long[] at = index.clone();
        if (!space.layout().isReplicated())
            at[space.layout().axis()] -= space.layout().start(space.ranks().rank());
        return at;
    }

    /**
     * Writes the array into one .npy file, which appears under its name once it is complete. A collective: each rank writes its
     * own part at its place (of a replicated array, rank 0 all of it), so the file system must be one that all ranks share.
     */
    public void save(Path file) {
        NpySlabs.save(this, file);
    }

    // Replicas -----------------------------------------------------------------------------------------------------

    /**
     * Checks that the copies of a replicated array are equal, bit by bit. A collective: one reduction of 32 bytes.
     *
     * @throws IllegalStateException on every rank when they are not, naming the first rank whose copy differs from that of rank
     *     0, and the first index at which it does; also when the array is not replicated
     */
    public void checkReplicas() {
        requireReplicated();
        Replicas.check(space.ranks(), local);
    }

    /**
     * Makes the copies of a replicated array equal to that of one rank. A collective.
     *
     * @throws IllegalStateException when the array is not replicated
     */
    public void broadcast(int root) {
        requireReplicated();
        space.ranks().broadcast(local, root);
    }

    private void requireReplicated() {
        if (!space.layout().isReplicated())
            throw new IllegalStateException("the array is cut (" + space.layout() + "); expected a replicated one");
    }

    // Vector -------------------------------------------------------------------------------------------------------

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
        return other instanceof DistributedArray array ? local.overlaps(array.local) : local.overlaps(other);
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
