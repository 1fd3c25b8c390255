package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.KernelRefusedException;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Uniformity;
import io.penstock.kernel.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a kernel with barriers keeps the threads of a group together when some of them have no item, or one that has failed.
 *
 * <p>Such threads are inactive: they go where the whole group goes, so that they come to its barriers, and compute what is the
 * same for all items, so that they know where that is. Ways that only some items take they pass by: at a branch where items
 * part, they go straight to where all meet again; unless where items go there depends on nothing that is loaded.
 */
final class Cooperation {
    /**
     * A branch at which items part.
     *
     * @param block its block
     * @param between the blocks in which they may be before they meet
     * @param meeting where they meet; null where they only end
     */
    record Parting(Block block, BitSet between, @Nullable Block meeting) {
        boolean holds(Block other) {
            return between.get(other.number());
        }
    }

    private final Uniformity uniformity;
    private final BitSet doomed;
    /** The branches at which items part that were together. */
    private final List<Parting> outermost = new ArrayList<>();

    private final Independence independence;
    private final Variant variant;
    /** Blocks, by number, that items come to only where others have failed by a condition. */
    private final BitSet beyond;

    private final Set<Value> deciding;
    /** Blocks, by number, of loops that are not known to go round few times. */
    private final BitSet unending = new BitSet();

    /** The cooperation in a kernel, of launches that prove what a variant says. */
    Cooperation(KernelCode code, Variant variant) {
        this.variant = variant;
        this.uniformity = Uniformity.of(code);
        this.doomed = uniformity.doomed();
        List<Parting> partings = code.blocks().stream()
                .filter(uniformity::parts)
                .map(block -> new Parting(block, uniformity.between(block), uniformity.meeting(block)))
                .toList();
        for (Parting one : partings) if (partings.stream().noneMatch(other -> isWithin(one, other))) outermost.add(one);
        for (Block block : code.blocks())
            if (around(block).stream().map(Parting::meeting).distinct().count() > 1)
                throw new KernelRefusedException(
                        new Position(code.name(), "class file", -1, null),
                        "has branches that meet in several places, and barriers",
                        "write conditions and loops as Java's if, for and while");
        this.beyond = beyond(code);
        this.deciding = deciding(code);
        for (Block block : code.blocks())
            for (Edge edge : block.terminator().edges())
                if (isAgain(block, edge)) unending.set(edge.target().number(), block.number() + 1);
        this.independence = new Independence(
                code,
                List.copyOf(outermost),
                doomed,
                outermost.stream().filter(one -> endsForAll(code, one)).toList());
    }

    private BitSet beyond(KernelCode code) {
        BitSet beyond = new BitSet();
        Deque<Block> pending = new ArrayDeque<>();
        for (Block block : code.blocks())
            if (block.terminator() instanceof Terminator.Branch(Value condition, Edge yes, Edge no)
                    && !isDoomed(block)
                    && isDoomed(yes.target()) != isDoomed(no.target())
                    && !isCommon(condition, block)) pending.add(isDoomed(yes.target()) ? no.target() : yes.target());
        while (!pending.isEmpty()) {
            Block block = pending.remove();
            if (beyond.get(block.number())) continue;
            beyond.set(block.number());
            for (Edge edge : block.terminator().edges()) pending.add(edge.target());
        }
        return beyond;
    }

    /** Whether an edge leads back to the beginning of a loop that is not known to go round few times. */
    private boolean isAgain(Block from, Edge edge) {
        int header = edge.target().number();
        return header <= from.number() && !variant.brief().get(header);
    }

    /** What conditions are computed from. */
    private static Set<Value> deciding(KernelCode code) {
        Set<Value> deciding = new HashSet<>();
        Deque<Value> pending = new ArrayDeque<>();
        for (Block block : code.blocks())
            if (block.terminator() instanceof Terminator.Branch branch) pending.add(branch.condition());
        while (!pending.isEmpty()) {
            Value value = pending.remove();
            if (!deciding.add(value)) continue;
            pending.addAll(value.operands());
            for (Block block : code.blocks())
                for (Edge edge : block.terminator().edges()) {
                    int k = edge.target().parameters().indexOf(value);
                    if (k >= 0) pending.add(edge.arguments().get(k));
                }
        }
        return deciding;
    }

    /**
     * Whether threads without an item come soon to where all meet if they go through a parting like all others. What ends a loop may be
     * the failure of all its items, or what a condition has made sure of at which others have failed.
     */
    private boolean endsForAll(KernelCode code, Parting parting) {
        if (!variant.wholeGroups()) return false;
        for (Block block : code.blocks()) {
            if (block != parting.block() && !parting.holds(block)) continue;
            if (isBeyond(block)) return false;
            for (Edge edge : block.terminator().edges())
                if (isAgain(block, edge) && parting.holds(edge.target())) return false;
        }
        return true;
    }

    /** Whether one branch comes after another has parted the items; of two in one loop, the first is the outer one. */
    private static boolean isWithin(Parting one, Parting other) {
        return one.block() != other.block()
                && other.holds(one.block())
                && !(one.holds(other.block())
                        && one.block().number() < other.block().number());
    }

    private List<Parting> around(Block block) {
        return outermost.stream().filter(one -> one.holds(block)).toList();
    }

    /** Whether all items of a group are together in a block, whenever one is there. */
    boolean isTogether(Block block) {
        return around(block).isEmpty();
    }

    /** Whether items part at the end of a block. */
    boolean divides(Block block) {
        return uniformity.parts(block);
    }

    /** Whether inactive threads leave at the end of a block, since items part there, by what is loaded. */
    boolean parts(Block block) {
        return divides(block) && !isPassed(block);
    }

    /** Whether inactive threads come to a block, if items do. */
    boolean isForAll(Block block) {
        return isTogether(block) || isPassed(block);
    }

    /** Whether a block lies where items are apart, or is where they part, and inactive threads go through like others. */
    private boolean isPassed(Block block) {
        List<Parting> parted = outermost.stream()
                .filter(one -> one.holds(block) || one.block() == block)
                .toList();
        return !parted.isEmpty() && parted.stream().allMatch(independence::passes);
    }

    /** Whether a value depends on nothing that is loaded, so that threads whose items have failed compute it like others. */
    boolean isIndependent(Value value) {
        return independence.isIndependent(value);
    }

    /** Whether a load whose indices are proved to be inside for all items is inside for inactive threads too. */
    boolean isSafeForAll(Value load, Block block) {
        return variant.wholeGroups()
                && isForAll(block)
                && !isBeyond(block)
                && load.indices().stream().allMatch(independence::isIndependent);
    }

    /**
     * Where a thread goes that is or becomes inactive in a block or at its end, and in which items are apart or part; null for
     * the end of the kernel.
     */
    @Nullable
    Block meeting(Block block) {
        List<Parting> around = around(block);
        return around.isEmpty() ? uniformity.meeting(block) : around.getFirst().meeting();
    }

    /** Whether all ways from a block end in a failure and come to no barrier before. */
    boolean isDoomed(Block block) {
        return doomed.get(block.number());
    }

    /** Whether all threads of a group compute this alike, inactive ones too, since where the group goes may depend on it. */
    boolean isCommon(Value value, Block block) {
        return isTogether(block) && uniformity.isUniform(value);
    }

    /**
     * Whether the whole group fails where one item does, and where it would go on might depend on what has failed, or on that it does
     * not go on.
     */
    boolean endsGroup(Value value, Block block) {
        List<Value> tested = value.operation().isAccess() ? value.indices() : List.of(value.operand(1));
        return isTogether(block)
                && tested.stream().allMatch(uniformity::isUniform)
                && (deciding.contains(value) || unending.get(block.number()));
    }

    /**
     * Whether a block comes after a condition at which items have failed. What is known of numbers there holds for those that have not: nothing
     * is known of inactive threads.
     */
    boolean isBeyond(Block block) {
        return beyond.get(block.number());
    }
}
