package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ways through a kernel's blocks: who leads where, which blocks are loops, and where ways that parted meet again. */
final class Flow {
    /** An edge and the block that it leaves. */
    record Arrival(Block from, Edge edge) {
        boolean isBack() {
            return edge.target().number() <= from.number();
        }
    }

    /** A natural loop; the blocks include the header and those of loops within. */
    record Loop(Block header, BitSet blocks) {
        boolean contains(Block block) {
            return blocks.get(block.number());
        }
    }

    private final List<Block> blocks;
    private final Map<Block, List<Arrival>> arrivals = new HashMap<>();
    /** Smaller loops first, so that an inner one is found before those around it. */
    private final List<Loop> loops = new ArrayList<>();

    /** The blocks from which all ways end in a failure, which ends the launch: they lead nowhere. */
    private final BitSet doomed = new BitSet();

    private final BitSet[] postDominators;

    Flow(List<Block> blocks) {
        this.blocks = blocks;
        for (Block block : blocks) arrivals.put(block, new ArrayList<>());
        for (Block block : blocks)
            for (Edge edge : block.terminator().edges()) arrivals(edge.target()).add(new Arrival(block, edge));
        findLoops();
        findDoomed();
        postDominators = postDominators();
    }

    List<Arrival> arrivals(Block block) {
        return Objects.requireNonNull(arrivals.get(block));
    }

    private void findDoomed() {
        for (boolean more = true; more; ) {
            more = false;
            for (Block block : blocks) {
                List<Edge> edges = block.terminator().edges();
                boolean fails = edges.isEmpty() ? fails(block) : edges.stream().allMatch(e -> isDoomed(e.target()));
                if (!fails || isDoomed(block)) continue;
                doomed.set(block.number());
                more = true;
            }
        }
    }

    /** Whether a block fails at its end. */
    static boolean fails(Block block) {
        return block.values().stream().anyMatch(value -> value.operation() == Operation.FAIL);
    }

    /** Whether all ways from a block end in a failure. */
    boolean isDoomed(Block block) {
        return doomed.get(block.number());
    }

    private void findLoops() {
        Map<Integer, BitSet> byHeader = new TreeMap<>();
        for (Block header : blocks)
            for (Arrival arrival : arrivals(header))
                if (arrival.isBack())
                    byHeader.computeIfAbsent(header.number(), h -> new BitSet()).or(leadingTo(arrival.from(), header));
        byHeader.forEach((header, body) -> loops.add(new Loop(blocks.get(header), body)));
        loops.sort(Comparator.comparingInt(loop -> loop.blocks().cardinality()));
    }

    private BitSet leadingTo(Block last, Block header) {
        BitSet body = new BitSet();
        body.set(header.number());
        Deque<Block> pending = new ArrayDeque<>(List.of(last));
        while (!pending.isEmpty()) {
            Block block = pending.pop();
            if (body.get(block.number())) continue;
            body.set(block.number());
            for (Arrival arrival : arrivals(block)) pending.push(arrival.from());
        }
        return body;
    }

    /** All loops, inner ones before those around them. */
    List<Loop> loops() {
        return loops;
    }

    /** The loop that a block is the header of, if it is one. */
    @Nullable
    Loop loopOf(Block header) {
        for (Loop loop : loops) if (loop.header() == header) return loop;
        return null;
    }

    /** For each block the blocks, itself included, that every way from it to the end passes; the end is numbered last. */
    private BitSet[] postDominators() {
        int end = blocks.size();
        BitSet[] after = new BitSet[end];
        for (int k = 0; k < end; k++) {
            after[k] = new BitSet();
            after[k].set(0, end + 1);
        }
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int k = end - 1; k >= 0; k--) {
                BitSet common = new BitSet();
                if (blocks.get(k).terminator().edges().isEmpty()) common.set(end);
                else common.set(0, end + 1);
                for (Edge edge : blocks.get(k).terminator().edges())
                    if (!isDoomed(edge.target())) common.and(after[edge.target().number()]);
                common.set(k);
                changed |= !common.equals(after[k]);
                after[k] = common;
            }
        }
        return after;
    }

    /** Whether some block leads to no end. */
    boolean isEndless() {
        for (Block block : blocks) {
            BitSet ways = reachable(block, -1);
            ways.set(block.number());
            if (ways.stream().noneMatch(k -> blocks.get(k).terminator().edges().isEmpty())) return true;
        }
        return false;
    }

    /** Where the ways from a block first all meet again; null when that is only at the end. */
    @Nullable
    Block meeting(Block block) {
        BitSet after = postDominators[block.number()];
        for (int k = after.nextSetBit(0); k >= 0 && k < blocks.size(); k = after.nextSetBit(k + 1))
            if (k != block.number() && postDominators[k].cardinality() == after.cardinality() - 1) return blocks.get(k);
        return null;
    }

    /** The blocks that can be reached from the successors of one, without passing another (if its number is not -1). */
    BitSet reachable(Block from, int barrier) {
        BitSet reached = new BitSet();
        Deque<Block> pending = new ArrayDeque<>();
        pending.push(from);
        while (!pending.isEmpty())
            for (Edge edge : pending.pop().terminator().edges()) {
                int number = edge.target().number();
                if (number == barrier || reached.get(number)) continue;
                reached.set(number);
                pending.push(edge.target());
            }
        return reached;
    }

    /** Some blocks in an order in which edges lead onwards, but for those that close a loop, and loops are in one piece. */
    List<Block> compact(Set<Block> some) {
        List<Block> order = new ArrayList<>();
        List<Block> numbered =
                some.stream().sorted(Comparator.comparingInt(Block::number)).toList();
        arrange(numbered, null, order);
        return order;
    }

    /** Appends the blocks of one level: a block or a whole loop at a time, each when all that leads to it is there. */
    private void arrange(List<Block> level, @Nullable Loop around, List<Block> order) {
        List<Block> left = new ArrayList<>(level);
        while (!left.isEmpty()) {
            boolean found = false;
            for (int k = 0; k < left.size() && !found; k++) {
                Block first = left.get(k);
                Loop loop = outermost(first, around);
                List<Block> piece = loop == null
                        ? List.of(first)
                        : left.stream().filter(loop::contains).toList();
                if (!ready(piece, left, around)) continue;
                found = true;
                left.removeAll(piece);
                if (loop == null) order.add(first);
                else arrange(piece, loop, order);
            }
            if (!found) throw new IllegalStateException("blocks lead to each other in a circle that is no loop");
        }
    }

    private static boolean isHeaderOf(Block block, @Nullable Loop around) {
        return around != null && around.header() == block;
    }

    private boolean ready(List<Block> piece, List<Block> left, @Nullable Loop around) {
        for (Block block : piece) {
            if (isHeaderOf(block, around)) continue;
            for (Arrival arrival : arrivals(block))
                if (left.contains(arrival.from()) && !piece.contains(arrival.from())) return false;
        }
        return true;
    }

    /** The largest loop that a block is in, within another. */
    private @Nullable Loop outermost(Block block, @Nullable Loop around) {
        for (Loop loop : loops.reversed())
            if (loop.contains(block)
                    && !loop.equals(around)
                    && (around == null || (around.contains(loop.header()) && loop.header() != around.header())))
                return loop;
        return null;
    }
}
