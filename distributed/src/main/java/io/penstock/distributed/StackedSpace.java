package io.penstock.distributed;

import io.penstock.array.DType;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The space of stacks of vectors, one from each of several spaces: the direct sum of these spaces.
 *
 * @param parts the spaces of the parts, of any kind, stacks included; at least one
 */
public record StackedSpace(List<VectorSpace<?>> parts) implements VectorSpace<StackedArray> {
    /** Checks and copies the list. */
    public StackedSpace {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) throw new IllegalArgumentException("parts is empty; expected one space or more");
    }

    /** The direct sum of several spaces. */
    public static StackedSpace of(VectorSpace<?>... parts) {
        return new StackedSpace(Arrays.asList(parts));
    }

    /** The space of one part. */
    public VectorSpace<?> part(int i) {
        return parts.get(i);
    }

    /** The type in which elements of all parts can be written: that of the parts where they agree. */
    @Override
    public DType dtype() {
        DType common = parts.getFirst().dtype();
        for (VectorSpace<?> part : parts) common = common.promote(part.dtype());
        return common;
    }

    /** How many elements the parts have together. */
    @Override
    public long size() {
        long size = 0;
        for (VectorSpace<?> part : parts) size = Math.addExact(size, part.size());
        return size;
    }

    @Override
    public StackedArray zeros() {
        List<Vector<?>> zeros = new ArrayList<>(parts.size());
        for (VectorSpace<?> part : parts) zeros.add(part.zeros());
        return new StackedArray(this, zeros);
    }

    @Override
    public StackedArray empty() {
        List<Vector<?>> empty = new ArrayList<>(parts.size());
        for (VectorSpace<?> part : parts) empty.add(part.empty());
        return new StackedArray(this, empty);
    }

    /** Each part draws from a seed of its own, made of {@code seed} and its place, so that equal spaces get unequal parts. */
    @Override
    public StackedArray random(long seed) {
        List<Vector<?>> random = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++)
            random.add(parts.get(i).random(i == 0 ? seed : (seed ^ 0x5DEECE66DL) * 0x9E3779B97F4A7C15L + i));
        return new StackedArray(this, random);
    }

    /** The same spaces, each with elements of the given type. */
    @Override
    public StackedSpace as(DType dtype) {
        List<VectorSpace<?>> others = new ArrayList<>(parts.size());
        for (VectorSpace<?> part : parts) others.add(part.as(dtype));
        return new StackedSpace(others);
    }

    @Override
    public String toString() {
        return parts.stream().map(Object::toString).collect(Collectors.joining("; ", "stacks of [", "]"));
    }
}
