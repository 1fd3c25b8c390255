package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ways that items of a kernel with barriers go between parting and meeting, each written with one way in and one way out.
 *
 * <p>PoCL copies what follows a barrier and can also be reached without it, for each edge that leads there; so two edges on
 * which items of a group are apart must never lead to such a place, else each copy's barrier waits for other items, and one
 * item decides for all which of them is passed. Therefore items that have been apart come together in a landing before they go
 * where others come from elsewhere, and blocks that can be entered by several ways are written once for each.
 */
final class Excursions {
    /**
     * One such way.
     *
     * @param number from 1
     * @param blocks its blocks, by number
     * @param meeting where it leads; null for the end of the kernel
     */
    record Excursion(int number, BitSet blocks, @Nullable Block meeting) {
        boolean holds(Block block) {
            return blocks.get(block.number());
        }

        private String landing() {
            return "m" + number;
        }
    }

    private final KernelCode code;
    private final Cooperation cooperation;
    /** By the block at whose end items part that were together. */
    private final Map<Block, Excursion> parted = new HashMap<>();
    /** By the first block, of those that all items of a group enter together. */
    private final Map<Block, Excursion> entered = new HashMap<>();

    private final List<Excursion> all = new ArrayList<>();
    /** The excursions that end in a landing. */
    private final List<Excursion> landing;

    Excursions(KernelCode code, Cooperation cooperation) {
        this.code = code;
        this.cooperation = cooperation;
        for (Block block : code.blocks()) {
            if (!cooperation.isTogether(block) || cooperation.isDoomed(block)) continue;
            if (cooperation.divides(block)) part(block);
            else targets(block).forEach(this::enter);
        }
        landing = all.stream().filter(this::lands).toList();
    }

    /** The blocks that follow a block without a failure. */
    private List<Block> targets(Block block) {
        return block.terminator().edges().stream()
                .map(Edge::target)
                .filter(target -> !cooperation.isDoomed(target))
                .toList();
    }

    private void enter(Block first) {
        if (cooperation.isTogether(first) || entered.containsKey(first)) return;
        Excursion made = excursion(List.of(first), cooperation.meeting(first));
        entered.put(first, made);
        if (made.meeting() != null) enter(made.meeting());
    }

    private void part(Block block) {
        Excursion made = excursion(targets(block), cooperation.meeting(block));
        parted.put(block, made);
        if (made.meeting() != null) enter(made.meeting());
    }

    private Excursion excursion(List<Block> first, @Nullable Block meeting) {
        BitSet blocks = new BitSet();
        for (Deque<Block> pending = new ArrayDeque<>(first); !pending.isEmpty(); ) {
            Block block = pending.remove();
            if (block == meeting || blocks.get(block.number())) continue;
            blocks.set(block.number());
            pending.addAll(targets(block));
        }
        Excursion made = new Excursion(all.size() + 1, blocks, meeting);
        all.add(made);
        return made;
    }

    /** Whether others come to where an excursion leads. */
    private boolean lands(Excursion one) {
        Block meeting = one.meeting();
        if (meeting == null || !cooperation.isTogether(meeting)) return true;
        Stream<Block> direct = code.blocks().stream()
                .filter(block -> cooperation.isTogether(block) && !parted.containsKey(block))
                .filter(block -> targets(block).contains(meeting));
        return direct.findAny().isPresent()
                || all.stream().anyMatch(other -> !other.equals(one) && other.meeting() == meeting);
    }

    /** The excursions on which a block lies; none for a block where all items of a group are together. */
    List<Excursion> through(Block block) {
        return all.stream().filter(one -> one.holds(block)).toList();
    }

    /** The label at which a block begins on an excursion, or where items are together. */
    String label(Block block, @Nullable Excursion on) {
        String label = "b" + block.number();
        return on == null || through(block).getFirst().equals(on) ? label : label + "_m" + on.number();
    }

    /** The label that an edge leads to from a block on an excursion, or where items are together. */
    String target(Block from, @Nullable Excursion on, Block target) {
        Excursion here = on == null ? parted.get(from) : on;
        if (here == null) return label(target, entered.get(target));
        return target == here.meeting() ? out(here) : label(target, here);
    }

    /** The label where a thread goes that leaves an excursion, or the way that begins at a block where items part. */
    String out(Block from, @Nullable Excursion on) {
        Excursion here = on == null ? parted.get(from) : on;
        return here == null ? "done" : out(here);
    }

    private String out(Excursion excursion) {
        return landing.contains(excursion) ? excursion.landing() : behind(excursion);
    }

    private String behind(Excursion excursion) {
        Block meeting = excursion.meeting();
        return meeting == null ? "done" : label(meeting, entered.get(meeting));
    }

    /** The landings: each a label, and where it leads. */
    List<String> landings() {
        return landing.stream()
                .map(one -> one.landing() + ":; goto " + behind(one) + ";")
                .toList();
    }
}
