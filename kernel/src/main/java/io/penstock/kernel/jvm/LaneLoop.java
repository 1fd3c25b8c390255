package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;

/**
 * An operation without a vector form, done for one lane after another: vectors that it needs are laid down in scratch memory,
 * each lane picks its numbers there, and results are laid down beside them and loaded as a vector.
 */
final class LaneLoop {
    private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

    private final CodeBuilder code;
    private final VectorItem item;
    private final VectorPlan plan;
    private final VectorOps vectors;
    private final int scratch;
    private final int bits;
    private final int lane;

    private final ScalarOps.Operands operands = ScalarOps.Operands.alone(this::push);

    /** Where in scratch memory the vectors of the operation lie. */
    private final Map<Value, Integer> places = new HashMap<>();

    /**
     * The loop of one operation.
     *
     * @param scratch the local variable of the scratch memory's address
     * @param bits a local variable for the lanes still to do
     * @param lane a local variable for the current lane
     */
    LaneLoop(CodeBuilder code, VectorItem item, VectorPlan plan, VectorOps vectors, int scratch, int bits, int lane) {
        this.code = code;
        this.item = item;
        this.plan = plan;
        this.vectors = vectors;
        this.scratch = scratch;
        this.bits = bits;
        this.lane = lane;
    }

    /**
     * Emits the loop; pushes the vector of results if there are any.
     *
     * @param active the local variable of the lanes' bits, or -1 for all lanes
     * @param accesses makes loads, stores and checks of single lanes
     */
    void emit(Value value, int active, Accesses accesses) {
        for (Value operand : value.operands()) spill(operand);
        int result = places.size() * Scratch.PLACE;
        Label next = code.newLabel();
        Label done = code.newLabel();
        if (active < 0) code.loadConstant(plan.all());
        else code.lload(active);
        code.lstore(bits);
        code.labelBinding(next);
        code.lload(bits).lconst_0().lcmp().ifeq(done);
        code.lload(bits).invokestatic(LONG, "numberOfTrailingZeros", MethodTypeDesc.of(CD_int, CD_long));
        code.istore(lane);
        code.lload(bits).lload(bits).lconst_1().lsub().land().lstore(bits);
        one(value, result, accesses);
        code.goto_(next);
        code.labelBinding(done);
        if (value.type().isNumber()) vectors.reload(value.type(), () -> place(result));
    }

    /** Emits the failure of the first of the lanes whose bits are in the local variable for them. */
    void emitFirst(Value fail, Accesses accesses) {
        for (Value operand : fail.operands()) spill(operand);
        code.lload(bits).invokestatic(LONG, "numberOfTrailingZeros", MethodTypeDesc.of(CD_int, CD_long));
        code.istore(lane);
        accesses.fail(fail, operands, this::pushX);
    }

    private void one(Value value, int result, Accesses accesses) {
        if (value.operation() == Operation.STORE) {
            accesses.store(value, operands, this::pushX);
            return;
        }
        accesses.checkDivisor(value, operands, this::pushX);
        ScalarOps.memory(code, value.type());
        placeOfLane(result, value.type());
        if (value.operation() == Operation.ATOMIC) accesses.change(value, operands, this::pushX);
        else if (value.operation() == Operation.LOAD) accesses.load(value, operands, this::pushX);
        else ScalarOps.compute(code, value, operands);
        ScalarOps.store(code, value.type());
    }

    private void spill(Value operand) {
        if (plan.isVector(operand)) {
            if (places.containsKey(operand)) return;
            int place = places.size() * Scratch.PLACE;
            places.put(operand, place);
            item.pushVector(operand);
            vectors.spill(operand.type(), () -> place(place));
        } else if (VectorPlan.isWidened(operand) && plan.variation().varies(operand)) {
            spill(operand.operand(0));
        }
    }

    private void place(int offset) {
        code.lload(scratch).loadConstant((long) offset).ladd();
    }

    private void placeOfLane(int offset, ValueType type) {
        place(offset);
        boolean wide = type == ValueType.LONG || type == ValueType.DOUBLE;
        code.iload(lane).i2l().loadConstant(wide ? 3 : 2).lshl().ladd();
    }

    /** Pushes the number of the current lane. */
    private void push(Value value) {
        Integer place = places.get(value);
        if (place != null) {
            ScalarOps.memory(code, value.type());
            placeOfLane(place, value.type());
            ScalarOps.load(code, value.type());
            return;
        }
        if (VectorPlan.isWidened(value) && plan.variation().varies(value)) {
            push(value.operand(0));
            code.i2l();
            return;
        }
        item.pushScalar(value);
        long step = plan.variation().step(value);
        if (step == 0) return;
        if (value.type() == ValueType.INT)
            code.iload(lane).loadConstant((int) step).imul().iadd();
        else code.iload(lane).i2l().loadConstant(step).lmul().ladd();
    }

    private void pushX() {
        item.pushX();
        code.iload(lane).i2l().ladd();
    }
}
