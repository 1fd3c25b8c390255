package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Terminator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The end of a kernel that is a condition and one block for items of which it does not hold: whether that block fails can be told
 * without a branch.
 *
 * @param chain the condition, whose way out is the kernel's end
 * @param last the block
 */
record Foresight(GuardChain chain, Block last) {
    /** The end that begins with a block's branch; null where it is not of this kind. */
    static @Nullable Foresight of(KernelCode code, Block block) {
        if (!(block.terminator() instanceof Terminator.Branch branch)) return null;
        for (Edge out : branch.edges()) {
            if (!isEnd(out.target())) continue;
            GuardChain chain = GuardChain.to(code, branch, out);
            Block last = chain.on().target();
            boolean ends = last.parameters().isEmpty()
                    && last.values().stream().noneMatch(CountedLoop::asksForAnExtent)
                    && last.terminator().edges().stream().allMatch(edge -> isEnd(edge.target()))
                    && last.terminator().edges().size() <= 1;
            return ends ? new Foresight(chain, last) : null;
        }
        return null;
    }

    private static boolean isEnd(Block block) {
        return block.values().isEmpty() && block.terminator().edges().isEmpty();
    }

    /** The blocks after the first, of which all is computed before it is known whether it is needed. */
    List<Block> further() {
        return Stream.concat(chain.further().stream(), Stream.of(last)).toList();
    }
}
