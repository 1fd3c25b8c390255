package io.penstock.kernel.c;

import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.MathFunction;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Values of the intermediate form as expressions of C. */
final class Expressions {
    private Expressions() {}

    static String type(ValueType type) {
        return switch (type) {
            case INT, CONDITION -> "i32";
            case LONG -> "i64";
            case FLOAT -> "float";
            case DOUBLE -> "double";
            default -> throw new IllegalArgumentException("no type of C for " + type);
        };
    }

    /** The type of what memory holds, or of a complex element's parts. */
    static String memory(Element element) {
        return element == Element.BYTE ? "signed char" : type(element.type());
    }

    /** The name of an argument: its name in Java with its position, which keeps clear of C's words. */
    static String name(Parameter parameter) {
        return parameter.name().replaceAll("[^A-Za-z0-9_]", "_") + "_" + parameter.index();
    }

    /** A value where it is used. */
    static String use(Value value) {
        return switch (value.operation()) {
            case CONSTANT -> literal(value);
            case PARAMETER -> name(value.parameter());
            default -> "v" + value.number();
        };
    }

    private static String literal(Value value) {
        return switch (value.attribute(Object.class)) {
            case Integer i -> i == Integer.MIN_VALUE ? "(-2147483647 - 1)" : i < 0 ? "(" + i + ")" : "" + i;
            case Long l -> "(i64) " + (l == Long.MIN_VALUE ? "(-0x7fffffffffffffff - 1)" : "(" + l + ")");
            case Float f when Float.isFinite(f) -> f + "f";
            case Float f -> "BITS2F(" + Float.floatToRawIntBits(f) + ")";
            case Double d when Double.isFinite(d) -> d.toString();
            case Double d -> "BITS2D((i64) " + Double.doubleToRawLongBits(d) + ")";
            case Boolean b -> b ? "1" : "0";
            default -> throw new IllegalArgumentException(value + " is no literal of C");
        };
    }

    /** What computes a value that is neither a load nor a store. */
    static String compute(Value value) {
        String a = value.operands().isEmpty() ? "" : use(value.operand(0));
        String b = value.operands().size() < 2 ? "" : use(value.operand(1));
        return switch (value.operation()) {
            case ITEM_X -> "x";
            case ITEM_Y -> "y";
            case ITEM_Z -> "z";
            case QUERY -> query(value);
            case SELECT -> a + " ? " + b + " : " + use(value.operand(2));
            case CONVERT -> convert(value.operand(0).type(), value.type(), a);
            case BITS -> bits(value.operand(0).type()) + "(" + a + ")";
            case TO_BYTE -> "(i32) (signed char) " + a;
            case TO_SHORT -> "(i32) (short) " + a;
            case TO_CHAR -> a + " & 0xffff";
            case MATH -> {
                List<String> arguments = new ArrayList<>();
                for (Value operand : value.operands()) arguments.add(use(operand));
                yield value.attribute(MathFunction.class).name() + "(" + String.join(", ", arguments) + ")";
            }
            case EQ -> a + " == " + b;
            case NE -> a + " != " + b;
            case LT -> a + " < " + b;
            case LE -> a + " <= " + b;
            case GT -> a + " > " + b;
            case GE -> a + " >= " + b;
            default -> value.type().isInteger() ? integer(value, a, b) : floating(value, a, b);
        };
    }

    private static String query(Value value) {
        Query query = value.attribute(Query.class);
        String shape = query.ofRange() ? "sizes" : name(value.operand(0).parameter()) + "_shape";
        return switch (query) {
            case SIZE_X -> shape + ".x";
            case SIZE_Y -> shape + ".y";
            case SIZE_Z -> shape + ".z";
            case COLUMNS -> shape + ".extent[0]";
            case ROWS -> shape + ".extent[1]";
            case PLANES -> shape + ".extent[2]";
            case LENGTH -> shape + ".length";
            case DIMENSIONS -> "(i32) " + shape + ".dimensions";
            case EXTENT_0 -> shape + ".extent[" + shape + ".dimensions - 1]";
            case EXTENT_1 -> shape + ".extent[" + shape + ".dimensions - 2]";
            case EXTENT_2 -> shape + ".extent[" + shape + ".dimensions - 3]";
            default -> throw new IllegalArgumentException(query + " is not written out yet");
        };
    }

    private static String convert(ValueType from, ValueType to, String a) {
        if (from.isInteger() || !to.isInteger()) return "(" + type(to) + ") " + a;
        return (to == ValueType.INT ? "toInt(" : "toLong(") + a + ")";
    }

    private static String bits(ValueType from) {
        return switch (from) {
            case INT -> "BITS2F";
            case LONG -> "BITS2D";
            case FLOAT -> "F2BITS";
            default -> "D2BITS";
        };
    }

    /** Wraps around through unsigned numbers, since C leaves signed overflow undefined. */
    private static String integer(Value value, String a, String b) {
        boolean wide = value.type() == ValueType.LONG;
        String signed = wide ? "i64" : "i32";
        String unsigned = wide ? "u64" : "u32";
        String count = "(" + b + " & " + (wide ? 63 : 31) + ")";
        String ua = "(" + unsigned + ") " + a;
        String ub = "(" + unsigned + ") " + b;
        return switch (value.operation()) {
            case ADD -> "(" + signed + ") (" + ua + " + " + ub + ")";
            case SUB -> "(" + signed + ") (" + ua + " - " + ub + ")";
            case MUL -> "(" + signed + ") (" + ua + " * " + ub + ")";
            case NEG -> "(" + signed + ") ((" + unsigned + ") 0 - " + ua + ")";
            case ABS -> a + " < 0 ? (" + signed + ") ((" + unsigned + ") 0 - " + ua + ") : " + a;
            case DIV -> (wide ? "div64(" : "div32(") + a + ", " + b + ")";
            case REM -> (wide ? "rem64(" : "rem32(") + a + ", " + b + ")";
            case AND -> a + " & " + b;
            case OR -> a + " | " + b;
            case XOR -> a + " ^ " + b;
            case SHL -> "(" + signed + ") (" + ua + " << " + count + ")";
            case SHR -> a + " >> " + count;
            case USHR -> "(" + signed + ") (" + ua + " >> " + count + ")";
            case MIN -> a + " < " + b + " ? " + a + " : " + b;
            case MAX -> a + " > " + b + " ? " + a + " : " + b;
            default -> throw new IllegalArgumentException(value.operation() + " of integers");
        };
    }

    private static String floating(Value value, String a, String b) {
        boolean single = value.type() == ValueType.FLOAT;
        return switch (value.operation()) {
            case ADD -> a + " + " + b;
            case SUB -> a + " - " + b;
            case MUL -> (single ? "FMUL(" : "DMUL(") + a + ", " + b + ")";
            case DIV -> a + " / " + b;
            case REM -> (single ? "FREM(" : "fmod(") + a + ", " + b + ")";
            case NEG -> "-" + a;
            case ABS -> single ? "BITS2F(F2BITS(" + a + ") & 0x7fffffff)" : "fabs(" + a + ")";
            case SQRT -> single ? "FSQRT(" + a + ")" : "sqrt(" + a + ")";
            case FMA -> (single ? "FFMA(" : "fma(") + a + ", " + b + ", " + use(value.operand(2)) + ")";
            case MIN -> (single ? "minF(" : "minD(") + a + ", " + b + ")";
            case MAX -> (single ? "maxF(" : "maxD(") + a + ", " + b + ")";
            default -> throw new IllegalArgumentException(value.operation() + " of floating-point numbers");
        };
    }

    /** Where an access goes, as an expression that can be assigned to. */
    static String place(Value access) {
        Parameter view = access.operand(0).parameter();
        Element element = Objects.requireNonNull(view.element());
        String shape = name(view) + "_shape";
        List<String> terms = new ArrayList<>();
        List<Value> indices = access.indices();
        if (indices.size() == 1) terms.add(use(indices.getFirst()) + " * " + shape + ".flatStride");
        else
            for (int k = 0; k < indices.size(); k++)
                terms.add(use(indices.get(k)) + " * " + shape + ".stride[" + (indices.size() - 1 - k) + "]");
        String index = String.join(" + ", terms);
        if (element.parts() == 1) return name(view) + "[" + index + "]";
        return name(view) + "[2 * (" + index + ") + " + access.attribute(Integer.class) + "]";
    }

    /** A condition that holds where an access would be outside. */
    static String outside(Value access) {
        String shape = name(access.operand(0).parameter()) + "_shape";
        List<Value> indices = access.indices();
        if (indices.size() == 1) return "(u64) " + use(indices.getFirst()) + " >= (u64) " + shape + ".flat";
        List<String> tests = new ArrayList<>();
        tests.add(shape + ".dimensions != " + indices.size());
        for (int k = 0; k < indices.size(); k++)
            tests.add("(u64) " + use(indices.get(k)) + " >= (u64) " + shape + ".extent[" + (indices.size() - 1 - k)
                    + "]");
        return String.join(" || ", tests);
    }

    /** Whether a value is an integer division whose divisor may be zero. */
    static boolean mayDivideByZero(Value value) {
        return (value.operation() == Operation.DIV || value.operation() == Operation.REM) && value.hasEffect();
    }
}
