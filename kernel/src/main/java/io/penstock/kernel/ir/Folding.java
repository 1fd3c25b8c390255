package io.penstock.kernel.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a simpler value that is always the same as one, to the bit. */
final class Folding {
    private Folding() {}

    /** A constant or one of the operands; null where there is nothing simpler. May rewrite the operands. */
    static @Nullable Value of(Value value) {
        return switch (value.operation()) {
            case CONSTANT, PARAMETER, ITEM, ITEM_X, ITEM_Y, ITEM_Z, QUERY, PHI, COMPARE, MATH -> null;
            case LOCAL_X, LOCAL_Y, LOCAL_Z, GROUP_X, GROUP_Y, GROUP_Z, LOCAL_ARRAY, PRIVATE_ARRAY -> null;
            case LOAD, STORE, ATOMIC, BARRIER, FAIL -> null;
            case SELECT -> value.operand(1) == value.operand(2) ? value.operand(1) : constant(value);
            case CONVERT -> value.operand(0).type() == value.type() ? value.operand(0) : constant(value);
            default -> {
                Value folded = constant(value);
                yield folded != null || !value.type().isInteger() ? folded : integer(value);
            }
        };
    }

    private static @Nullable Value constant(Value value) {
        if (value.hasEffect()) return null;
        for (Value operand : value.operands()) if (!operand.isConstant()) return null;
        List<Object> operands =
                value.operands().stream().map(v -> v.attribute(Object.class)).toList();
        return Value.constant(value.type(), Arithmetic.evaluate(value, operands));
    }

    private static @Nullable Value integer(Value value) {
        if (value.operands().size() != 2) return null;
        Value left = value.operand(0);
        Value right = value.operand(1);
        return switch (value.operation()) {
            case ADD -> left.isInteger(0) ? right : right.isInteger(0) ? left : gather(value);
            case SUB, SHL, SHR, USHR -> right.isInteger(0) ? left : null;
            case MUL -> left.isInteger(1) ? right : right.isInteger(1) ? left : null;
            case DIV -> right.isInteger(1) ? left : null;
            default -> null;
        };
    }

    /** {@code (x + 1) + 2} becomes {@code x + 3}, which wraps around the same way. */
    private static @Nullable Value gather(Value sum) {
        Value inner = sum.operand(0);
        if (!sum.operand(1).isConstant()
                || inner.operation() != Operation.ADD
                || !inner.operand(1).isConstant()) return null;
        Value constants =
                new Value(Operation.ADD, sum.type(), null, List.of(inner.operand(1), sum.operand(1)), sum.position());
        Value total = constant(constants);
        if (total == null) return null;
        sum.operands(List.of(inner.operand(0), total));
        return null;
    }
}
