package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Guards;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;

/**
 * The items of a row that do anything at all, by the kernel's guards: a range of x, found once a row. The code for the items
 * then has no such conditions, nor masks for the lanes that meet them.
 */
final class Window {
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

    /** The most operations that a guard may take, since a value used twice is computed twice. */
    private static final int MOST_OPERATIONS = 40;

    private final LaunchShape shape;
    private final Guards guards;

    private Window(LaunchShape shape, Guards guards) {
        this.shape = shape;
        this.guards = guards;
    }

    static Window of(KernelCode code, LaunchShape shape) {
        if (code.seesGroups()) return whole(code, shape);
        Window window = whole(code, shape);
        return new Window(
                shape,
                Guards.of(
                        code,
                        value -> !value.hasEffect() || (value.operation() == Operation.LOAD && shape.isInside(value)),
                        window::isUsable));
    }

    /** All items. */
    private static Window whole(KernelCode code, LaunchShape shape) {
        return new Window(shape, Guards.of(code, value -> false, value -> false));
    }

    /** What the items within do. */
    KernelCode rest() {
        return guards.rest();
    }

    /** The guards as lines of a listing. */
    String describe() {
        StringBuilder lines = new StringBuilder();
        for (Guards.Guard guard : guards.conditions()) {
            Value condition = guard.condition();
            lines.append("// found once a row: the items where ")
                    .append(condition)
                    .append(guard.holds() ? " holds\n" : " does not hold\n");
        }
        return lines.toString();
    }

    private boolean isUsable(Value condition) {
        if (!condition.operation().isComparison() || operations(condition) > MOST_OPERATIONS) return false;
        long step = step(condition);
        if (step == 0) return true;
        if (condition.operation() == Operation.EQ || condition.operation() == Operation.NE) return false;
        for (Value operand : condition.operands())
            if (!operand.type().isInteger() || (operand.type() == ValueType.LONG && !isNarrow(operand))) return false;
        return step == 1 || step == -1;
    }

    private boolean isNarrow(Value value) {
        return VectorPlan.isWidened(value)
                || (value.isInteger() && value.integer() == (int) value.integer())
                || (value.number() >= 0 && shape.narrow().get(value.number()));
    }

    /** How many operations a value takes that can be computed once a row; more than allowed if it cannot be. */
    private static int operations(Value value) {
        return switch (value.operation()) {
            case CONSTANT, PARAMETER, QUERY, ITEM_X, ITEM_Y, ITEM_Z -> 1;
            case PHI, SELECT, MATH -> MOST_OPERATIONS + 1;
            default -> {
                if (value.hasEffect()
                        || !(value.type().isNumber() || value.operation().isComparison())) yield MOST_OPERATIONS + 1;
                int sum = 1;
                for (Value operand : value.operands()) if (sum <= MOST_OPERATIONS) sum += operations(operand);
                yield sum;
            }
        };
    }

    /** By how much a value, or the difference that a comparison is about, grows from an item to the next. */
    private long step(Value value) {
        if (value.operation() == Operation.ITEM_X) return 1;
        long[] steps = value.operands().stream()
                .filter(operand -> operand.type() != ValueType.REFERENCE)
                .mapToLong(this::step)
                .toArray();
        if (Arrays.stream(steps).allMatch(step -> step == 0)) return 0;
        if (Arrays.stream(steps).anyMatch(step -> step == Variation.VARYING)) return Variation.VARYING;
        if (!value.operands().getFirst().type().isInteger()) return Variation.VARYING;
        long step = switch (value.operation()) {
            case ADD -> steps[0] + steps[1];
            case SUB, LT, LE, GT, GE, EQ, NE -> steps[0] - steps[1];
            case NEG -> -steps[0];
            case CONVERT -> value.type().isInteger() ? steps[0] : Variation.VARYING;
            default -> Variation.VARYING;
        };
        if (value.type() != ValueType.INT) return step;
        // An int may wrap around, unless the launch proves that it would for no item.
        Long known = shape.perX().get(value.number());
        return known != null && known == step ? step : Variation.VARYING;
    }

    /**
     * Narrows a row to the items within, and leaves out rows that have none.
     *
     * @param position the local variables of x, which is where the row begins, and of y and z
     * @param stop the local variable of where the row ends
     * @param skip goes to the next row
     */
    void emit(CodeBuilder code, LaunchLocals locals, int[] position, int stop, Label skip) {
        if (guards.conditions().isEmpty()) return;
        Row row = new Row(code, locals, position[0], position[1], position[2]);
        for (Guards.Guard guard : guards.conditions()) {
            Value condition = guard.condition();
            if (step(condition) == 0) {
                Label holds = code.newLabel();
                ScalarOps.jumpUnless(code, condition, row::push, guard.holds() ? skip : holds);
                if (!guard.holds()) code.goto_(skip);
                code.labelBinding(holds);
            } else {
                row.narrow(
                        guard.holds()
                                ? condition.operation()
                                : condition.operation().negated(),
                        condition,
                        step(condition),
                        stop);
            }
        }
        code.lload(position[0]).lload(stop).lcmp().ifge(skip);
    }

    /** Numbers of a row, as they are for its item 0. */
    private record Row(CodeBuilder code, LaunchLocals locals, int x, int y, int z) {
        void push(Value value) {
            switch (value.operation()) {
                case CONSTANT -> ScalarOps.constant(code, value);
                case PARAMETER -> locals.pushScalar(code, value.parameter());
                case QUERY -> locals.pushQuery(code, value);
                case ITEM_X -> code.lconst_0();
                case ITEM_Y -> code.lload(y);
                case ITEM_Z -> code.lload(z);
                default -> ScalarOps.compute(code, value, this::push);
            }
        }

        private void pushLong(Value value) {
            push(value);
            if (value.type() == ValueType.INT) code.i2l();
        }

        /** Moves one end of the row to where a comparison begins or ceases to hold, of numbers whose difference grows by a step. */
        void narrow(Operation comparison, Value condition, long step, int stop) {
            // x is compared with what makes the two numbers equal.
            Operation relation = step == 1 ? comparison : comparison.swapped();
            int from = step == 1 ? 1 : 0;
            pushLong(condition.operand(from));
            pushLong(condition.operand(1 - from));
            code.lsub();
            if (relation == Operation.LE || relation == Operation.GT)
                code.lconst_1().ladd();
            boolean ends = relation == Operation.LT || relation == Operation.LE;
            int end = ends ? stop : x;
            code.lload(end);
            code.invokestatic(
                    MATH,
                    ends ? "min" : "max",
                    MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long));
            code.lstore(end);
        }
    }
}
