package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which narrow numbers are known not to wrap around in any thread that computes them, so that the C compiler may rely on it when it counts
 * the rounds of a loop. C leaves undefined what wraps around, also where nobody uses the result: that is so of threads that have no item,
 * or one that has failed, and of what is computed before it is known whether it is needed.
 */
final class Exactness {
    private final Set<Value> inexact = new HashSet<>();

    /**
     * The exactness of a kernel's values.
     *
     * @param cooperation how threads stay together; null for a kernel without barriers
     * @param early what is also computed before a loop that perhaps goes round not once
     */
    Exactness(KernelCode code, Variant variant, @Nullable Cooperation cooperation, Set<Value> early) {
        inexact.addAll(early);
        for (Block block : code.blocks()) {
            if (cooperation != null) {
                for (Value value : block.values())
                    if (!variant.wholeGroups() || cooperation.isBeyond(block) || !cooperation.isIndependent(value))
                        inexact.add(value);
                continue;
            }
            GuardChain chain = GuardChain.of(code, block);
            for (Block further : chain == null ? List.<Block>of() : chain.further()) inexact.addAll(further.values());
        }
    }

    /** Whether the result of an operation on narrow numbers is exact wherever it is computed. */
    boolean of(Value value) {
        return value.type() == ValueType.LONG && !inexact.contains(value);
    }
}
