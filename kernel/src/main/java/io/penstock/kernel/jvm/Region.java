package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that lanes pass in different ways, from where they part to where they all meet again.
 *
 * @param blocks in an order in which edges lead onwards, but for those that close a loop; loops are in one piece
 * @param exit where the lanes meet; null when that is the end of the items
 */
record Region(List<Block> blocks, @Nullable Block exit) {

    /** Thrown when lanes that part do not meet in one place. */
    static final class Tangled extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The regions by their blocks, and by the blocks whose branches part the lanes. */
    static Map<Block, Region> find(KernelCode code, Flow flow, Variation variation) throws Tangled {
        Map<Block, Set<Block>> pieces = new HashMap<>();
        for (Block block : code.blocks()) {
            Set<Block> joined = parted(block, variation);
            if (variation.isParted(block)) joined.add(block);
            // A branch that all lanes take alike may lead to two regions.
            if (variation.isParted(block) || variation.parts(block)) join(pieces, joined);
        }
        Map<Set<Block>, List<Edge>> into = new HashMap<>();
        for (Block block : code.blocks())
            if (!variation.isParted(block) && variation.parts(block))
                into.computeIfAbsent(within(block, pieces, variation), w -> new ArrayList<>())
                        .addAll(block.terminator().edges());
        Map<Block, Region> regions = new HashMap<>();
        for (Block block : code.blocks()) {
            if (!variation.isParted(block) && !variation.parts(block)) continue;
            Set<Block> within = within(block, pieces, variation);
            List<Edge> edges = within.isEmpty() ? block.terminator().edges() : into.getOrDefault(within, List.of());
            regions.put(block, of(edges, within, flow));
        }
        return regions;
    }

    private static Set<Block> within(Block block, Map<Block, Set<Block>> pieces, Variation variation) {
        if (variation.isParted(block)) return pieces.getOrDefault(block, Set.of(block));
        Set<Block> within = new HashSet<>();
        for (Block target : parted(block, variation)) within.addAll(pieces.getOrDefault(target, Set.of(target)));
        return within;
    }

    private static Set<Block> parted(Block block, Variation variation) {
        Set<Block> targets = new HashSet<>();
        for (Edge edge : block.terminator().edges()) if (variation.isParted(edge.target())) targets.add(edge.target());
        return targets;
    }

    private static void join(Map<Block, Set<Block>> pieces, Set<Block> joined) {
        Set<Block> all = new HashSet<>(joined);
        for (Block block : joined) all.addAll(pieces.getOrDefault(block, Set.of()));
        for (Block block : all) pieces.put(block, all);
    }

    /**
     * A region.
     *
     * @param into the edges that lead to it, or around it
     */
    private static Region of(List<Edge> into, Set<Block> within, Flow flow) throws Tangled {
        boolean ends = false;
        Set<Block> exits = new HashSet<>();
        for (Edge edge : into) if (!within.contains(edge.target())) exits.add(edge.target());
        for (Block block : within) {
            ends |= block.terminator().edges().isEmpty() && !flow.isDoomed(block);
            for (Edge edge : block.terminator().edges()) if (!within.contains(edge.target())) exits.add(edge.target());
        }
        if (exits.size() > 1 || (ends && !exits.isEmpty())) throw new Tangled();
        return new Region(
                flow.compact(within), exits.isEmpty() ? null : exits.iterator().next());
    }
}
