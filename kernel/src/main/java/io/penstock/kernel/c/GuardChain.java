package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Branches one after another that all have one way out in common, such as those of a condition made with {@code ||}: one branch
 * does for all, since what is computed between them is little and changes nothing.
 *
 * @param condition where it holds, the way out is taken
 * @param out the way out
 * @param on where it goes on otherwise
 * @param further the blocks of the branches after the first
 */
record GuardChain(String condition, Edge out, Edge on, List<Block> further) {
    /** The most that a block may compute for nothing where an earlier branch goes out. */
    private static final int MOST_VALUES = 4;

    /** The chain that begins with a block's branch; null where there is none. */
    static @Nullable GuardChain of(KernelCode code, Block first) {
        if (!(first.terminator() instanceof Terminator.Branch branch)) return null;
        GuardChain byYes = follow(code, branch, branch.yes());
        GuardChain byNo = follow(code, branch, branch.no());
        GuardChain longer = byYes.further.size() >= byNo.further.size() ? byYes : byNo;
        return longer.further.isEmpty() ? null : longer;
    }

    /** The chain, perhaps of one branch only, of which an edge of the first is the way out. */
    static GuardChain to(KernelCode code, Terminator.Branch first, Edge out) {
        return follow(code, first, out);
    }

    private static GuardChain follow(KernelCode code, Terminator.Branch branch, Edge out) {
        List<String> conditions = new ArrayList<>(List.of(leaves(branch, out)));
        List<Block> further = new ArrayList<>();
        Edge on = other(branch, out);
        while (isGuard(code, on.target(), out) && !further.contains(on.target())) {
            Block block = on.target();
            Terminator.Branch next = (Terminator.Branch) block.terminator();
            further.add(block);
            conditions.add(leaves(next, out));
            on = other(next, out);
        }
        return new GuardChain(String.join(" | ", conditions), out, on, further);
    }

    /** Whether a block does little and ends with a branch to the way out, and is entered from one place. */
    private static boolean isGuard(KernelCode code, Block block, Edge out) {
        return block.terminator() instanceof Terminator.Branch next
                && (next.yes().equals(out) || next.no().equals(out))
                && !next.yes().target().equals(next.no().target())
                && block.parameters().isEmpty()
                && block.values().size() <= MOST_VALUES
                && block.values().stream().allMatch(GuardChain::isLittle)
                && entries(code, block) == 1;
    }

    private static boolean isLittle(Value value) {
        return !value.hasEffect()
                && !value.operation().isAccess()
                && value.operation() != Operation.MATH
                && value.operation() != Operation.PRIVATE_ARRAY
                && (value.type().isInteger() || value.operation() != Operation.DIV);
    }

    private static long entries(KernelCode code, Block block) {
        return code.blocks().stream()
                .flatMap(from -> from.terminator().edges().stream())
                .filter(edge -> Objects.equals(edge.target(), block))
                .count();
    }

    private static String leaves(Terminator.Branch branch, Edge out) {
        String condition = Expressions.use(branch.condition());
        return branch.yes().equals(out) ? condition : "!" + condition;
    }

    private static Edge other(Terminator.Branch branch, Edge out) {
        return branch.yes().equals(out) ? branch.no() : branch.yes();
    }
}
