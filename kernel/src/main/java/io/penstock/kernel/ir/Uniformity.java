package io.penstock.kernel.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which values are the same for all items of a group, so that branches on them keep the group together, and where items that
 * parted at a branch meet again.
 *
 * <p>What items load from one place is the same for all, provided that they load it at the same time, as they do where they
 * are together: from views that the kernel does not write, and from memory that the group shares. An item that fails is
 * gone; that others go on without it does not count as parting, unless it comes to a barrier before it fails.
 */
public final class Uniformity {
    private final KernelCode code;
    /** By block: whether all ways from there end in a failure, and come to no barrier before. */
    private final BitSet doomed = new BitSet();
    /** By block: the blocks that all ways from there to the item's end pass; the bit after the last block is that end. */
    private final List<BitSet> passed = new ArrayList<>();

    private final Set<Value> written = new HashSet<>();
    private final Set<Value> divergent = new HashSet<>();
    /** Blocks that perhaps only some items enter. */
    private final BitSet mixed = new BitSet();

    private boolean changed;

    private Uniformity(KernelCode code) {
        this.code = code;
        findDoomed();
        findPassed();
        for (Block block : code.blocks())
            for (Value value : block.values())
                if (value.isGlobal() && value.operation() != Operation.LOAD) written.add(value.array());
        do {
            changed = false;
            code.blocks().forEach(this::visit);
        } while (changed);
    }

    /** The uniformity of a kernel's values. */
    public static Uniformity of(KernelCode code) {
        return new Uniformity(code);
    }

    /** Checks that all items of a group come to a barrier together. */
    static void requireAtBarriers(KernelCode code) {
        if (!code.uses(Operation.BARRIER)) return;
        Uniformity uniformity = of(code);
        for (Block block : code.blocks())
            if (block.terminator() instanceof Terminator.Branch branch && uniformity.parts(block))
                uniformity.requireNoBarrier(block, branch.condition());
    }

    private void requireNoBarrier(Block parting, Value condition) {
        BitSet between = between(parting);
        for (Block block : code.blocks())
            for (Value value : block.values())
                if (value.operation() == Operation.BARRIER && between.get(block.number())) {
                    Position where = condition.position();
                    throw new KernelRefusedException(
                            Objects.requireNonNull(value.position()),
                            "waits at a barrier that perhaps only some items of a group reach, by the condition"
                                    + (where == null ? "" : " in line " + where.line()),
                            "put the barrier where all items of a group pass, and the condition around what they do"
                                    + " between barriers");
                }
    }

    /** Whether a value is known to be the same for all items of a group that compute it together. */
    public boolean isUniform(Value value) {
        return value.isConstant() || !divergent.contains(value);
    }

    /** The blocks, by number, from which all ways end in a failure and come to no barrier before. */
    public BitSet doomed() {
        return (BitSet) doomed.clone();
    }

    /**
     * The block where items meet again that go different ways from the end of a block; null when they only meet where they end.
     */
    public @Nullable Block meeting(Block parting) {
        BitSet all = passed.get(parting.number());
        for (int k = all.nextSetBit(0); k >= 0 && k < code.blocks().size(); k = all.nextSetBit(k + 1))
            if (k != parting.number() && passed.get(k).cardinality() == all.cardinality() - 1)
                return code.blocks().get(k);
        return null;
    }

    /** The blocks, by number, that items can be in after they part at the end of a block and before they meet again. */
    public BitSet between(Block parting) {
        Block meeting = meeting(parting);
        BitSet between = new BitSet();
        Deque<Block> pending = new ArrayDeque<>(List.of(parting));
        while (!pending.isEmpty())
            for (Block next : after(pending.remove())) {
                if (next == meeting || between.get(next.number())) continue;
                between.set(next.number());
                pending.add(next);
            }
        return between;
    }

    private List<Block> after(Block block) {
        return block.terminator().edges().stream()
                .map(Edge::target)
                .filter(target -> !doomed.get(target.number()))
                .toList();
    }

    private void findDoomed() {
        for (boolean more = true; more; ) {
            more = false;
            for (Block block : code.blocks()) {
                List<Edge> edges = block.terminator().edges();
                if (block.values().stream().anyMatch(v -> v.operation() == Operation.BARRIER)) continue;
                boolean fails = edges.isEmpty()
                        ? block.values().stream().anyMatch(v -> v.operation() == Operation.FAIL)
                        : edges.stream()
                                .allMatch(edge -> doomed.get(edge.target().number()));
                if (!fails || doomed.get(block.number())) continue;
                doomed.set(block.number());
                more = true;
            }
        }
    }

    private void findPassed() {
        int end = code.blocks().size();
        BitSet all = new BitSet();
        all.set(0, end + 1);
        for (int k = 0; k < end; k++) passed.add(all);
        for (boolean more = true; more; ) {
            more = false;
            for (Block block : code.blocks().reversed()) {
                BitSet common = new BitSet();
                common.set(0, end + 1);
                List<Block> next = after(block);
                if (next.isEmpty()) common.clear(0, end);
                for (Block target : next) common.and(passed.get(target.number()));
                common.set(block.number());
                if (common.equals(passed.get(block.number()))) continue;
                passed.set(block.number(), common);
                more = true;
            }
        }
    }

    private void visit(Block block) {
        if (mixed.get(block.number())) block.parameters().forEach(this::diverges);
        for (Value value : block.values()) if (isDivergent(value)) diverges(value);
        for (Edge edge : block.terminator().edges())
            for (int k = 0; k < edge.arguments().size(); k++)
                if (!isUniform(edge.arguments().get(k)))
                    diverges(edge.target().parameters().get(k));
        if (parts(block)) part(block);
    }

    /** Whether items that come to the end of a block together may go on in different ways, neither of which is a failure. */
    public boolean parts(Block block) {
        return block.terminator() instanceof Terminator.Branch branch
                && !isUniform(branch.condition())
                && after(block).size() > 1;
    }

    private void part(Block block) {
        BitSet between = between(block);
        Block meeting = meeting(block);
        // Items leave a loop after different numbers of rounds, so that what it computes is of different rounds.
        if (between.get(block.number()))
            between.stream().forEach(k -> {
                code.blocks().get(k).parameters().forEach(this::diverges);
                code.blocks().get(k).values().forEach(this::diverges);
            });
        int before = mixed.cardinality();
        mixed.or(between);
        changed |= mixed.cardinality() > before;
        between.set(block.number());
        if (meeting != null) meet(meeting, between);
    }

    /** Where items meet, what comes from all their ways alike stays the same for all. */
    private void meet(Block meeting, BitSet from) {
        List<Edge> edges = from.stream()
                .mapToObj(code.blocks()::get)
                .flatMap(block -> block.terminator().edges().stream())
                .filter(edge -> edge.target() == meeting)
                .toList();
        for (int k = 0; k < meeting.parameters().size(); k++) {
            int position = k;
            if (edges.stream()
                            .map(edge -> edge.arguments().get(position))
                            .distinct()
                            .count()
                    > 1) diverges(meeting.parameters().get(k));
        }
    }

    private void diverges(Value value) {
        changed |= divergent.add(value);
    }

    private boolean isDivergent(Value value) {
        return switch (value.operation()) {
            case ITEM_X, ITEM_Y, ITEM_Z, LOCAL_X, LOCAL_Y, LOCAL_Z, ATOMIC -> true;
            case PARAMETER, LOCAL_ARRAY, PRIVATE_ARRAY -> false;
            case LOAD ->
                value.array().operation() == Operation.PRIVATE_ARRAY
                        || written.contains(value.array())
                        || value.indices().stream().anyMatch(index -> !isUniform(index));
            default -> value.operands().stream().anyMatch(operand -> !isUniform(operand));
        };
    }
}
