package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.array.Scalar;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Several vectors taken as one long vector: arrays, distributed arrays, and stacks of them, in any mixture.
 *
 * <p>A part that is distributed contributes to {@link #dot} and {@link #norm()} once over all ranks, and so does one that every
 * rank holds whole. All sums travel in one message per group of ranks, however many parts there are.
 */
public final class StackedArray implements Vector<StackedArray>, Elementwise<StackedArray> {
    private final StackedSpace space;
    private final List<Vector<?>> parts;

    StackedArray(StackedSpace space, List<Vector<?>> parts) {
        this.space = space;
        this.parts = List.copyOf(parts);
    }

    /** One line without elements. */
    @Override
    public String toString() {
        return "a stack in " + space;
    }

    /** Stacks vectors, which the stack then shares; nothing is copied. */
    public static StackedArray of(Vector<?>... parts) {
        return of(Arrays.asList(parts));
    }

    /** Stacks vectors, which the stack then shares; nothing is copied. */
    public static StackedArray of(List<? extends Vector<?>> parts) {
        List<VectorSpace<?>> spaces = new ArrayList<>(parts.size());
        for (Vector<?> part : parts) spaces.add(part.space());
        return new StackedArray(new StackedSpace(spaces), List.copyOf(parts));
    }

    @Override
    public StackedSpace space() {
        return space;
    }

    /** The parts, which share memory with this stack. */
    public List<Vector<?>> parts() {
        return parts;
    }

    /** One part, which shares memory with this stack. */
    public Vector<?> part(int i) {
        return parts.get(i);
    }

    /**
     * One part, as the class that the caller knows it to be.
     *
     * @throws IllegalArgumentException when it is of another class
     */
    public <V extends Vector<V>> V part(int i, Class<V> type) {
        Vector<?> part = parts.get(i);
        if (!type.isInstance(part))
            throw new IllegalArgumentException("part " + i + " lies in " + part.space() + "; expected a "
                    + type.getSimpleName() + ", not a " + part.getClass().getSimpleName());
        return type.cast(part);
    }

    @Override
    public StackedArray copy() {
        List<Vector<?>> copies = new ArrayList<>(parts.size());
        for (Vector<?> part : parts) copies.add(part.copy());
        return new StackedArray(space, copies);
    }

    @Override
    public void fill(double value) {
        for (Vector<?> part : parts) part.fill(value);
    }

    @Override
    public void assign(StackedArray x) {
        space.check(x, "x");
        for (int i = 0; i < parts.size(); i++) assign(parts.get(i), x.parts.get(i));
    }

    @Override
    public void scale(double alpha) {
        for (Vector<?> part : parts) part.scale(alpha);
    }

    @Override
    public void scale(Complex alpha) {
        requireComplexParts(alpha);
        for (Vector<?> part : parts) part.scale(alpha);
    }

    @Override
    public void axpy(double alpha, StackedArray x) {
        space.check(x, "x");
        for (int i = 0; i < parts.size(); i++) axpy(parts.get(i), alpha, x.parts.get(i));
    }

    @Override
    public void axpy(Complex alpha, StackedArray x) {
        space.check(x, "x");
        requireComplexParts(alpha);
        for (int i = 0; i < parts.size(); i++) axpy(parts.get(i), alpha, x.parts.get(i));
    }

    @Override
    public void axpby(double alpha, StackedArray x, double beta) {
        space.check(x, "x");
        for (int i = 0; i < parts.size(); i++) axpby(parts.get(i), alpha, x.parts.get(i), beta);
    }

    @Override
    public void conjugate() {
        for (Vector<?> part : parts) part.conjugate();
    }

    @Override
    public void dot(StackedArray y, Reductions sums, int slot) {
        space.check(y, "y");
        for (int i = 0; i < parts.size(); i++) dot(parts.get(i), y.parts.get(i), sums, slot);
    }

    /**
     * The norm of all elements as one vector, the same on every rank; one reduction per group of ranks.
     *
     * @param order as in {@link DistributedArray#norm(double)}
     */
    public double norm(double order) {
        return order == 2 ? norm() : Norm.of(order, this);
    }

    /** The sum of {@code this[i] * y[i]}, where {@link #dot} has the conjugate of {@code this[i]}; one reduction. */
    public Scalar bilinear(StackedArray y) {
        try (Scope _ = Scope.open()) {
            return conj().dot(y);
        }
    }

    @Override
    public StackedArray map(UnaryOperator<NDArray> function) {
        List<Vector<?>> results = new ArrayList<>(parts.size());
        for (Vector<?> part : parts)
            results.add(
                    switch (part) {
                        case NDArray array -> function.apply(array);
                        case DistributedArray array -> array.map(function);
                        case StackedArray stack -> stack.map(function);
                        default -> throw unknown(part);
                    });
        return of(results);
    }

    /**
     * {@inheritDoc}
     *
     * @param other a stack of as many parts, each such as the part of this stack can meet
     */
    @Override
    public StackedArray zip(StackedArray other, BinaryOperator<NDArray> function) {
        requireAsMany(other);
        List<Vector<?>> results = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++)
            results.add(
                    switch (parts.get(i)) {
                        case NDArray array -> function.apply(array, other.part(i, NDArray.class));
                        case DistributedArray array -> array.zip(other.part(i, DistributedArray.class), function);
                        case StackedArray stack -> stack.zip(other.part(i, StackedArray.class), function);
                        default -> throw unknown(parts.get(i));
                    });
        return of(results);
    }

    @Override
    public void update(Consumer<NDArray> action) {
        for (Vector<?> part : parts)
            switch (part) {
                case NDArray array -> action.accept(array);
                case DistributedArray array -> array.update(action);
                case StackedArray stack -> stack.update(action);
                default -> throw unknown(part);
            }
    }

    @Override
    public void update(StackedArray other, BiConsumer<NDArray, NDArray> action) {
        requireAsMany(other);
        for (int i = 0; i < parts.size(); i++)
            switch (parts.get(i)) {
                case NDArray array -> action.accept(array, other.part(i, NDArray.class));
                case DistributedArray array -> array.update(other.part(i, DistributedArray.class), action);
                case StackedArray stack -> stack.update(other.part(i, StackedArray.class), action);
                default -> throw unknown(parts.get(i));
            }
    }

    private void requireAsMany(StackedArray other) {
        if (other.parts.size() != parts.size())
            throw new IllegalArgumentException("other has " + other.parts.size() + " parts; expected " + parts.size());
    }

    private static IllegalArgumentException unknown(Vector<?> part) {
        return new IllegalArgumentException("a part is a " + part.getClass().getName()
                + "; expected an NDArray, a DistributedArray or a StackedArray");
    }

    @Override
    public boolean overlaps(Vector<?> other) {
        for (Vector<?> part : parts) if (part.overlaps(other)) return true;
        return false;
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> visitor) {
        for (Vector<?> part : parts) part.forEachBuffer(visitor);
    }

    @Override
    public void close() {
        for (Vector<?> part : parts) part.close();
    }

    /** Refuses a factor before any part has been changed. */
    private void requireComplexParts(Complex alpha) {
        if (alpha.isReal()) return;
        for (VectorSpace<?> part : space.parts())
            if (!part.dtype().isComplex())
                throw new IllegalArgumentException(
                        "alpha is " + alpha + "; expected a real number, since a part lies in " + part);
    }

    private static <V extends Vector<V>> void assign(Vector<V> y, Vector<?> x) {
        y.assign(same(x));
    }

    private static <V extends Vector<V>> void axpy(Vector<V> y, double alpha, Vector<?> x) {
        y.axpy(alpha, same(x));
    }

    private static <V extends Vector<V>> void axpy(Vector<V> y, Complex alpha, Vector<?> x) {
        y.axpy(alpha, same(x));
    }

    private static <V extends Vector<V>> void axpby(Vector<V> y, double alpha, Vector<?> x, double beta) {
        y.axpby(alpha, same(x), beta);
    }

    private static <V extends Vector<V>> void dot(Vector<V> x, Vector<?> y, Reductions sums, int slot) {
        x.dot(same(y), sums, slot);
    }

    /** A part in the class of the part of another stack of the same space: equal spaces have vectors of one class. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <V extends Vector<V>> V same(Vector<?> part) {
        return (V) part;
    }
}
