package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Values that are the same for all items of a launch and known before it begins: what is computed from sizes and scalars only. */
public final class LaunchConstant {
    private LaunchConstant() {}

    /** Whether a value is one. */
    public static boolean is(Value value) {
        return switch (value.operation()) {
            case CONSTANT, PARAMETER, QUERY -> true;
            case ITEM, ITEM_X, ITEM_Y, ITEM_Z, LOCAL_X, LOCAL_Y, LOCAL_Z, GROUP_X, GROUP_Y, GROUP_Z -> false;
            case PHI, COMPARE, LOAD, STORE, ATOMIC, BARRIER, FAIL, LOCAL_ARRAY, PRIVATE_ARRAY -> false;
            case NEW, RECORD, THROWN, TEXT -> false;
            default -> !value.hasEffect() && value.operands().stream().allMatch(LaunchConstant::is);
        };
    }

    /**
     * What a launch constant is in a launch.
     *
     * @param given tells parameters and answers to queries
     */
    public static Object evaluate(Value value, Function<Value, Object> given) {
        return switch (value.operation()) {
            case CONSTANT -> value.attribute(Object.class);
            case PARAMETER, QUERY -> given.apply(value);
            default -> {
                List<Object> operands = new ArrayList<>();
                for (Value operand : value.operands()) operands.add(evaluate(operand, given));
                yield Arithmetic.evaluate(value, operands);
            }
        };
    }
}
