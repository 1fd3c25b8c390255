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
import java.util.List;

/**
 * The items that do anything at all, by the kernel's guards: a box of items, found once, and for conditions that join several
 * indices a range of x, found once a row. The code for the items then has no such conditions, nor masks for the lanes that meet
 * them.
 */
final class Window {
    private static final List<Operation> INDICES = List.of(Operation.ITEM_X, Operation.ITEM_Y, Operation.ITEM_Z);
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

    /** Whether rows of one box have different ranges of x. */
    boolean narrowsRows() {
        return guards.conditions().stream()
                .anyMatch(guard -> !isOfBox(guard) && step(guard.condition(), Operation.ITEM_X) != 0);
    }

    /** The guards as lines of a listing. */
    String describe() {
        StringBuilder lines = new StringBuilder();
        for (Guards.Guard guard : guards.conditions()) {
            Value condition = guard.condition();
            lines.append(isOfBox(guard) ? "// found once: the items where " : "// found once a row: the items where ")
                    .append(condition)
                    .append(guard.holds() ? " holds\n" : " does not hold\n");
        }
        return lines.toString();
    }

    private boolean isUsable(Value condition) {
        if (!condition.operation().isComparison() || operations(condition) > MOST_OPERATIONS) return false;
        return step(condition, Operation.ITEM_X) == 0 || isBound(condition, Operation.ITEM_X);
    }

    /** Whether a comparison holds from some index on, or up to one. */
    private boolean isBound(Value condition, Operation index) {
        if (condition.operation() == Operation.EQ || condition.operation() == Operation.NE) return false;
        for (Value operand : condition.operands())
            if (!operand.type().isInteger() || (operand.type() == ValueType.LONG && !isNarrow(operand))) return false;
        long step = step(condition, index);
        return step == 1 || step == -1;
    }

    /** Whether a condition is about one index at most, and bounds it: then it is found once for all rows. */
    private boolean isOfBox(Guards.Guard guard) {
        List<Operation> indices = indices(guard.condition());
        return indices.isEmpty() || (indices.size() == 1 && isBound(guard.condition(), indices.getFirst()));
    }

    private static List<Operation> indices(Value condition) {
        return INDICES.stream().filter(index -> dependsOn(condition, index)).toList();
    }

    private static boolean dependsOn(Value value, Operation index) {
        return value.operation() == index || value.operands().stream().anyMatch(operand -> dependsOn(operand, index));
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

    /** By how much a value, or the difference that a comparison is about, grows from an item to the next along an index. */
    private long step(Value value, Operation index) {
        if (value.operation() == index) return 1;
        long[] steps = value.operands().stream()
                .filter(operand -> operand.type() != ValueType.REFERENCE)
                .mapToLong(operand -> step(operand, index))
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
        return value.type() == ValueType.INT && mayWrap(value, index, step) ? Variation.VARYING : step;
    }

    /** Whether an int may wrap around, for items that do not come to it too. */
    private boolean mayWrap(Value value, Operation index, long step) {
        if (index == Operation.ITEM_X) {
            Long known = shape.perX().get(value.number());
            return known == null || known != step;
        }
        return value.operation() != Operation.CONVERT
                || value.operand(0).operation() != index
                || !isNarrow(value.operand(0));
    }

    /**
     * Narrows a box to the items within.
     *
     * @param begin the local variables of where x, y and z begin
     * @param end the local variables of where they end
     * @param none where to go when there are no such items
     */
    void emitBox(CodeBuilder code, LaunchLocals locals, int[] begin, int[] end, Label none) {
        Indices zeros = new Indices(code, locals, -1, -1);
        for (Guards.Guard guard : guards.conditions()) {
            if (!isOfBox(guard)) continue;
            List<Operation> indices = indices(guard.condition());
            if (indices.isEmpty()) {
                zeros.require(guard, none);
                continue;
            }
            int dimension = INDICES.indexOf(indices.getFirst());
            long step = step(guard.condition(), indices.getFirst());
            zeros.narrow(guard, step, begin[dimension], end[dimension]);
            code.lload(begin[dimension]).lload(end[dimension]).lcmp().ifge(none);
        }
    }

    /**
     * Narrows a row to the items within, and leaves out rows that have none.
     *
     * @param position the local variables of x, which is where the row begins, and of y and z
     * @param stop the local variable of where the row ends
     * @param skip goes to the next row
     */
    void emitRow(CodeBuilder code, LaunchLocals locals, int[] position, int stop, Label skip) {
        Indices row = new Indices(code, locals, position[1], position[2]);
        for (Guards.Guard guard : guards.conditions()) {
            if (isOfBox(guard)) continue;
            long step = step(guard.condition(), Operation.ITEM_X);
            if (step == 0) {
                row.require(guard, skip);
                continue;
            }
            row.narrow(guard, step, position[0], stop);
            code.lload(position[0]).lload(stop).lcmp().ifge(skip);
        }
    }

    /**
     * What conditions compare, for the item 0 of some row.
     *
     * @param y the local variable of the row's y; -1 for 0
     * @param z the local variable of the row's z; -1 for 0
     */
    private record Indices(CodeBuilder code, LaunchLocals locals, int y, int z) {
        void push(Value value) {
            switch (value.operation()) {
                case CONSTANT -> ScalarOps.constant(code, value);
                case PARAMETER -> locals.pushScalar(code, value.parameter());
                case QUERY -> locals.pushQuery(code, value);
                case ITEM_X -> code.lconst_0();
                case ITEM_Y -> push(y);
                case ITEM_Z -> push(z);
                default -> ScalarOps.compute(code, value, this::push);
            }
        }

        private void push(int index) {
            if (index < 0) code.lconst_0();
            else code.lload(index);
        }

        private void pushLong(Value value) {
            push(value);
            if (value.type() == ValueType.INT) code.i2l();
        }

        /** Goes elsewhere unless a guard lets the item pass. */
        void require(Guards.Guard guard, Label otherwise) {
            Label holds = code.newLabel();
            ScalarOps.jumpUnless(code, guard.condition(), this::push, guard.holds() ? otherwise : holds);
            if (!guard.holds()) code.goto_(otherwise);
            code.labelBinding(holds);
        }

        /** Moves one end of a range of an index to where a guard begins or ceases to let pass, of numbers whose difference grows by a step. */
        void narrow(Guards.Guard guard, long step, int begin, int stop) {
            Value condition = guard.condition();
            Operation comparison = guard.holds()
                    ? condition.operation()
                    : condition.operation().negated();
            // The index is compared with what makes the two numbers equal.
            Operation relation = step == 1 ? comparison : comparison.swapped();
            int from = step == 1 ? 1 : 0;
            pushLong(condition.operand(from));
            pushLong(condition.operand(1 - from));
            code.lsub();
            if (relation == Operation.LE || relation == Operation.GT)
                code.lconst_1().ladd();
            boolean ends = relation == Operation.LT || relation == Operation.LE;
            int moved = ends ? stop : begin;
            code.lload(moved);
            code.invokestatic(
                    MATH,
                    ends ? "min" : "max",
                    MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long));
            code.lstore(moved);
        }
    }
}
