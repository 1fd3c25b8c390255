package io.penstock.kernel.ir;

import java.util.List;

/** The operations on numbers as Java computes them, one at a time: slow, and plain to see. */
public final class Arithmetic {
    private Arithmetic() {}

    /**
     * What a value without effects is, given its operands. Conditions are {@code Boolean}.
     *
     * @throws ArithmeticException when an integer is divided by zero
     * @throws IllegalArgumentException when the operation is not one on numbers
     */
    public static Object evaluate(Value value, List<Object> operands) {
        Object first = operands.isEmpty() ? 0 : operands.getFirst();
        return switch (value.operation()) {
            case SELECT -> (Boolean) first ? operands.get(1) : operands.get(2);
            case CONVERT -> convert((Number) first, value.type());
            case BITS -> bits(first);
            case TO_BYTE -> (int) (byte) (int) (Integer) first;
            case TO_SHORT -> (int) (short) (int) (Integer) first;
            case TO_CHAR -> (int) (char) (int) (Integer) first;
            case MATH -> math(value.attribute(MathFunction.class), operands);
            case EQ, NE, LT, LE, GT, GE -> compare(value.operation(), first, operands.get(1));
            default ->
                switch (first) {
                    case Integer a -> ints(value.operation(), a, operands);
                    case Long a -> longs(value.operation(), a, operands);
                    case Float a -> floats(value.operation(), a, operands);
                    case Double a -> doubles(value.operation(), a, operands);
                    default -> throw new IllegalArgumentException(first + " is no number");
                };
        };
    }

    private static Object convert(Number from, ValueType to) {
        return switch (to) {
            case INT ->
                switch (from) {
                    case Float f -> (int) (float) f;
                    case Double d -> (int) (double) d;
                    default -> from.intValue();
                };
            case LONG ->
                switch (from) {
                    case Float f -> (long) (float) f;
                    case Double d -> (long) (double) d;
                    default -> from.longValue();
                };
            case FLOAT -> from.floatValue();
            case DOUBLE -> from.doubleValue();
            default -> throw new IllegalArgumentException("no conversion to " + to);
        };
    }

    private static Object bits(Object from) {
        return switch (from) {
            case Integer i -> Float.intBitsToFloat(i);
            case Long l -> Double.longBitsToDouble(l);
            case Float f -> Float.floatToRawIntBits(f);
            case Double d -> Double.doubleToRawLongBits(d);
            default -> throw new IllegalArgumentException(from + " has no bits");
        };
    }

    private static boolean compare(Operation operation, Object first, Object second) {
        if (first instanceof Integer || first instanceof Long) {
            int order = Long.compare(((Number) first).longValue(), ((Number) second).longValue());
            return switch (operation) {
                case EQ -> order == 0;
                case NE -> order != 0;
                case LT -> order < 0;
                case LE -> order <= 0;
                case GT -> order > 0;
                default -> order >= 0;
            };
        }
        double a = ((Number) first).doubleValue();
        double b = ((Number) second).doubleValue();
        return switch (operation) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            default -> a >= b;
        };
    }

    private static Object ints(Operation operation, int a, List<Object> operands) {
        int b = operands.size() > 1 ? ((Number) operands.get(1)).intValue() : 0;
        return switch (operation) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REM -> a % b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case SHL -> a << b;
            case SHR -> a >> b;
            case USHR -> a >>> b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            default -> throw new IllegalArgumentException(operation + " of int");
        };
    }

    private static Object longs(Operation operation, long a, List<Object> operands) {
        long b = operands.size() > 1 ? ((Number) operands.get(1)).longValue() : 0;
        return switch (operation) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REM -> a % b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case SHL -> a << b;
            case SHR -> a >> b;
            case USHR -> a >>> b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            default -> throw new IllegalArgumentException(operation + " of long");
        };
    }

    private static Object floats(Operation operation, float a, List<Object> operands) {
        float b = operands.size() > 1 ? (Float) operands.get(1) : 0;
        return switch (operation) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REM -> a % b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            case SQRT -> (float) Math.sqrt(a);
            case FMA -> Math.fma(a, b, (Float) operands.get(2));
            default -> throw new IllegalArgumentException(operation + " of float");
        };
    }

    private static Object doubles(Operation operation, double a, List<Object> operands) {
        double b = operands.size() > 1 ? (Double) operands.get(1) : 0;
        return switch (operation) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REM -> a % b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            case SQRT -> Math.sqrt(a);
            case FMA -> Math.fma(a, b, (Double) operands.get(2));
            default -> throw new IllegalArgumentException(operation + " of double");
        };
    }

    private static double math(MathFunction function, List<Object> operands) {
        double a = (Double) operands.getFirst();
        double b = function.arguments() > 1 ? (Double) operands.get(1) : 0;
        boolean strict = function.strict();
        return switch (function.name()) {
            case "sin" -> strict ? StrictMath.sin(a) : Math.sin(a);
            case "cos" -> strict ? StrictMath.cos(a) : Math.cos(a);
            case "tan" -> strict ? StrictMath.tan(a) : Math.tan(a);
            case "asin" -> strict ? StrictMath.asin(a) : Math.asin(a);
            case "acos" -> strict ? StrictMath.acos(a) : Math.acos(a);
            case "atan" -> strict ? StrictMath.atan(a) : Math.atan(a);
            case "atan2" -> strict ? StrictMath.atan2(a, b) : Math.atan2(a, b);
            case "sinh" -> strict ? StrictMath.sinh(a) : Math.sinh(a);
            case "cosh" -> strict ? StrictMath.cosh(a) : Math.cosh(a);
            case "tanh" -> strict ? StrictMath.tanh(a) : Math.tanh(a);
            case "exp" -> strict ? StrictMath.exp(a) : Math.exp(a);
            case "expm1" -> strict ? StrictMath.expm1(a) : Math.expm1(a);
            case "log" -> strict ? StrictMath.log(a) : Math.log(a);
            case "log10" -> strict ? StrictMath.log10(a) : Math.log10(a);
            case "log1p" -> strict ? StrictMath.log1p(a) : Math.log1p(a);
            case "pow" -> strict ? StrictMath.pow(a, b) : Math.pow(a, b);
            case "cbrt" -> strict ? StrictMath.cbrt(a) : Math.cbrt(a);
            case "hypot" -> strict ? StrictMath.hypot(a, b) : Math.hypot(a, b);
            case "floor" -> Math.floor(a);
            case "ceil" -> Math.ceil(a);
            case "rint" -> Math.rint(a);
            default -> throw new IllegalArgumentException("no function " + function);
        };
    }
}
