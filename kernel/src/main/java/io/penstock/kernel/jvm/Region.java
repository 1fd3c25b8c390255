package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
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

    /**
     * The regions that lanes enter, by the blocks from which they do: those that part them, and those that lead on to a block
     * which only some of them pass (the header of a loop that they leave at different times).
     */
    static Map<Block, Region> find(KernelCode code, Flow flow, Variation variation) throws Tangled {
        Map<Block, Set<Block>> pieces = new HashMap<>();
        for (Block block : code.blocks()) if (variation.isParted(block)) pieces.put(block, new HashSet<>(Set.of(block)));
        List<Block> entries = new ArrayList<>();
        for (Block block : code.blocks()) {
            Set<Block> joined = new HashSet<>();
            for (Edge edge : block.terminator().edges())
                if (variation.isParted(edge.target())) joined.add(edge.target());
            boolean enters = !variation.isParted(block) && (variation.parts(block) || !joined.isEmpty());
            if (enters) entries.add(block);
            if (variation.isParted(block)) joined.add(block);
            if (!enters || variation.parts(block)) join(pieces, joined);
            // A branch that all lanes take alike may lead to two regions.
        }
        Map<Set<Block>, Region> known = new HashMap<>();
        Map<Block, Region> regions = new HashMap<>();
        for (Block entry : entries) {
            if (variation.parts(entry)) {
                Set<Block> within = new LinkedHashSet<>();
                for (Edge edge : entry.terminator().edges())
                    if (variation.isParted(edge.target())) within.addAll(pieces.get(edge.target()));
                regions.put(entry, of(entry, within, flow, known));
            } else {
                for (Edge edge : entry.terminator().edges())
                    if (variation.isParted(edge.target())) of(null, pieces.get(edge.target()), flow, known);
            }
        }
        for (Block block : code.blocks())
            if (variation.isParted(block)) regions.put(block, of(null, pieces.get(block), flow, known));
        return regions;
    }

    private static void join(Map<Block, Set<Block>> pieces, Set<Block> joined) {
        if (joined.size() < 2) return;
        Set<Block> all = new HashSet<>();
        for (Block block : joined) all.addAll(pieces.get(block));
        for (Block block : all) pieces.put(block, all);
    }

    private static Region of(@Nullable Block entry, Set<Block> within, Flow flow, Map<Set<Block>, Region> known)
            throws Tangled {
        boolean ends = false;
        Set<Block> exits = new HashSet<>();
        for (Block block : within) {
            ends |= block.terminator().edges().isEmpty() && !flow.isDoomed(block);
            for (Edge edge : block.terminator().edges()) if (!within.contains(edge.target())) exits.add(edge.target());
        }
        if (entry != null)
            for (Edge edge : entry.terminator().edges()) if (!within.contains(edge.target())) exits.add(edge.target());
        if (exits.size() > 1 || (ends && !exits.isEmpty())) throw new Tangled();
        Region region = known.get(within);
        if (region == null) {
            region = new Region(flow.compact(within), exits.isEmpty() ? null : exits.iterator().next());
            if (!within.isEmpty()) known.put(within, region);
        }
        return region;
    }
}
