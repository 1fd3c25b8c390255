package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The conditions at a kernel's beginning without which an item does nothing, as those by which a stencil leaves out its border.
 *
 * @param conditions in the order in which items come to them
 * @param rest what items do that meet them all: the same values in blocks of its own
 */
public record Guards(List<Guard> conditions, KernelCode rest) {
    /**
     * One of the conditions.
     *
     * @param holds whether it must hold, or must not
     */
    public record Guard(Value condition, boolean holds) {}

    /** The conditions of a kernel; the list is copied. */
    public Guards {
        conditions = List.copyOf(conditions);
    }

    /**
     * Finds the conditions.
     *
     * @param harmless tells which values do nothing for items that do not need them
     * @param usable tells which conditions the caller can do something with; those after one that is not are left where they are
     */
    public static Guards of(KernelCode code, Predicate<Value> harmless, Predicate<Value> usable) {
        Map<Block, Integer> arrivals = new HashMap<>();
        for (Block block : code.blocks())
            for (Edge edge : block.terminator().edges()) arrivals.merge(edge.target(), 1, Integer::sum);
        Block at = code.blocks().getFirst();
        List<Guard> found = new ArrayList<>();
        List<Value> before = new ArrayList<>(at.values());
        Terminator end = at.terminator();
        if (arrivals.containsKey(at)) return new Guards(found, code);
        while (end instanceof Terminator.Branch(Value condition, Edge yes, Edge no)) {
            boolean holds = isEnd(no.target());
            Edge onwards = holds ? yes : no;
            if (isEnd(onwards.target()) || !isEnd((holds ? no : yes).target())) break;
            if (!before.stream().allMatch(harmless) || !usable.test(condition)) break;
            if (!onwards.target().parameters().isEmpty() || arrivals.getOrDefault(onwards.target(), 0) != 1) break;
            found.add(new Guard(condition, holds));
            before.addAll(onwards.target().values());
            end = onwards.target().terminator();
        }
        return new Guards(found, found.isEmpty() ? code : rest(code, before, end));
    }

    /** Whether an item that comes to a block is done. */
    private static boolean isEnd(Block block) {
        return block.values().isEmpty() && block.terminator() instanceof Terminator.Return;
    }

    private static KernelCode rest(KernelCode code, List<Value> first, Terminator end) {
        Block entry = new Block();
        entry.mutableValues().addAll(first);
        Map<Block, Block> copies = new HashMap<>();
        for (Block block : reached(end)) {
            Block copy = new Block();
            copy.mutableParameters().addAll(block.parameters());
            copy.mutableValues().addAll(block.values());
            copies.put(block, copy);
        }
        entry.terminator(redirected(end, copies));
        copies.forEach((block, copy) -> copy.terminator(redirected(block.terminator(), copies)));
        return new KernelCode(code.name(), code.parameters(), new FlowGraph(entry).order());
    }

    private static Set<Block> reached(Terminator end) {
        Set<Block> reached = new HashSet<>();
        List<Edge> pending = new ArrayList<>(end.edges());
        while (!pending.isEmpty()) {
            Block target = pending.removeLast().target();
            if (reached.add(target)) pending.addAll(target.terminator().edges());
        }
        return reached;
    }

    private static Terminator redirected(Terminator terminator, Map<Block, Block> copies) {
        return switch (terminator) {
            case Terminator.Return end -> end;
            case Terminator.Jump(Edge edge) -> new Terminator.Jump(redirected(edge, copies));
            case Terminator.Branch(Value condition, Edge yes, Edge no) ->
                new Terminator.Branch(condition, redirected(yes, copies), redirected(no, copies));
        };
    }

    private static Edge redirected(Edge edge, Map<Block, Block> copies) {
        return new Edge(Objects.requireNonNull(copies.get(edge.target())), edge.arguments());
    }
}
