package io.penstock.kernel.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The blocks that can be reached from an entry in reverse postorder, the edges that lead to each, and their dominators. */
final class FlowGraph {
    private final List<Block> order;
    private final Map<Block, List<Edge>> incoming = new HashMap<>();
    private final Map<Block, List<Block>> predecessors = new HashMap<>();
    private final int[] dominator;

    /** The graph of the blocks, which are numbered in their order. */
    FlowGraph(Block entry) {
        order = reversePostorder(entry);
        for (int k = 0; k < order.size(); k++) {
            order.get(k).number(k);
            incoming.put(order.get(k), new ArrayList<>());
            predecessors.put(order.get(k), new ArrayList<>());
        }
        for (Block block : order)
            for (Edge edge : block.terminator().edges()) {
                incoming(edge.target()).add(edge);
                predecessors(edge.target()).add(block);
            }
        dominator = dominators();
    }

    private static List<Block> reversePostorder(Block entry) {
        List<Block> done = new ArrayList<>();
        Set<Block> seen = new HashSet<>(Set.of(entry));
        Deque<Block> path = new ArrayDeque<>(List.of(entry));
        Deque<Iterator<Edge>> edges = new ArrayDeque<>();
        edges.push(entry.terminator().edges().reversed().iterator());
        while (!path.isEmpty()) {
            Iterator<Edge> rest = edges.element();
            if (rest.hasNext()) {
                Block next = rest.next().target();
                if (seen.add(next)) {
                    path.push(next);
                    edges.push(next.terminator().edges().reversed().iterator());
                }
            } else {
                done.add(path.pop());
                edges.pop();
            }
        }
        Collections.reverse(done);
        return done;
    }

    List<Block> order() {
        return order;
    }

    List<Edge> incoming(Block block) {
        return Objects.requireNonNull(incoming.get(block), "a block cannot be reached");
    }

    List<Block> predecessors(Block block) {
        return Objects.requireNonNull(predecessors.get(block), "a block cannot be reached");
    }

    /** By the iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
    private int[] dominators() {
        int[] above = new int[order.size()];
        java.util.Arrays.fill(above, -1);
        above[0] = 0;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int k = 1; k < above.length; k++) {
                int common = -1;
                for (Block predecessor : predecessors(order.get(k))) {
                    int p = predecessor.number();
                    if (above[p] < 0) continue;
                    common = common < 0 ? p : meet(above, common, p);
                }
                if (above[k] != common) {
                    above[k] = common;
                    changed = true;
                }
            }
        }
        return above;
    }

    private static int meet(int[] above, int a, int b) {
        int one = a;
        int other = b;
        while (one != other) {
            while (one > other) one = above[one];
            while (other > one) other = above[other];
        }
        return one;
    }

    /** The block that every way to this one passes last; the entry's is itself. */
    Block dominator(Block block) {
        return order.get(dominator[block.number()]);
    }

    boolean dominates(Block above, Block below) {
        int k = below.number();
        while (k > above.number()) k = dominator[k];
        return k == above.number();
    }
}
