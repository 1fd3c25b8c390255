package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which values of a kernel with barriers depend on nothing that is loaded, so that a thread whose item has failed computes them
 * as if it had not; and through which partings such threads go like all others, since where they go depends on such values only.
 * Then nothing between their accesses waits for the outcome of a check.
 */
final class Independence {
    private final KernelCode code;
    private final BitSet doomed;
    private final Set<Cooperation.Parting> passable;
    private Set<Value> dependent;

    /**
     * The independence of a kernel's values.
     *
     * @param partings where items part, none within another
     * @param doomed the blocks, by number, from which all ways end in a failure and come to no barrier before
     * @param passable those of them through which threads without an item may go, if no load decides where
     */
    Independence(
            KernelCode code, List<Cooperation.Parting> partings, BitSet doomed, List<Cooperation.Parting> passable) {
        this.code = code;
        this.doomed = doomed;
        this.passable = new HashSet<>(passable);
        do dependent = dependent(partings);
        while (this.passable.removeIf(parting -> inside(parting).anyMatch(this::isDecidedByLoads)));
    }

    /** Whether threads without an item go through what lies between a parting and its meeting. */
    boolean passes(Cooperation.Parting parting) {
        return passable.contains(parting);
    }

    boolean isIndependent(Value value) {
        return !dependent.contains(value);
    }

    private Stream<Block> inside(Cooperation.Parting parting) {
        return code.blocks().stream().filter(block -> block == parting.block() || parting.holds(block));
    }

    /** Whether where threads go from a block may depend on what is loaded, or be a failure. */
    private boolean isDecidedByLoads(Block block) {
        return block.terminator() instanceof Terminator.Branch branch
                && (!isIndependent(branch.condition())
                        || doomed.get(branch.yes().target().number())
                        || doomed.get(branch.no().target().number()));
    }

    private Set<Value> dependent(List<Cooperation.Parting> partings) {
        Set<Value> found = new HashSet<>();
        for (Cooperation.Parting parting : partings) {
            if (passes(parting)) continue;
            // Who passes by has none of these, and does not bring the meeting's parameters along.
            for (Block block : code.blocks())
                if (parting.holds(block)) {
                    found.addAll(block.parameters());
                    found.addAll(block.values());
                }
            if (parting.meeting() != null) found.addAll(parting.meeting().parameters());
        }
        int before;
        do {
            before = found.size();
            for (Block block : code.blocks()) {
                for (Value value : block.values()) if (depends(value, found)) found.add(value);
                for (Edge edge : block.terminator().edges())
                    for (int k = 0; k < edge.arguments().size(); k++)
                        if (found.contains(edge.arguments().get(k)))
                            found.add(edge.target().parameters().get(k));
            }
        } while (found.size() > before);
        return found;
    }

    private static boolean depends(Value value, Set<Value> found) {
        return switch (value.operation()) {
            case LOAD, ATOMIC -> true;
            default ->
                Expressions.mayDivideByZero(value) || value.operands().stream().anyMatch(found::contains);
        };
    }
}
