package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** What a kernel costs in vectors against one item at a time, counted in operations; rough, since launches measure as well. */
final class Cost {
    /** The operations that taking a vector apart into lanes, and putting it together, costs for each lane. */
    private static final int LANE = 2;

    /** Operations beyond which the JVM's compiler would give up on the loop. */
    private static final int MOST = 700;

    private Cost() {}

    /** Refuses what does not pay. */
    static void require(VectorPlan plan) throws VectorPlan.Unsuitable {
        long vector = 0;
        long scalar = 0;
        int operations = 0;
        Value worst = null;
        for (Block block : plan.code().blocks()) {
            operations += block.parameters().size();
            for (Value value : block.values()) {
                operations++;
                if (plan.isLaneByLane(value)) {
                    operations += 6;
                    vector += (long) plan.lanes() * (LANE + 1);
                    worst = worst == null ? value : worst;
                } else {
                    vector++;
                }
                boolean shared = value.number() >= 0 && plan.variation().isUniform(value);
                scalar += shared ? 1 : plan.lanes();
            }
        }
        if (operations > MOST)
            throw new VectorPlan.Unsuitable(
                    operations + " operations are more than the JVM compiles well as vectors (" + MOST + ")");
        if (worst != null && vector > scalar)
            throw new VectorPlan.Unsuitable("most of the work has no vector form and would go lane by lane, as "
                    + worst.operation() + at(worst.position()));
    }

    private static String at(@Nullable Position position) {
        return position == null ? "" : " in " + position.file() + ":" + position.line();
    }
}
