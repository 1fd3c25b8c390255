package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The arguments of generated programs as the structures that these declare; see {@code Prelude} in {@code kernel.c}. */
final class ArgumentBytes {
    private static final int DIMENSIONS = 3;

    private ArgumentBytes() {}

    /** The {@code Sizes} of a range. */
    static MemorySegment sizes(Arena arena, Range range) {
        GroupShape group = range.group();
        return arena.allocateFrom(
                JAVA_LONG,
                range.x(),
                range.y(),
                range.z(),
                group.x(),
                group.y(),
                group.z(),
                range.groupsX(),
                range.groupsY(),
                range.groupsZ());
    }

    /** The {@code Shape32} or {@code Shape64} of a view. */
    static MemorySegment shape(Arena arena, ElementView view, boolean narrow) {
        int rank = view.dimensions();
        long[] numbers = new long[2 * DIMENSIONS + 4];
        for (int k = 0; k < DIMENSIONS; k++) {
            numbers[k] = k < rank ? view.extent(rank - 1 - k) : 1;
            numbers[DIMENSIONS + k] = k < rank ? view.stride(rank - 1 - k) : 0;
        }
        long[] flat = view.extents(1);
        numbers[2 * DIMENSIONS] = view.length();
        numbers[2 * DIMENSIONS + 1] = flat == null ? 0 : flat[0];
        numbers[2 * DIMENSIONS + 2] = rank == 1 ? view.stride(0) : 1;
        numbers[2 * DIMENSIONS + 3] = rank;
        int bytes = narrow ? Integer.BYTES : Long.BYTES;
        MemorySegment shape = arena.allocate(Long.BYTES + (long) bytes * numbers.length, Long.BYTES);
        shape.set(JAVA_LONG, 0, view.begin());
        for (int k = 0; k < numbers.length; k++)
            if (narrow) shape.set(JAVA_INT, Long.BYTES + (long) Integer.BYTES * k, (int) numbers[k]);
            else shape.set(JAVA_LONG, Long.BYTES + (long) Long.BYTES * k, numbers[k]);
        return shape;
    }

    /** The offsets of the arrays that a group shares. */
    static MemorySegment layout(Arena arena, List<Long> offsets) {
        return arena.allocateFrom(
                JAVA_LONG, offsets.stream().mapToLong(Long::longValue).toArray());
    }

    /** A number, as the intermediate form has it. */
    static MemorySegment scalar(Arena arena, Object value) {
        return switch (value) {
            case Integer i -> arena.allocateFrom(JAVA_INT, i);
            case Long l -> arena.allocateFrom(JAVA_LONG, l);
            case Float f -> arena.allocateFrom(JAVA_FLOAT, f);
            case Double d -> arena.allocateFrom(JAVA_DOUBLE, d);
            default -> throw new IllegalArgumentException(value + " is no number");
        };
    }
}
