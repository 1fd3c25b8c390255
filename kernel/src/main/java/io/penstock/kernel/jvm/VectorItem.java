package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The code of as many items as there are lanes. What is the same in all lanes, or grows by a constant from one to the next, is
 * one number: that of the first lane. Where lanes part, each block has a mask of those that pass it, as the bits of a long; it is
 * left out if there are none. Where lanes meet, what they bring is blended by those masks.
 */
final class VectorItem {
    /** The most values that are computed though perhaps no lane needs them. */
    private static final int MOST_IN_VAIN = 60;

    private final CodeBuilder code;
    private final VectorPlan plan;
    private final VectorValues values;
    private final int x;
    /** The lanes that have an item, as bits in a local variable; -1 if all have one. */
    private final int all;

    private final Map<Block, Label> labels = new HashMap<>();
    private final Map<Region, Label> regionLabels = new HashMap<>();
    /** The local variables of the lanes that pass blocks, and of those that go round again to the header of a loop. */
    private final Map<Block, Integer> masks = new HashMap<>();

    private final Map<Block, Integer> again = new HashMap<>();
    /** The blocks of the current region, or its exit, to which an edge has been emitted. */
    private final Set<Block> arrived = new HashSet<>();

    /** Where lanes go on that pass a block together, if there is such a way. */
    private final Map<Block, Label> twins = new HashMap<>();

    /**
     * Where a region's code goes on behind a block, and where a loop in it begins: lanes that come from a twin must not run what
     * stands before, which would be in vain and spoil what they have.
     */
    private final Map<Block, Label> behind = new HashMap<>();

    private final Map<Block, Label> beginnings = new HashMap<>();

    private final int edgeMask;
    private final int otherMask;
    private Label end;

    VectorItem(
            CodeBuilder code,
            VectorPlan plan,
            LaunchLocals locals,
            Faults faults,
            Accesses accesses,
            int[] position,
            int scratch,
            int all) {
        this.code = code;
        this.plan = plan;
        this.x = position[0];
        this.all = all;
        this.end = code.newLabel();
        edgeMask = code.allocateLocal(TypeKind.LONG);
        otherMask = code.allocateLocal(TypeKind.LONG);
        values = new VectorValues(code, plan, locals, faults, accesses, this, position, scratch);
    }

    /** Emits the items, which end at a label. */
    void emit(Label itemsEnd) {
        end = itemsEnd;
        boolean parts = plan.code().blocks().stream().anyMatch(plan.variation()::parts);
        for (Block block : plan.code().blocks()) {
            labels.put(block, code.newLabel());
            values.allocate(block, parts);
            if (!plan.variation().isParted(block)) continue;
            masks.put(block, mask());
            if (plan.flow().loopOf(block) != null) again.put(block, mask());
            if (all < 0 && !isInPartedLoop(block)) twins.put(block, code.newLabel());
        }
        for (Block block : plan.code().blocks())
            if (!plan.variation().isParted(block)) {
                code.labelBinding(label(block));
                for (Value value : block.values()) values.compute(value, all, false);
                if (!Flow.fails(block)) leave(block);
            }
        Set<Region> regions = new LinkedHashSet<>();
        for (Block block : plan.code().blocks()) if (plan.variation().isParted(block)) regions.add(plan.region(block));
        regions.forEach(this::twins);
        regions.forEach(this::region);
    }

    private int mask() {
        int mask = code.allocateLocal(TypeKind.LONG);
        code.lconst_0().lstore(mask);
        return mask;
    }

    private Label label(Block block) {
        return Objects.requireNonNull(labels.get(block));
    }

    private Label label(Region region) {
        return regionLabels.computeIfAbsent(region, r -> code.newLabel());
    }

    private int maskOf(Block block) {
        return Objects.requireNonNull(masks.get(block));
    }

    void pushScalar(Value value) {
        values.pushScalar(value);
    }

    void pushVector(Value value) {
        values.pushVector(value);
    }

    void pushX() {
        code.lload(x);
    }

    /** Pushes the bits of the active lanes. */
    void pushActive(int active) {
        if (active < 0) code.loadConstant(plan.all());
        else code.lload(active);
    }

    private void leave(Block block) {
        switch (block.terminator()) {
            case Terminator.Return _ -> code.goto_(end);
            case Terminator.Jump(Edge edge) -> go(edge);
            case Terminator.Branch(Value condition, Edge yes, Edge no) -> {
                if (plan.variation().isUniform(condition)) {
                    Label otherwise = code.newLabel();
                    ScalarOps.jumpUnless(code, condition, values::pushScalar, otherwise);
                    go(yes);
                    code.labelBinding(otherwise);
                    go(no);
                } else {
                    part(block, new Condition(condition, yes, no));
                }
            }
        }
    }

    /** Goes where all lanes go. */
    private void go(Edge edge) {
        Block target = edge.target();
        if (!plan.variation().isParted(target)) {
            values.set(edge, -1, -1);
            code.goto_(label(target));
            return;
        }
        if (twins.containsKey(target)) {
            goTogether(edge);
            return;
        }
        Region region = plan.region(target);
        enter(region);
        values.set(edge, -1, -1);
        pushActive(all);
        code.lstore(maskOf(target));
        code.goto_(
                plan.flow().loopOf(target) == null
                        ? label(region)
                        : beginnings.computeIfAbsent(target, t -> code.newLabel()));
    }

    private void enter(Region region) {
        for (Block block : region.blocks()) {
            code.lconst_0().lstore(maskOf(block));
            Integer rounds = again.get(block);
            if (rounds != null) code.lconst_0().lstore(rounds);
        }
    }

    /** The end of a block that all lanes pass, with a condition that differs between them. */
    private void part(Block block, Condition at) {
        Region region = plan.region(block);
        if (all < 0) together(at);
        enter(region);
        arrived.clear();
        split(block, at, all);
        if (twins.containsKey(block)) code.goto_(behind.computeIfAbsent(block, b -> code.newLabel()));
        else if (!region.blocks().isEmpty()) code.goto_(label(region));
        else if (region.exit() == null) code.goto_(end);
        else code.goto_(label(region.exit()));
    }

    /** How a block ends that has two ways on. */
    private record Condition(Value condition, Edge yes, Edge no) {}

    /** Where all lanes happen to take one way, they go on together, without masks. */
    private void together(Condition at) {
        Label notAll = code.newLabel();
        Label mixed = code.newLabel();
        if (plan.isMonotonic(at.condition())) {
            Label none = code.newLabel();
            ScalarOps.jumpUnless(code, at.condition(), values::pushScalar, notAll);
            ScalarOps.jumpUnless(code, at.condition(), values::pushLast, mixed);
            goTogether(at.yes());
            code.labelBinding(notAll);
            ScalarOps.jumpUnless(code, at.condition(), values::pushLast, none);
            code.goto_(mixed);
            code.labelBinding(none);
            goTogether(at.no());
            code.labelBinding(mixed);
            return;
        }
        values.pushBits(at.condition());
        code.lstore(edgeMask);
        code.lload(edgeMask).loadConstant(plan.all()).lcmp().ifne(notAll);
        goTogether(at.yes());
        code.labelBinding(notAll);
        code.lload(edgeMask).lconst_0().lcmp().ifne(mixed);
        goTogether(at.no());
        code.labelBinding(mixed);
    }

    private void goTogether(Edge edge) {
        Label twin = twins.get(edge.target());
        if (twin == null) {
            go(edge);
            return;
        }
        values.set(edge, -1, -1);
        code.goto_(twin);
    }

    /** The blocks of a region for lanes that are still together; loops that lanes may leave at different times have none. */
    private void twins(Region region) {
        for (Block block : region.blocks()) {
            Label twin = twins.get(block);
            if (twin == null) continue;
            code.labelBinding(twin);
            for (Value value : block.values()) values.compute(value, all, false);
            if (Flow.fails(block)) continue;
            switch (block.terminator()) {
                case Terminator.Return _ -> code.goto_(end);
                case Terminator.Jump(Edge edge) -> goTogether(edge);
                case Terminator.Branch(Value condition, Edge yes, Edge no) -> {
                    Condition at = new Condition(condition, yes, no);
                    if (plan.variation().isUniform(condition)) {
                        Label otherwise = code.newLabel();
                        ScalarOps.jumpUnless(code, condition, values::pushScalar, otherwise);
                        goTogether(yes);
                        code.labelBinding(otherwise);
                        goTogether(no);
                    } else {
                        part(block, at);
                    }
                }
            }
        }
    }

    private boolean isInPartedLoop(Block block) {
        return plan.flow().loops().stream()
                .anyMatch(loop -> loop.contains(block) && plan.variation().isParted(loop));
    }

    private void split(Block block, Condition at, int active) {
        values.pushBits(at.condition());
        pushActive(active);
        code.land().lstore(edgeMask);
        pushActive(active);
        code.lload(edgeMask).lxor().lstore(otherMask);
        arrive(block, at.yes(), edgeMask);
        arrive(block, at.no(), otherMask);
    }

    /** Sends the lanes of a mask along an edge out of a block that some lanes pass, or within or out of a region. */
    private void arrive(Block from, Edge edge, int mask) {
        Block target = edge.target();
        boolean back = target.number() <= from.number();
        boolean first = arrived.add(target) || (back && isOnlyWayBack(target));
        boolean plain = first && !leavesLoop(from, target);
        values.set(edge, plain ? -1 : mask, plain ? mask : -1);
        if (!plan.variation().isParted(target)) return;
        int sum = back ? Objects.requireNonNull(again.get(target)) : maskOf(target);
        code.lload(sum).lload(mask).lor().lstore(sum);
    }

    private boolean isOnlyWayBack(Block header) {
        return plan.flow().arrivals(header).stream()
                        .filter(Flow.Arrival::isBack)
                        .count()
                == 1;
    }

    private boolean leavesLoop(Block from, Block target) {
        for (Flow.Loop loop : plan.flow().loops())
            if (loop.contains(from)
                    && !loop.contains(target)
                    && plan.variation().isParted(loop)) return true;
        return false;
    }

    private void region(Region region) {
        code.labelBinding(label(region));
        arrived.clear();
        // What parts the lanes has sent some along already, wherever the region is entered from.
        for (Block block : plan.code().blocks())
            if (!plan.variation().isParted(block))
                for (Edge edge : block.terminator().edges())
                    if (region.blocks().contains(edge.target())
                            || (plan.variation().parts(block)
                                    && plan.region(block).equals(region)
                                    && edge.target() == region.exit())) arrived.add(edge.target());
        sequence(region.blocks(), null);
        if (region.exit() == null) code.goto_(end);
        else code.goto_(label(region.exit()));
    }

    /** Blocks one after another, loops among them as long as lanes go round. */
    private void sequence(List<Block> blocks, @Nullable Block header) {
        for (int k = 0; k < blocks.size(); k++) {
            Block block = blocks.get(k);
            Flow.Loop loop = block.equals(header) ? null : plan.flow().loopOf(block);
            if (loop == null) {
                masked(block);
                Label after = behind.get(block);
                if (after != null) code.labelBinding(after);
                continue;
            }
            Label beginning = beginnings.get(block);
            if (beginning != null) code.labelBinding(beginning);
            int last = k;
            while (last + 1 < blocks.size() && loop.contains(blocks.get(last + 1))) last++;
            loop(blocks.subList(k, last + 1));
            k = last;
        }
    }

    private void loop(List<Block> blocks) {
        Block header = blocks.getFirst();
        int rounds = Objects.requireNonNull(again.get(header));
        Label round = code.newLabel();
        Label over = code.newLabel();
        code.labelBinding(round);
        code.lload(maskOf(header)).lconst_0().lcmp().ifeq(over);
        sequence(blocks, header);
        for (Block block : blocks) code.lconst_0().lstore(maskOf(block));
        code.lload(rounds).lstore(maskOf(header));
        code.lconst_0().lstore(rounds);
        code.goto_(round);
        code.labelBinding(over);
    }

    /**
     * A block that some lanes pass. One without effects when there are none is not left out then: vectors that come by one way
     * or another lie on the heap, which costs more than to compute them.
     */
    private void masked(Block block) {
        int mask = maskOf(block);
        Label next = code.newLabel();
        if (block.values().size() > MOST_IN_VAIN || block.values().stream().anyMatch(values::needsLanes))
            code.lload(mask).lconst_0().lcmp().ifeq(next);
        for (Value value : block.values())
            values.compute(value, mask, plan.variation().isLasting(value));
        switch (block.terminator()) {
            case Terminator.Return _ -> {
                // These lanes are done.
            }
            case Terminator.Jump(Edge edge) -> arrive(block, edge, mask);
            case Terminator.Branch(Value condition, Edge yes, Edge no) -> {
                if (plan.variation().isUniform(condition)) {
                    Label otherwise = code.newLabel();
                    ScalarOps.jumpUnless(code, condition, values::pushScalar, otherwise);
                    arrive(block, yes, mask);
                    code.goto_(next);
                    code.labelBinding(otherwise);
                    arrive(block, no, mask);
                } else {
                    split(block, new Condition(condition, yes, no), mask);
                }
            }
        }
        code.labelBinding(next);
    }
}
