package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.array.Scalar;
import io.penstock.array.Vector;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An array whose parts lie on the ranks of a communicator. Each rank holds its own part as an {@link NDArray}. */
public final class DistributedArray implements Vector<DistributedArray>, Elementwise<DistributedArray> {
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
     * Takes each rank's part of an array that every rank holds whole, on whichever device. The parts are copied; nothing is sent.
     *
     * @throws IllegalArgumentException when {@code whole} is not of the space's global shape and type
     */
    public static DistributedArray ofGlobal(DistributedSpace space, NDArray whole) {
        space.global().on(whole.device()).check(whole, "whole");
        DistributedArray result = space.empty();
        result.local.assign(
                Redistribution.part(whole, space.layout(), space.ranks().rank()));
        return result;
    }

    /**
     * Takes each rank's part of an array that one rank holds. A collective; the root sends each element at most once, and to
     * every rank when the layout is replicated.
     *
     * @param whole the array; looked at on rank {@code root} only, where it must be of the space's global shape and type and may lie
     *     on any device
     */
    public static DistributedArray scatter(DistributedSpace space, @Nullable NDArray whole, int root) {
        DistributedArray result = space.empty();
        Redistribution.scatter(whole, result, root);
        return result;
    }

    /**
     * Reads a .npy file, of which each rank reads its own part only; nothing is sent. The file's elements may be of a type whose
     * values the space's type holds.
     *
     * @throws IllegalArgumentException when the file's array is not of the space's global shape, or of a richer type
     * @throws io.penstock.array.ArrayFileException when the file cannot be read
     */
    public static DistributedArray load(DistributedSpace space, Path file) {
        return ArrayFiles.load(space, file);
    }

    /**
     * Reads an array of a .npz archive. A collective: rank 0 reads the array, since it may be compressed, and sends each rank its
     * part. The elements may be of a type whose values the space's type holds.
     *
     * @param name what the archive calls the array, without {@code .npy}
     * @throws IllegalArgumentException when the array is not of the space's global shape, or of a richer type
     * @throws io.penstock.array.ArrayFileException when the archive cannot be read
     */
    public static DistributedArray load(DistributedSpace space, Path archive, String name) {
        return ArrayFiles.load(space, archive, name);
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

    // Element by element -------------------------------------------------------------------------------------------

    @Override
    public DistributedArray map(UnaryOperator<NDArray> function) {
        return result(space.layout(), function.apply(local));
    }

    /**
     * {@inheritDoc}
     *
     * @param other an array of the same layout; or, where one of the two is replicated, any of a shape that broadcasts to the
     *     other's without stretching it, by NumPy's rules. The result has the layout of the larger one
     */
    @Override
    public DistributedArray zip(DistributedArray other, BinaryOperator<NDArray> function) {
        Layout layout = Broadcast.common(space, other.space);
        int rank = space.ranks().rank();
        return result(layout, function.apply(Broadcast.part(this, layout, rank), Broadcast.part(other, layout, rank)));
    }

    @Override
    public void update(Consumer<NDArray> action) {
        action.accept(local);
    }

    @Override
    public void update(DistributedArray other, BiConsumer<NDArray, NDArray> action) {
        Layout layout = Broadcast.common(space, other.space);
        if (!layout.equals(space.layout()))
            throw new IllegalArgumentException("other lies in " + other.space + ", which would stretch " + space
                    + "; use the form that gives a new array");
        action.accept(local, Broadcast.part(other, layout, space.ranks().rank()));
    }

    private DistributedArray result(Layout layout, NDArray part) {
        return ofLocal(space.with(layout).as(part.dtype()), part);
    }

    // Reductions ---------------------------------------------------------------------------------------------------

    /** The sum of all elements, the same on every rank; one reduction. */
    public Scalar sum() {
        return Statistics.total(this, ReduceOp.SUM);
    }

    /** The product of all elements, the same on every rank; one reduction. */
    public Scalar prod() {
        return Statistics.total(this, ReduceOp.PROD);
    }

    /** The mean of all elements, the same on every rank; one reduction. */
    public Scalar mean() {
        return Statistics.mean(this);
    }

    /** The smallest element (NaN where any is), the same on every rank; one reduction. Not for complex elements. */
    public double min() {
        return Statistics.extreme(this, ReduceOp.MIN);
    }

    /** The largest element (NaN where any is), the same on every rank; one reduction. Not for complex elements. */
    public double max() {
        return Statistics.extreme(this, ReduceOp.MAX);
    }

    /**
     * The sums along an axis. The result has one dimension less; it is replicated, after one all-reduce, when this array is cut
     * along the axis, and else cut as this array, with nothing sent. So it is for all reductions along an axis.
     */
    public DistributedArray sum(int axis) {
        return Statistics.sum(this, axis);
    }

    /** The products along an axis; like {@link #sum(int)}. */
    public DistributedArray prod(int axis) {
        return Statistics.prod(this, axis);
    }

    /** The means along an axis; like {@link #sum(int)}. */
    public DistributedArray mean(int axis) {
        return Statistics.mean(this, axis);
    }

    /** The smallest elements along an axis; like {@link #sum(int)}. */
    public DistributedArray min(int axis) {
        return Statistics.extreme(this, axis, ReduceOp.MIN);
    }

    /** The largest elements along an axis; like {@link #sum(int)}. */
    public DistributedArray max(int axis) {
        return Statistics.extreme(this, axis, ReduceOp.MAX);
    }

    /**
     * The norm of all elements as one vector, the same on every rank; one reduction.
     *
     * @param order 0 for the number of elements that are not zero, 1 for the sum of moduli, 2 for the Euclidean norm, an infinity
     *     for the largest or the smallest modulus, any other p for the p-th root of the sum of p-th powers
     */
    public double norm(double order) {
        return order == 2 ? norm() : Norm.of(order, this);
    }

    /** The norms along an axis; like {@link #norm(double)} and {@link #sum(int)}. */
    public DistributedArray norm(double order, int axis) {
        return Statistics.norm(this, order, axis);
    }

    /**
     * The sum of {@code this[i] * y[i]}, where {@link #dot} has the conjugate of {@code this[i]}; the same on every rank, one
     * reduction.
     */
    public Scalar bilinear(DistributedArray y) {
        if (!space.dtype().isComplex()) return dot(y);
        try (Scope _ = Scope.open()) {
            return conj().dot(y);
        }
    }

    // Devices ------------------------------------------------------------------------------------------------------

    /**
     * This array when this rank's part lies on {@code device}, else a copy whose part does. Each rank names its own device; nothing is
     * sent, and nobody waits.
     *
     * @throws io.penstock.runtime.DeviceMemoryException when the device has too little memory left
     */
    public DistributedArray to(Device device) {
        return space.device().equals(device) ? this : new DistributedArray(space.on(device), local.to(device));
    }

    /** This array when this rank's part lies in the JVM's memory, else a copy that does; see {@link #to}. */
    public DistributedArray toHost() {
        return to(Device.jvm());
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
        return Redistribution.gather(this, root);
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

    /**
     * This rank's part with rows of its neighbours around it, along the axis of the cut. A collective: only those rows are sent,
     * also from ranks further away where blocks are smaller. Ranks without a block get none.
     *
     * @param before how many rows ahead of the block; fewer where the array begins
     * @param after how many rows behind it; fewer where the array ends
     * @return a new array
     */
    public NDArray withGhostCells(long before, long after) {
        try (Halo halo = Halo.of(space, before, after)) {
            halo.exchange(this);
            return Redistribution.joined(space.layout().axis(), halo.before(), local, halo.after());
        }
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
            return GlobalIndex.element(this, index).get(new long[index.length]);
        }
    }

    /** The element at a global index as a complex number; like {@link #get}. */
    public Complex getComplex(long... index) {
        try (Scope _ = Scope.open()) {
            return GlobalIndex.element(this, index).getComplex(new long[index.length]);
        }
    }

    /**
     * Sets the element at a global index. Every rank must call it, and none sends anything: the owner writes (of a replicated
     * array, every rank).
     */
    public void set(double value, long... index) {
        if (owns(index)) local.set(value, GlobalIndex.local(space, index));
    }

    /** Sets the element at a global index, which must be of a complex type unless {@code value} is real; like {@link #set}. */
    public void set(Complex value, long... index) {
        if (!space.dtype().isComplex() && !value.isReal())
            throw new IllegalArgumentException(
                    "value is " + value + "; expected a real number for an array of " + space.dtype());
        if (owns(index)) local.set(value, GlobalIndex.local(space, index));
    }

    /** Whether this rank holds the element at a global index. */
    public boolean owns(long... index) {
        return GlobalIndex.isOwn(space, index);
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

    /** {@code this = x}, whose parts may lie on other devices. */
    @Override
    public void assign(DistributedArray x) {
        if (!x.space.on(space.device()).equals(space)) space.check(x, "x");
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
        SpaceCheck.compare(space);
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

    /** What this rank has, without talking to others; the elements are those of {@link #local()}. */
    @Override
    public String toString() {
        return "part " + space.ranks().rank() + " of an array of " + space.dtype() + ", " + space.layout();
    }
}
