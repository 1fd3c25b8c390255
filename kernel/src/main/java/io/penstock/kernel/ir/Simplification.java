package io.penstock.kernel.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes code small and its own best description: block parameters that always have one value go, constants are folded, ways
 * that are never taken are cut, equal values are computed once, and what nothing uses is not computed.
 */
final class Simplification {
    private final Block entry;
    private final Map<Value, Value> replaced = new HashMap<>();
    /** Which parameters of each block stay, while others are dropped. */
    private final Map<Block, boolean[]> kept = new HashMap<>();

    private boolean changed;

    private Simplification(Block entry) {
        this.entry = entry;
    }

    /** The simplified code of a kernel. */
    static KernelCode of(String name, List<Parameter> parameters, Block entry) {
        Simplification work = new Simplification(entry);
        FlowGraph graph = new FlowGraph(entry);
        requireReducible(graph, name);
        do {
            work.changed = false;
            graph = new FlowGraph(entry);
            work.parameters(graph);
            for (Block block : graph.order()) work.fold(block);
            work.apply(graph);
            work.shortcut(new FlowGraph(entry));
            work.join(new FlowGraph(entry));
            graph = new FlowGraph(entry);
            work.unify(graph);
            work.apply(graph);
        } while (work.changed);
        graph = new FlowGraph(entry);
        work.sweep(graph);
        work.number(graph);
        return new KernelCode(name, parameters, graph.order());
    }

    private static void requireReducible(FlowGraph graph, String name) {
        for (Block block : graph.order())
            for (Edge edge : block.terminator().edges())
                if (edge.target().number() <= block.number() && !graph.dominates(edge.target(), block))
                    throw new KernelRefusedException(
                            new Position(name, "class file", -1, null),
                            "jumps into the middle of a loop",
                            "write loops as Java's for, while and do");
    }

    private Value now(Value value) {
        Value latest = value;
        while (replaced.containsKey(latest)) latest = replaced.get(latest);
        return latest;
    }

    /** Values with those that were replaced; the list itself if none was. */
    private List<Value> now(List<Value> values) {
        boolean all = true;
        for (Value value : values) all &= !replaced.containsKey(value);
        if (all) return values;
        List<Value> latest = new ArrayList<>(values.size());
        for (Value value : values) latest.add(now(value));
        return latest;
    }

    private void replace(Value old, Value by) {
        replaced.put(old, by);
        changed = true;
    }

    /** Removes block parameters for which every edge gives the same value, or the parameter itself. */
    private void parameters(FlowGraph graph) {
        for (boolean again = true; again; ) {
            again = false;
            for (Block block : graph.order()) {
                List<Edge> incoming = graph.incoming(block);
                if (incoming.isEmpty()) continue;
                for (int k = 0; k < block.parameters().size(); k++) {
                    Value parameter = block.parameters().get(k);
                    if (replaced.containsKey(parameter)) continue;
                    Value only = only(parameter, incoming, k);
                    if (only == null) continue;
                    replace(parameter, only);
                    again = true;
                }
            }
        }
        for (Block block : graph.order())
            keep(block, graph.incoming(block).isEmpty() ? new HashSet<>() : replaced.keySet());
        prune(graph);
    }

    private @Nullable Value only(Value parameter, List<Edge> incoming, int k) {
        Value only = null;
        for (Edge edge : incoming) {
            Value given = now(edge.arguments().get(k));
            if (given == parameter || given == only) continue;
            if (only != null) return null;
            only = given;
        }
        return only;
    }

    private void keep(Block block, Set<Value> gone) {
        boolean[] keep = new boolean[block.parameters().size()];
        for (int k = 0; k < keep.length; k++)
            keep[k] = !gone.contains(block.parameters().get(k));
        kept.put(block, keep);
    }

    /** Drops the block parameters that are not kept, with the arguments that edges give them. */
    private void prune(FlowGraph graph) {
        for (Block block : graph.order()) {
            boolean[] keep = java.util.Objects.requireNonNull(kept.get(block));
            List<Value> parameters = chosen(block.parameters(), keep);
            block.mutableParameters().clear();
            block.mutableParameters().addAll(parameters);
            block.terminator(map(
                    block.terminator(),
                    edge -> new Edge(
                            edge.target(),
                            chosen(edge.arguments(), java.util.Objects.requireNonNull(kept.get(edge.target()))))));
        }
        kept.clear();
    }

    private static List<Value> chosen(List<Value> values, boolean[] keep) {
        List<Value> chosen = new ArrayList<>();
        for (int k = 0; k < keep.length; k++) if (keep[k]) chosen.add(values.get(k));
        return chosen;
    }

    private static Terminator map(Terminator terminator, java.util.function.UnaryOperator<Edge> change) {
        return switch (terminator) {
            case Terminator.Jump(Edge edge) -> new Terminator.Jump(change.apply(edge));
            case Terminator.Branch(Value condition, Edge yes, Edge no) ->
                new Terminator.Branch(condition, change.apply(yes), change.apply(no));
            case Terminator.Return end -> end;
        };
    }

    private void fold(Block block) {
        for (Value value : block.values()) {
            if (replaced.containsKey(value)) continue;
            List<Value> operands = now(value.operands());
            value.operands(operands);
            Value simpler = Folding.of(value);
            if (simpler != null) replace(value, simpler);
        }
        if (block.terminator() instanceof Terminator.Branch(Value condition, Edge yes, Edge no)) {
            Value tested = now(condition);
            if (!tested.isConstant()) return;
            block.terminator(new Terminator.Jump(tested.attribute(Boolean.class) ? yes : no));
            changed = true;
        }
    }

    /** Removes replaced values and puts what replaces them in their places. */
    private void apply(FlowGraph graph) {
        for (Block block : graph.order()) {
            block.mutableValues().removeIf(replaced::containsKey);
            for (Value value : block.values()) value.operands(now(value.operands()));
            Terminator renamed = map(block.terminator(), edge -> new Edge(edge.target(), now(edge.arguments())));
            block.terminator(
                    renamed instanceof Terminator.Branch(Value condition, Edge yes, Edge no)
                            ? new Terminator.Branch(now(condition), yes, no)
                            : renamed);
        }
    }

    /** Appends a block to the only one that leads to it. */
    private void join(FlowGraph graph) {
        for (Block block : graph.order()) {
            while (block.terminator() instanceof Terminator.Jump(Edge edge)
                    && graph.incoming(edge.target()).size() == 1
                    && edge.target().parameters().isEmpty()
                    && edge.target() != block
                    && edge.target() != entry) {
                block.mutableValues().addAll(edge.target().values());
                block.terminator(edge.target().terminator());
                edge.target().mutableValues().clear();
                changed = true;
            }
        }
    }

    /** Leads around blocks that do nothing. */
    private void shortcut(FlowGraph graph) {
        for (Block block : graph.order()) block.terminator(map(block.terminator(), this::shortcut));
    }

    private Edge shortcut(Edge edge) {
        Block target = edge.target();
        if (target.values().isEmpty()
                && target.parameters().isEmpty()
                && target.terminator() instanceof Terminator.Jump(Edge next)
                && next.target() != target) {
            changed = true;
            return next;
        }
        return edge;
    }

    private record Expression(
            Operation operation, ValueType type, @Nullable Object attribute, List<Value> operands) {}

    /** Replaces a value by an equal one that is computed before on every way. */
    private void unify(FlowGraph graph) {
        Map<Block, Map<Expression, Value>> known = new HashMap<>();
        for (Block block : graph.order()) {
            Map<Expression, Value> here = block == entry
                    ? new HashMap<>()
                    : new HashMap<>(known.getOrDefault(graph.dominator(block), Map.of()));
            known.put(block, here);
            for (Value value : block.values()) {
                if (value.isUnique()) continue;
                List<Value> operands = now(value.operands());
                Value earlier = here.putIfAbsent(
                        new Expression(value.operation(), value.type(), value.attribute(), operands), value);
                if (earlier != null) replace(value, earlier);
            }
        }
    }

    /** Drops values and block parameters that nothing with an effect depends on. */
    private void sweep(FlowGraph graph) {
        Set<Value> used = new HashSet<>();
        Deque<Value> pending = new ArrayDeque<>();
        for (Block block : graph.order()) {
            for (Value value : block.values())
                if (value.hasEffect() || value.operation() == Operation.PARAMETER) pending.add(value);
            if (block.terminator() instanceof Terminator.Branch branch) pending.add(branch.condition());
        }
        Map<Value, List<Value>> given = new HashMap<>();
        for (Block block : graph.order())
            for (Edge edge : graph.incoming(block))
                for (int k = 0; k < block.parameters().size(); k++)
                    given.computeIfAbsent(block.parameters().get(k), p -> new ArrayList<>())
                            .add(edge.arguments().get(k));
        while (!pending.isEmpty()) {
            Value value = pending.remove();
            if (!used.add(value)) continue;
            pending.addAll(value.operands());
            pending.addAll(given.getOrDefault(value, List.of()));
        }
        for (Block block : graph.order()) {
            block.mutableValues().removeIf(value -> !used.contains(value));
            Set<Value> gone = new HashSet<>(block.parameters());
            gone.removeAll(used);
            keep(block, gone);
        }
        prune(graph);
    }

    private void number(FlowGraph graph) {
        int next = 0;
        for (Block block : graph.order()) {
            for (Value value : block.parameters()) value.number(next++);
            for (Value value : block.values()) {
                value.number(next++);
                if (value.operation() == Operation.COMPARE)
                    throw new KernelRefusedException(
                            java.util.Objects.requireNonNull(value.position()),
                            "uses a three-way comparison as a number",
                            "compile the class with javac");
            }
        }
    }
}
