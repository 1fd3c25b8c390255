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
 * part, they go straight to where all meet again.
 */
final class Cooperation {
    private record Parting(
            Block block, BitSet between, @Nullable Block meeting) {
        boolean holds(Block other) {
            return between.get(other.number());
        }
    }

    private final Uniformity uniformity;
    private final BitSet doomed;
    /** The branches at which items part that were together. */
    private final List<Parting> outermost = new ArrayList<>();

    Cooperation(KernelCode code) {
        this.uniformity = Uniformity.of(code);
        this.doomed = uniformity.doomed();
        List<Parting> all = code.blocks().stream()
                .filter(uniformity::parts)
                .map(block -> new Parting(block, uniformity.between(block), uniformity.meeting(block)))
                .toList();
        for (Parting one : all) if (all.stream().noneMatch(other -> isWithin(one, other))) outermost.add(one);
        for (Block block : code.blocks())
            if (around(block).stream().map(Parting::meeting).distinct().count() > 1)
                throw new KernelRefusedException(
                        new Position(code.name(), "class file", -1, null),
                        "has branches that meet in several places, and barriers",
                        "write conditions and loops as Java's if, for and while");
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

    boolean parts(Block block) {
        return uniformity.parts(block);
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
