package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import io.penstock.runtime.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Several vectors taken as one long vector: arrays, distributed arrays, and stacks of them, in any mixture.
 *
 * <p>A part that is distributed contributes to {@link #dot} and {@link #norm()} once over all ranks, and so does one that every
 * rank holds whole. All sums travel in one message per group of ranks, however many parts there are.
 */
public final class StackedArray implements Vector<StackedArray> {
    private final StackedSpace space;
    private final List<Vector<?>> parts;

    StackedArray(StackedSpace space, List<Vector<?>> parts) {
        this.space = space;
        this.parts = List.copyOf(parts);
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
