package io.penstock.kernel.reach;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The loops of a kernel's code: blocks that an edge from a later block leads back to. */
final class Loops {
    private Loops() {}

    static boolean isHeader(KernelCode code, Block block) {
        for (int k = block.number(); k < code.blocks().size(); k++)
            for (Edge edge : code.blocks().get(k).terminator().edges()) if (edge.target() == block) return true;
        return false;
    }

    /** The last block from which an edge leads back to a loop's header. */
    static Block lastBack(KernelCode code, Block header) {
        for (Block block : code.blocks().reversed())
            for (Edge edge : block.terminator().edges())
                if (edge.target() == header && block.number() >= header.number()) return block;
        throw new IllegalArgumentException("block " + header.number() + " begins no loop");
    }

    /**
     * By how much a loop's parameter grows each time round, as written; null when that is not one number.
     *
     * @param constant tells numbers that the launch fixes; null for values that it does not
     */
    static @Nullable Long step(KernelCode code, Block header, int k, Function<Value, @Nullable Long> constant) {
        Value parameter = header.parameters().get(k);
        Long step = null;
        for (int b = header.number(); b < code.blocks().size(); b++)
            for (Edge edge : code.blocks().get(b).terminator().edges()) {
                if (edge.target() != header) continue;
                Long one = step(parameter, edge.arguments().get(k), constant);
                if (one == null || (step != null && !step.equals(one))) return null;
                step = one;
            }
        return step;
    }

    private static @Nullable Long step(Value parameter, Value next, Function<Value, @Nullable Long> constant) {
        boolean sum = next.operation() == Operation.ADD;
        if (!sum && next.operation() != Operation.SUB) return null;
        Long step = null;
        if (next.operand(0) == parameter) step = constant.apply(next.operand(1));
        else if (sum && next.operand(1) == parameter) step = constant.apply(next.operand(0));
        if (step == null || step == Long.MIN_VALUE) return null;
        return sum ? step : -step;
    }
}
