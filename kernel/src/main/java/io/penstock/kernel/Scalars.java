package io.penstock.kernel;

import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Java's widening of one number type to another, where it loses nothing. */
final class Scalars {
    private Scalars() {}

    /** Whether a type is one of the boxes of primitives, such as {@code Integer}. */
    static boolean isBox(Class<?> type) {
        return type != Void.class && MethodType.methodType(type).hasWrappers();
    }

    /**
     * The value as a parameter's type, or null when its type does not widen to that, or not without losing digits.
     *
     * @param parameter a primitive type or its box
     */
    static @Nullable Object widen(Object value, Class<?> parameter) {
        if (parameter == double.class && value instanceof Double) return value;
        if (parameter == float.class && value instanceof Float) return value;
        if (parameter == long.class && value instanceof Long) return value;
        if (parameter == int.class && value instanceof Integer) return value;
        Class<?> type = MethodType.methodType(parameter).wrap().returnType();
        if (type.isInstance(value)) return value;
        return switch (value) {
            case Byte b when type == Short.class -> (short) b;
            case Byte b when type == Integer.class -> (int) b;
            case Short s when type == Integer.class -> (int) s;
            case Character c when type == Integer.class -> (int) c;
            case Byte b -> fromLong(b, type);
            case Short s -> fromLong(s, type);
            case Character c -> fromLong(c, type);
            case Integer i -> fromLong(i, type);
            case Long l -> fromLong(l, type);
            case Float f when type == Double.class -> (double) f;
            default -> null;
        };
    }

    private static @Nullable Object fromLong(long value, Class<?> type) {
        if (type == Long.class) return value;
        if (type == Float.class && fits((float) value, value)) return (float) value;
        if (type == Double.class && fits((double) value, value)) return (double) value;
        return null;
    }

    /** Whether a rounded value is the value; 2^63 is excluded because the cast back saturates. */
    private static boolean fits(double rounded, long value) {
        return rounded < 0x1p63 && (long) rounded == value;
    }
}
