package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The code of one item, one number at a time: each value is a local variable, each block a label. */
final class ScalarItem {
    private final CodeBuilder code;
    private final KernelCode kernel;
    private final LaunchLocals locals;
    private final Accesses accesses;
    private final int x;
    private final int y;
    private final int z;
    private final int[] slots;
    private final ScalarOps.Operands operands;
    private final @Nullable GroupItems group;
    private final Map<Block, Label> labels = new HashMap<>();

    /**
     * The code of an item.
     *
     * @param group what knows of the item's group; null if the kernel does not see groups
     */
    ScalarItem(
            CodeBuilder code,
            KernelCode kernel,
            LaunchLocals locals,
            Accesses accesses,
            int x,
            int y,
            int z,
            @Nullable GroupItems group) {
        this.group = group;
        this.code = code;
        this.kernel = kernel;
        this.locals = locals;
        this.accesses = accesses;
        this.x = x;
        this.y = y;
        this.z = z;
        slots = new int[kernel.values()];
        // Over barriers only what is used itself is kept.
        operands = group == null ? this::push : ScalarOps.Operands.alone(this::push);
    }

    /** Emits the item, which ends at a label. */
    void emit(Label end) {
        allocate();
        for (Block block : kernel.blocks()) block(block, end);
    }

    /**
     * Emits what the item does from a barrier on, to the next one or its end.
     *
     * @param restore emits what brings back the values that were kept
     */
    void emitFrom(Barriers.Barrier barrier, Runnable restore, Label end) {
        allocate();
        restore.run();
        Set<Block> reached = new LinkedHashSet<>();
        Deque<Block> pending = new ArrayDeque<>();
        if (rest(barrier.block(), barrier.index() + 1, end)) lead(barrier.block(), pending);
        while (!pending.isEmpty()) {
            Block next = pending.pop();
            if (reached.add(next) && next.values().stream().noneMatch(v -> v.operation() == Operation.BARRIER))
                lead(next, pending);
        }
        for (Block block : reached) block(block, end);
    }

    private static void lead(Block block, Deque<Block> pending) {
        for (Edge edge : block.terminator().edges()) pending.push(edge.target());
    }

    private void allocate() {
        for (Block block : kernel.blocks()) {
            labels.put(block, code.newLabel());
            for (Value value : block.parameters()) slot(value);
            for (Value value : block.values()) slot(value);
        }
    }

    private void block(Block block, Label end) {
        code.labelBinding(label(block));
        rest(block, 0, end);
    }

    /** Emits a block from a position on; false if a barrier or a failure ends it. */
    private boolean rest(Block block, int from, Label end) {
        for (int k = from; k < block.values().size(); k++) {
            Value value = block.values().get(k);
            if (value.operation() == Operation.BARRIER) {
                Objects.requireNonNull(group).await(block, k, this, end);
                return false;
            }
            compute(value);
            if (value.operation() == Operation.FAIL) return false;
        }
        leave(block, end);
        return true;
    }

    /** Pushes a value; those that are kept over barriers come from and go to memory this way. */
    void load(Value value) {
        push(value);
    }

    /** Pops a value. */
    void store(Value value) {
        code.storeLocal(LaunchLocals.kind(value.type()), slots[value.number()]);
    }

    private void slot(Value value) {
        if (value.type().isNumber() && value.operation() != Operation.PARAMETER)
            slots[value.number()] = code.allocateLocal(LaunchLocals.kind(value.type()));
    }

    private Label label(Block block) {
        return Objects.requireNonNull(labels.get(block));
    }

    private void push(Value value) {
        switch (value.operation()) {
            case CONSTANT -> ScalarOps.constant(code, value);
            case PARAMETER -> locals.pushScalar(code, value.parameter());
            default -> code.loadLocal(LaunchLocals.kind(value.type()), slots[value.number()]);
        }
    }

    private void pushX() {
        code.lload(x);
    }

    private void compute(Value value) {
        // Conditions are computed where they are used.
        if (value.operation() == Operation.PARAMETER || value.type() == ValueType.CONDITION) return;
        switch (value.operation()) {
            case ITEM_X -> code.lload(x);
            case ITEM_Y -> code.lload(y);
            case ITEM_Z -> code.lload(z);
            case LOCAL_X, LOCAL_Y, LOCAL_Z, GROUP_X, GROUP_Y, GROUP_Z ->
                Objects.requireNonNull(group).pushIndex(value.operation());
            case QUERY -> locals.pushQuery(code, value);
            case LOCAL_ARRAY -> {
                return;
            }
            case PRIVATE_ARRAY -> {
                accesses.clear(value);
                return;
            }
            case ATOMIC -> accesses.change(value, operands, this::pushX);
            case LOAD -> accesses.load(value, operands, this::pushX);
            case STORE -> {
                accesses.store(value, operands, this::pushX);
                return;
            }
            case FAIL -> {
                accesses.fail(value, operands, this::pushX);
                return;
            }
            default -> {
                accesses.checkDivisor(value, operands, this::pushX);
                ScalarOps.compute(code, value, this::push);
            }
        }
        code.storeLocal(LaunchLocals.kind(value.type()), slots[value.number()]);
    }

    private void leave(Block block, Label end) {
        switch (block.terminator()) {
            case Terminator.Return _ -> {
                if (group != null) group.done();
                code.goto_(end);
            }
            case Terminator.Jump(Edge edge) -> go(edge);
            case Terminator.Branch(Value condition, Edge yes, Edge no) -> {
                Label otherwise = code.newLabel();
                ScalarOps.jumpUnless(code, condition, this::push, otherwise);
                go(yes);
                code.labelBinding(otherwise);
                go(no);
            }
        }
    }

    /** Sets the target's parameters all at once, through the stack, and goes there. */
    private void go(Edge edge) {
        List<Value> parameters = edge.target().parameters();
        for (Value argument : edge.arguments()) push(argument);
        for (Value parameter : parameters.reversed())
            code.storeLocal(LaunchLocals.kind(parameter.type()), slots[parameter.number()]);
        code.goto_(label(edge.target()));
    }
}
