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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    private final Map<Block, Label> labels = new HashMap<>();

    ScalarItem(CodeBuilder code, KernelCode kernel, LaunchLocals locals, Accesses accesses, int x, int y, int z) {
        this.code = code;
        this.kernel = kernel;
        this.locals = locals;
        this.accesses = accesses;
        this.x = x;
        this.y = y;
        this.z = z;
        slots = new int[kernel.values()];
    }

    /** Emits the item, which ends at a label. */
    void emit(Label end) {
        for (Block block : kernel.blocks()) {
            labels.put(block, code.newLabel());
            for (Value value : block.parameters()) slot(value);
            for (Value value : block.values()) slot(value);
        }
        for (Block block : kernel.blocks()) {
            code.labelBinding(label(block));
            for (Value value : block.values()) compute(value);
            if (!Flow.fails(block)) leave(block, end);
        }
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
            case QUERY -> locals.pushQuery(code, value);
            case LOAD -> accesses.load(value, this::push, this::pushX);
            case STORE -> {
                accesses.store(value, this::push, this::pushX);
                return;
            }
            case FAIL -> {
                accesses.fail(value, this::push, this::pushX);
                return;
            }
            default -> {
                accesses.checkDivisor(value, this::push, this::pushX);
                ScalarOps.compute(code, value, this::push);
            }
        }
        code.storeLocal(LaunchLocals.kind(value.type()), slots[value.number()]);
    }

    private void leave(Block block, Label end) {
        switch (block.terminator()) {
            case Terminator.Return _ -> code.goto_(end);
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
