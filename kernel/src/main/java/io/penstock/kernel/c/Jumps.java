package io.penstock.kernel.c;

import io.penstock.kernel.c.Excursions.Excursion;
import io.penstock.kernel.c.SureLoops.SureLoop;
import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The labels of a kernel's blocks, and the jumps to them. Of some blocks of a kernel with barriers there are several copies. */
final class Jumps {
    private final KernelCode code;
    /** How threads stay together; null for a kernel without barriers. */
    private final @Nullable Cooperation cooperation;
    /** Where items go apart; null for a kernel without barriers. */
    private final @Nullable Excursions excursions;

    private final SureLoops loops;
    /** The loop of which the copy without checks is being written; null while none is. */
    private @Nullable SureLoop sure;
    /** Where items come together behind such loops, and where they go on from there. */
    private final Map<String, String> landings = new LinkedHashMap<>();

    /** The one that is being written; null where items are together. */
    private @Nullable Excursion here;
    /** The ways to a failure that are to be written. */
    private final List<Doom> dooms = new ArrayList<>();
    /** The one that is being written. */
    private @Nullable Doom doom;

    /**
     * What leads from a branch to a failure only. Each branch has a copy of its own, for the reason that {@link Excursions} gives.
     *
     * @param number what its labels end with
     * @param way the branch's edge
     * @param together whether all threads of a group come there, and end behind the failure
     */
    private record Doom(int number, Edge way, boolean together) {
        /** Where its threads come together. */
        String landing() {
            return "on" + number;
        }
    }

    Jumps(KernelCode code, @Nullable Cooperation cooperation, @Nullable Excursions excursions, SureLoops loops) {
        this.code = code;
        this.cooperation = cooperation;
        this.excursions = excursions;
        this.loops = loops;
    }

    /** Has a block written once for each excursion that it lies on; a block of failures not yet. */
    void write(Block block, Consumer<Block> writer) {
        if (isOfDoom(block)) return;
        List<Excursion> through = excursions == null ? List.of() : excursions.through(block);
        for (Excursion one : through) {
            here = one;
            writer.accept(block);
        }
        here = null;
        if (through.isEmpty()) writer.accept(block);
    }

    /** Has what no block falls through to written: loops without checks, where items meet, and the ways to failures. */
    void writeRest(Consumer<Block> writer, Consumer<String> line) {
        for (SureLoop one : loops.all()) {
            sure = one;
            for (Block block : one.loop().blocks()) write(block, writer);
        }
        sure = null;
        landings.forEach((landing, on) -> line.accept(landing + ":; goto " + on + ";"));
        if (excursions != null) excursions.landings().forEach(line);
        for (Doom one : dooms) {
            doom = one;
            from(one.way().target()).forEach(writer);
            if (one.together()) line.accept(one.landing() + ":; goto done;");
        }
        doom = null;
    }

    /** Whether a block is written for each way to a failure. */
    private boolean isOfDoom(Block block) {
        return cooperation != null
                && cooperation.isDoomed(block)
                && !cooperation.isDoomed(code.blocks().getFirst());
    }

    private static Set<Block> from(Block first) {
        Set<Block> found = new LinkedHashSet<>(List.of(first));
        for (Deque<Block> pending = new ArrayDeque<>(found); !pending.isEmpty(); )
            for (Edge edge : pending.remove().terminator().edges())
                if (found.add(edge.target())) pending.add(edge.target());
        return found;
    }

    /** Whether what is being written cannot fail, by the test before its loop. */
    @Nullable
    SureLoop sure() {
        return sure;
    }

    /** The label of the copy of a block that is being written; of a loop that is written twice, the test before it has the first. */
    String label(Block block) {
        return labelWithin(block) + suffix(block);
    }

    /** The label of the test before a loop that is written twice. */
    String entry(Block header) {
        return labelWithin(header);
    }

    /** The label at which a loop begins for threads that have passed the test before it. */
    String sureEntry(Block header) {
        return labelWithin(header) + "_s";
    }

    private String suffix(Block block) {
        if (sure != null && sure.holds(block)) return "_s";
        return loops.at(block) != null ? "_c" : "";
    }

    private String labelWithin(Block block) {
        if (doom != null && isOfDoom(block)) return "b" + block.number() + "_" + doom.number();
        return excursions == null ? "b" + block.number() : excursions.label(block, here);
    }

    private String target(Block from, Block to) {
        String target = excursions == null || isOfDoom(to) ? labelWithin(to) : excursions.target(from, here, to);
        SureLoop around = loops.around(from);
        if (around != null && around.holds(to)) return target + suffix(to);
        if (around == null || !around.landing()) return target;
        String landing = "s" + around.loop().header().number() + "_" + target;
        landings.put(landing, target);
        return landing;
    }

    /** Goes where an item fails, and comes back if others of the group may be well. */
    List<String> toDoom(Block from, Edge way, String failing, boolean together) {
        Doom made = new Doom(dooms.size() + 1, way, together);
        dooms.add(made);
        doom = made;
        String go = go(from, way);
        doom = null;
        return together
                ? List.of("if (" + failing + ") { if (!active) goto " + made.landing() + "; " + go + " }")
                : List.of("if (active && " + failing + ") " + go, made.landing() + ":;");
    }

    /** Goes where a thread goes on that was on a way that ends in a failure. */
    String resume() {
        return "goto " + (doom == null ? "done" : doom.landing()) + ";";
    }

    /** Ends a thread's work on an item. */
    String end(Block block) {
        return excursions == null ? "return;" : leave(block);
    }

    /** Goes where inactive threads go from a block where items are apart, or from its end where they part. */
    String leave(Block block) {
        return "goto " + Objects.requireNonNull(excursions).out(block, here) + ";";
    }

    /** Sets the target's parameters all at once, then jumps. */
    String go(Block from, Edge edge) {
        StringBuilder go = new StringBuilder("{ ");
        List<Value> parameters = edge.target().parameters();
        for (int k = 0; k < parameters.size(); k++)
            go.append("next")
                    .append(parameters.get(k).number())
                    .append(" = ")
                    .append(Expressions.use(edge.arguments().get(k)))
                    .append("; ");
        for (Value parameter : parameters)
            go.append(Expressions.use(parameter))
                    .append(" = next")
                    .append(parameter.number())
                    .append("; ");
        return go.append("goto ")
                .append(target(from, edge.target()))
                .append("; }")
                .toString();
    }
}
