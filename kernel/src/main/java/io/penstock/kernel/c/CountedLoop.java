package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A loop without others in it that begins each round with a comparison of a variable, which grows by the same step each time, with
 * what does not change meanwhile.
 *
 * @param header the block that a round begins with, and at whose end the loop is left
 * @param blocks its blocks, in the kernel's order
 * @param variable the variable, a parameter of the header
 * @param step what is added to it, or taken from it
 * @param adds whether it is added
 * @param stays how the variable and a distance compare with the limit where another round follows: less or greater, or equal
 * @param distance what is added to the variable before it is compared
 * @param limit what it is compared with
 * @param narrow whether the variable, or what is compared, is held in 32 bits
 * @param invariants what it computes each time alike, from what does not change, without an effect
 */
record CountedLoop(
        Block header,
        List<Block> blocks,
        Value variable,
        Value step,
        boolean adds,
        Operation stays,
        long distance,
        Value limit,
        boolean narrow,
        Set<Value> invariants) {
    /** The most values of a loop. */
    private static final int MOST_VALUES = 64;

    /** The loops of this kind that a kernel has. */
    static List<CountedLoop> all(KernelCode code, Variant variant) {
        List<CountedLoop> all = new ArrayList<>();
        for (Block header : code.blocks()) {
            CountedLoop found = header.number() == 0 ? null : at(code, variant, header);
            if (found != null) all.add(found);
        }
        return all;
    }

    boolean holds(Block block) {
        return blocks.contains(block);
    }

    /** Whether it is left when the variable has become large. */
    boolean isUpwards() {
        return stays == Operation.LT || stays == Operation.LE;
    }

    /** Whether a value does not change from round to round: it is computed outside, or each time alike. */
    boolean isInvariant(Value value) {
        return invariants.contains(value)
                || blocks.stream()
                        .noneMatch(block -> block.values().contains(value)
                                || block.parameters().contains(value));
    }

    private static @Nullable CountedLoop at(KernelCode code, Variant variant, Block header) {
        List<Block> blocks = blocks(code, header);
        if (blocks.isEmpty() || !(header.terminator() instanceof Terminator.Branch branch)) return null;
        boolean yes = blocks.contains(branch.yes().target());
        if (yes == blocks.contains(branch.no().target())) return null;
        Value condition = branch.condition();
        if (!condition.operation().isComparison()
                || condition.operation() == Operation.EQ
                || condition.operation() == Operation.NE
                || !condition.operand(0).type().isInteger()) return null;
        Set<Value> invariants = invariants(blocks);
        Operation stays = yes ? condition.operation() : condition.operation().negated();
        for (Value variable : header.parameters()) {
            Value step = step(code, header, blocks, variable);
            if (step == null) continue;
            boolean adds = next(header, blocks, variable).operation() == Operation.ADD;
            for (int k = 0; k < 2; k++) {
                Compared compared = Compared.of(condition.operand(k), variable, variant);
                if (compared == null) continue;
                CountedLoop loop = new CountedLoop(
                        header,
                        blocks,
                        variable,
                        step,
                        adds,
                        k == 0 ? stays : stays.swapped(),
                        compared.distance(),
                        condition.operand(1 - k),
                        compared.narrow(),
                        invariants);
                if (loop.isInvariant(loop.step) && loop.isInvariant(loop.limit)) return loop;
            }
        }
        return null;
    }

    /** A variable and a distance. */
    private record Compared(long distance, boolean narrow) {
        static @Nullable Compared of(Value compared, Value variable, Variant variant) {
            long distance = 0;
            boolean narrow = variant.isNarrow(variable);
            Value value = compared;
            while (value != variable) {
                narrow |= variant.isNarrow(value);
                boolean adds = value.operation() == Operation.ADD;
                if (isWidened(value)) {
                    value = value.operand(0);
                } else if ((adds || value.operation() == Operation.SUB)
                        && value.operand(1).isInteger()) {
                    long by = value.operand(1).integer();
                    if (by < -Check.MOST_DISTANCE || by > Check.MOST_DISTANCE) return null;
                    distance += adds ? by : -by;
                    value = value.operand(0);
                } else return null;
            }
            return distance < -Check.MOST_DISTANCE || distance > Check.MOST_DISTANCE
                    ? null
                    : new Compared(distance, narrow);
        }
    }

    static boolean isWidened(Value value) {
        return value.operation() == Operation.CONVERT
                && value.type() == ValueType.LONG
                && value.operand(0).type() == ValueType.INT;
    }

    /** The blocks of a loop; empty where a block begins none of this kind. */
    private static List<Block> blocks(KernelCode code, Block header) {
        BitSet found = new BitSet();
        found.set(header.number());
        Deque<Block> pending = new ArrayDeque<>();
        for (Block block : code.blocks())
            if (block.number() >= header.number() && leadsTo(block, header)) pending.add(block);
        if (pending.isEmpty()) return List.of();
        while (!pending.isEmpty()) {
            Block block = pending.remove();
            if (found.get(block.number()) && block != header) continue;
            found.set(block.number());
            if (block == header) continue;
            for (Block from : code.blocks()) if (leadsTo(from, block)) pending.add(from);
        }
        List<Block> blocks = code.blocks().stream()
                .filter(block -> found.get(block.number()))
                .toList();
        int values = 0;
        for (Block block : blocks) {
            values += block.values().size();
            for (Value value : block.values())
                if (value.operation() == Operation.BARRIER || value.operation() == Operation.FAIL) return List.of();
            for (Edge edge : block.terminator().edges())
                if (edge.target() != header && edge.target().number() <= block.number()) return List.of();
        }
        return values <= MOST_VALUES ? blocks : List.of();
    }

    private static boolean leadsTo(Block from, Block to) {
        return from.terminator().edges().stream().anyMatch(edge -> edge.target() == to);
    }

    /** What the variable becomes at the end of a round. */
    private static Value next(Block header, List<Block> blocks, Value variable) {
        int k = header.parameters().indexOf(variable);
        return blocks.stream()
                .flatMap(block -> block.terminator().edges().stream())
                .filter(edge -> edge.target() == header)
                .map(edge -> edge.arguments().get(k))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable Value step(KernelCode code, Block header, List<Block> blocks, Value variable) {
        if (!variable.type().isInteger()) return null;
        int k = header.parameters().indexOf(variable);
        Value next = next(header, blocks, variable);
        for (Block block : code.blocks())
            for (Edge edge : block.terminator().edges())
                if (edge.target() == header
                        && blocks.contains(block)
                        && edge.arguments().get(k) != next) return null;
        if (next.operation() == Operation.ADD && next.operand(1) == variable) return next.operand(0);
        boolean steps = next.operation() == Operation.ADD || next.operation() == Operation.SUB;
        return steps && next.operand(0) == variable ? next.operand(1) : null;
    }

    private static Set<Value> invariants(List<Block> blocks) {
        Set<Value> inside = new HashSet<>();
        for (Block block : blocks) {
            inside.addAll(block.parameters());
            inside.addAll(block.values());
        }
        Set<Value> invariants = new HashSet<>();
        for (Block block : blocks)
            for (Value value : block.values())
                if (isPlain(value)
                        && value.operands().stream()
                                .allMatch(operand -> !inside.contains(operand) || invariants.contains(operand)))
                    invariants.add(value);
        return invariants;
    }

    /** Whether it is the extent of a dimension that a condition may have found to be there. */
    static boolean asksForAnExtent(Value value) {
        return value.operation() == Operation.QUERY
                && switch (value.attribute(Query.class)) {
                    case EXTENT_0, EXTENT_1, EXTENT_2 -> true;
                    default -> false;
                };
    }

    /** Whether it is an integer, or a condition, that can be computed at any time. */
    private static boolean isPlain(Value value) {
        return (value.type().isInteger() || value.type() == ValueType.CONDITION)
                && !value.hasEffect()
                && value.operation() != Operation.MATH
                && !asksForAnExtent(value);
    }
}
