package io.penstock.kernel.c;

import io.penstock.kernel.c.Excursions.Excursion;
import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loops that are written twice: once with a check of each access, and once without any, for threads of which a test before the
 * loop tells that nothing will fail in it. Without checks the C compiler has the loads of several rounds under way together.
 *
 * @param all the loops
 */
record SureLoops(List<SureLoop> all) {
    /**
     * One of them.
     *
     * @param landing whether all items of a group come there together, and so must come together in one place behind it, for the
     *     reason that {@link Excursions} gives
     */
    record SureLoop(CountedLoop loop, LoopTest test, boolean landing) {
        boolean holds(Block block) {
            return loop.holds(block);
        }
    }

    /**
     * The loops of a kernel.
     *
     * @param cooperation how threads stay together; null for a kernel without barriers
     * @param excursions where items go apart; null for a kernel without barriers
     */
    static SureLoops of(
            List<CountedLoop> counted,
            Variant variant,
            Expressions expressions,
            @Nullable Cooperation cooperation,
            @Nullable Excursions excursions) {
        List<SureLoop> all = new ArrayList<>();
        for (CountedLoop loop : counted) {
            if (cooperation != null && excursions != null && !staysTogether(loop, cooperation, excursions)) continue;
            LoopTest test = LoopTest.of(loop, variant, expressions, cooperation != null);
            if (test != null)
                all.add(new SureLoop(loop, test, cooperation != null && cooperation.isTogether(loop.header())));
        }
        return new SureLoops(List.copyOf(all));
    }

    /** Whether the loop lies on one way through the kernel, as a whole, and leads to no failure. */
    private static boolean staysTogether(CountedLoop loop, Cooperation cooperation, Excursions excursions) {
        List<Excursion> through = excursions.through(loop.header());
        for (Block block : loop.blocks()) {
            if (cooperation.isDoomed(block) || !excursions.through(block).equals(through)) return false;
            for (Edge edge : block.terminator().edges()) if (cooperation.isDoomed(edge.target())) return false;
            if (through.isEmpty() && cooperation.divides(block)) return false;
        }
        return true;
    }

    /** The loop that begins with a block; null where none does. */
    @Nullable
    SureLoop at(Block header) {
        for (SureLoop one : all) if (one.loop().header() == header) return one;
        return null;
    }

    /** The loop that a block is in; null where it is in none. */
    @Nullable
    SureLoop around(Block block) {
        for (SureLoop one : all) if (one.holds(block)) return one;
        return null;
    }
}
