package io.penstock.kernel.ir;

import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Java's boxes of numbers, as parameters: records of one number, which methods like {@code doubleValue} give. */
final class Boxes {
    private static final Map<String, ValueType> NUMBERS = Map.of(
            "java/lang/Boolean", ValueType.INT,
            "java/lang/Byte", ValueType.INT,
            "java/lang/Short", ValueType.INT,
            "java/lang/Character", ValueType.INT,
            "java/lang/Integer", ValueType.INT,
            "java/lang/Long", ValueType.LONG,
            "java/lang/Float", ValueType.FLOAT,
            "java/lang/Double", ValueType.DOUBLE);

    private Boxes() {}

    /** The shape of a class, by its internal name; null when it is no box. */
    static @Nullable RecordShape shape(String type) {
        ValueType number = NUMBERS.get(type);
        return number == null ? null : new RecordShape(type, List.of(new RecordShape.Component("value", number, null)));
    }

    static boolean is(Value value) {
        return value.operation() == Operation.RECORD
                && NUMBERS.containsKey(value.attribute(RecordShape.class).type());
    }

    /** What a box's method gives; null when it does more than give the number, as the type asked for. */
    static @Nullable Value give(Emission emission, Value box, String name, MethodTypeDesc type) {
        if (!name.endsWith("Value") || type.parameterCount() > 0) return null;
        TypeKind asked = TypeKind.from(type.returnType());
        Value number = box.operand(0);
        ValueType wanted = FrameState.type(asked);
        Value whole = number.type() == wanted ? number : emission.add(Operation.CONVERT, wanted, number);
        return switch (asked) {
            case BYTE -> emission.add(Operation.TO_BYTE, ValueType.INT, whole);
            case SHORT -> emission.add(Operation.TO_SHORT, ValueType.INT, whole);
            default -> whole;
        };
    }
}
