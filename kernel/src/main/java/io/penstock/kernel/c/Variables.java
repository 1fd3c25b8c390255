package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.LocalArray;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables that hold an item's values. All stand at the beginning, so that no jump passes a declaration. */
final class Variables {
    private Variables() {}

    /**
     * Their declarations.
     *
     * @param zero whether numbers begin as zero, since some threads pass by what sets them
     */
    static List<String> of(KernelCode code, Expressions expressions, boolean zero) {
        List<String> lines = new ArrayList<>(numbers(code, expressions, zero ? " = 0" : ""));
        int shared = 0;
        for (Block block : code.blocks())
            for (Value value : block.values()) {
                if (value.operation() == Operation.LOCAL_ARRAY) lines.add(shared(code, value, shared++));
                if (value.operation() == Operation.PRIVATE_ARRAY) lines.add(own(value));
            }
        return lines;
    }

    private static List<String> numbers(KernelCode code, Expressions expressions, String zero) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (Block block : code.blocks()) {
            for (Value value : block.parameters()) {
                List<String> ofType = names.computeIfAbsent(expressions.type(value), t -> new ArrayList<>());
                ofType.add(Expressions.use(value));
                ofType.add("next" + value.number());
            }
            for (Value value : block.values())
                if (value.operation() != Operation.PARAMETER
                        && (value.type().isNumber() || value.type() == ValueType.CONDITION))
                    names.computeIfAbsent(expressions.type(value), t -> new ArrayList<>())
                            .add(Expressions.use(value));
        }
        List<String> lines = new ArrayList<>();
        names.forEach((type, all) -> lines.add(type + " " + String.join(zero + ", ", all) + zero + ";"));
        return lines;
    }

    private static String shared(KernelCode code, Value array, int position) {
        String type =
                "LOCAL " + Expressions.memory(array.attribute(LocalArray.class).element()) + " *";
        String offset = SharedLayout.isFixed(code)
                ? "" + SharedLayout.fixed(code).offsets().get(position)
                : "layout.at[" + position + "]";
        return type + Expressions.use(array) + " = (" + type + ") (memory + " + offset + ");";
    }

    private static String own(Value value) {
        PrivateArray array = value.attribute(PrivateArray.class);
        return Expressions.memory(array.element()) + " " + Expressions.use(value) + "[" + Math.max(1, array.length())
                + "];";
    }
}
