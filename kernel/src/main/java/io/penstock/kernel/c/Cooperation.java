package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.KernelRefusedException;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Uniformity;
import io.penstock.kernel.ir.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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
    private final boolean all;

    /**
     * The cooperation in a kernel.
     *
     * @param all whether every thread has an item at the beginning
     */
    Cooperation(KernelCode code, boolean all) {
        this.all = all;
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
        this.independence = new Independence(code, List.copyOf(outermost), doomed, all);
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

    /** Whether inactive threads leave at the end of a block, since items part there, by what is loaded. */
    boolean parts(Block block) {
        return uniformity.parts(block) && !isPassed(block);
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

    /** Whether a load whose indices are proved to be inside for all items is inside for inactive threads too. */
    boolean isSafeForAll(Value load, Block block) {
        return all && isForAll(block) && load.indices().stream().allMatch(independence::isIndependent);
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

    /** Whether all ways from a block end in a failure. */
    boolean isDoomed(Block block) {
        return doomed.get(block.number());
    }

    /** Whether inactive threads load this too, since where the group goes may depend on it. */
    boolean isCommon(Value load, Block block) {
        return load.operation() == Operation.LOAD && isTogether(block) && uniformity.isUniform(load);
    }
}
