package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import io.penstock.kernel.reach.NumberReach;
import io.penstock.kernel.reach.Reach;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a compiled kernel relies on beyond the kernel's code; launches of equal shape share one. Values and accesses are given
 * by their numbers.
 *
 * @param dimensions how many dimensions each view has; 0 for scalars
 * @param adjacent the views whose neighbours along the innermost dimension lie next to each other
 * @param inside the accesses that are known to be inside, and so are not checked
 * @param perX by how much values grow from an item to the next: those that are made from {@code INT} ones, where these are known
 *     not to wrap around, and {@code INT} ones that would not even for items that do not come to them
 * @param narrow the {@code LONG} values that an {@code INT} can hold
 * @param rows how many rows there are, and how long
 */
public record LaunchShape(
        List<Integer> dimensions, BitSet adjacent, BitSet inside, Map<Integer, Long> perX, BitSet narrow, Rows rows) {
    /** The rows of a launch. */
    public enum Rows {
        /** One, of any length. */
        ONE,
        /** Several of a few vectors each: with narrower ones, less of a row is run twice or masked, and fewer loads cross cache lines. */
        BRIEF,
        /** Several that are so short that what begins and ends a row takes a part of its time. */
        SHORT,
        /** Several longer ones. */
        LONG;

        /** The rows of a range with so many items in a row, and so many rows. */
        public static Rows of(long items, long rows) {
            if (rows == 1) return ONE;
            return items <= BRIEF_ROW ? BRIEF : items <= SHORT_ROW ? SHORT : LONG;
        }
    }

    private static final long BRIEF_ROW = 64;
    private static final long SHORT_ROW = 512;
    private static final int BRIEF_BITS = 256;

    /** More than the largest step times the most lanes. */
    private static final long MARGIN = 1 << 26;

    /** What a reach tells about a launch with views of these dimensions. */
    public static LaunchShape of(
            KernelCode code, Reach.Result reach, List<Integer> dimensions, BitSet adjacent, Rows rows) {
        BitSet inside = new BitSet();
        reach.accesses().stream()
                .filter(access -> access.inside())
                .forEach(access -> inside.set(access.access().number()));
        Map<Integer, Long> perX = new HashMap<>();
        BitSet narrow = new BitSet();
        for (Block block : code.blocks()) {
            for (Value value : block.parameters()) learn(value, reach, perX, narrow);
            for (Value value : block.values()) learn(value, reach, perX, narrow);
        }
        return new LaunchShape(List.copyOf(dimensions), adjacent, inside, Map.copyOf(perX), narrow, rows);
    }

    private static void learn(Value value, Reach.Result reach, Map<Integer, Long> perX, BitSet narrow) {
        NumberReach known = reach.numbers().get(value);
        if (known != null && value.type() == ValueType.INT && known.steady() && known.perX() != 0)
            perX.put(value.number(), known.perX());
        if (known != null && value.type() == ValueType.LONG && known.fitsInt()) narrow.set(value.number());
        if (value.operation() != Operation.CONVERT
                || value.type() != ValueType.LONG
                || value.operand(0).type() != ValueType.INT) return;
        NumberReach from = reach.numbers().get(value.operand(0));
        // The first lane may have no such item, and then its number may be somewhat outside.
        if (from != null && from.low() > Integer.MIN_VALUE + MARGIN && from.high() < Integer.MAX_VALUE - MARGIN)
            perX.put(value.number(), from.perX());
    }

    /** Whether it matters what begins and ends a row. */
    boolean hasShortRows() {
        return rows == Rows.BRIEF || rows == Rows.SHORT;
    }

    /** The bits of the vectors that suit the rows. */
    public int vectorBits() {
        return rows == Rows.BRIEF ? Math.min(BRIEF_BITS, Hardware.VECTOR_BITS) : Hardware.VECTOR_BITS;
    }

    boolean isInside(Value access) {
        return inside.get(access.number());
    }

    /** Whether one index into a view is the position in C order rather than an index of its only dimension. */
    boolean isFlat(Value access) {
        return access.indices().size() == 1 && dimensions(access) != 1;
    }

    /** How many dimensions the array of an access has. */
    int dimensions(Value access) {
        return switch (access.array().operation()) {
            case LOCAL_ARRAY -> access.array().operands().size();
            case PRIVATE_ARRAY -> 1;
            default -> dimensions.get(access.array().parameter().index());
        };
    }

    /** Whether the elements of neighbouring innermost indices are neighbours in memory. */
    boolean isAdjacent(Value access) {
        return isFlat(access)
                || access.array().operation() != Operation.PARAMETER
                || adjacent.get(access.array().parameter().index());
    }
}
