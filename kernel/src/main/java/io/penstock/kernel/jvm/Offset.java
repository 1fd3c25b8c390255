package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;

/** An index as another value, an {@code INT} or a {@code LONG}, and a constant. */
record Offset(Value from, long constant) {
    /** Far less than what ints that are known not to wrap around keep from their ends. */
    private static final long MOST = 1 << 20;

    /** An index of a launch's; exact modulo the longs. */
    static Offset of(Value index, LaunchShape shape) {
        Value from = index;
        long constant = 0;
        if (VectorPlan.isWidened(index)) {
            // An int whose sum is known not to wrap around.
            if (!shape.perX().containsKey(index.number())) return new Offset(index, 0);
            from = index.operand(0);
        }
        while (isSum(from)) {
            boolean last = from.operand(1).isInteger();
            long more = from.operand(last ? 1 : 0).integer();
            constant += from.operation() == Operation.SUB ? -more : more;
            from = from.operand(last ? 0 : 1);
            if (from.type() == ValueType.LONG && VectorPlan.isWidened(from)) break;
        }
        boolean exact = from.type() == ValueType.LONG || Math.abs(constant) <= MOST;
        return constant == 0 || !exact ? new Offset(index, 0) : new Offset(from, constant);
    }

    private static boolean isSum(Value value) {
        return switch (value.operation()) {
            case ADD -> value.operand(0).isInteger() || value.operand(1).isInteger();
            case SUB -> value.operand(1).isInteger();
            default -> false;
        };
    }
}
