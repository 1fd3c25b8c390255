package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The barriers of a kernel, and which values an item that waits at one still needs. */
final class Barriers {
    /**
     * A barrier.
     *
     * @param index its position in its block
     * @param kept the values that are needed after it, in the order of their places
     */
    record Barrier(Block block, int index, List<Value> kept) {}

    private final List<Barrier> barriers = new ArrayList<>();
    private final Map<Block, Set<Value>> needed = new HashMap<>();

    Barriers(KernelCode code) {
        for (Block block : code.blocks()) needed.put(block, Set.of());
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Block block : code.blocks().reversed()) {
                Set<Value> now = needed(block, 0);
                changed |= needed.put(block, now).size() != now.size();
            }
        }
        for (Block block : code.blocks())
            for (int k = 0; k < block.values().size(); k++)
                if (block.values().get(k).operation() == Operation.BARRIER)
                    barriers.add(new Barrier(block, k, List.copyOf(needed(block, k + 1))));
    }

    /** What is needed of the values before a position of a block, there or later. */
    private Set<Value> needed(Block block, int from) {
        Set<Value> needed = new LinkedHashSet<>();
        for (Edge edge : block.terminator().edges()) {
            needed.addAll(Objects.requireNonNull(this.needed.get(edge.target())));
            edge.arguments().forEach(value -> use(value, needed));
        }
        if (block.terminator() instanceof Terminator.Branch branch) use(branch.condition(), needed);
        for (Value value : block.values().subList(from, block.values().size()).reversed()) {
            needed.remove(value);
            if (value.type() != ValueType.CONDITION) value.operands().forEach(operand -> use(operand, needed));
        }
        if (from == 0) block.parameters().forEach(needed::remove);
        return needed;
    }

    private static void use(Value value, Set<Value> needed) {
        // Conditions are computed where they are used.
        if (value.type() == ValueType.CONDITION) value.operands().forEach(operand -> use(operand, needed));
        else if (value.type().isNumber()
                && value.operation() != Operation.CONSTANT
                && value.operation() != Operation.PARAMETER) needed.add(value);
    }

    List<Barrier> all() {
        return barriers;
    }

    /** The number of a barrier; what goes on after it is the part of the kernel with the next number. */
    int number(Block block, int index) {
        for (int k = 0; k < barriers.size(); k++)
            if (barriers.get(k).block().equals(block) && barriers.get(k).index() == index) return k;
        throw new IllegalArgumentException("there is no barrier at " + index + " of " + block);
    }

    /** How many numbers an item keeps at most. */
    int places() {
        return barriers.stream()
                .mapToInt(barrier -> barrier.kept().size())
                .max()
                .orElse(0);
    }
}
