package io.penstock.kernel.c;

import io.penstock.kernel.ir.Atomic;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.MathFunction;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Values of the intermediate form as expressions of C. */
final class Expressions {
    private final Dialect dialect;
    private final KernelCode code;
    private final Variant variant;
    private final Exactness exact;

    Expressions(Dialect dialect, KernelCode code, Variant variant, Exactness exact) {
        this.dialect = dialect;
        this.code = code;
        this.variant = variant;
        this.exact = exact;
    }

    /** The type of the variable that holds a value. */
    String type(Value value) {
        return value.type() == ValueType.LONG && variant.isNarrow(value) ? "i32" : type(value.type());
    }

    private Variant.OfView known(Parameter view) {
        return variant.known(code, view);
    }

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
        return word(parameter.name()) + "_" + parameter.index();
    }

    /** A name with what C does not take in names replaced. */
    static String word(String name) {
        char[] all = name.toCharArray();
        for (int k = 0; k < all.length; k++) {
            char c = all[k];
            boolean taken = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!taken) all[k] = '_';
        }
        return new String(all);
    }

    /** A value where it is used. */
    static String use(Value value) {
        return switch (value.operation()) {
            case CONSTANT -> literal(value);
            case PARAMETER -> name(value.parameter());
            case LOCAL_ARRAY -> "shared" + value.number();
            case PRIVATE_ARRAY -> "own" + value.number();
            default -> "v" + value.number();
        };
    }

    /** A number as the 64 bits of a failure record. */
    static String bits(Value value) {
        return switch (value.type()) {
            case FLOAT -> "(i64) F2BITS(" + use(value) + ")";
            case DOUBLE -> "D2BITS(" + use(value) + ")";
            default -> use(value);
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
    String compute(Value value) {
        String a = value.operands().isEmpty() ? "" : use(value.operand(0));
        String b = value.operands().size() < 2 ? "" : use(value.operand(1));
        return switch (value.operation()) {
            case ITEM_X -> "x";
            case ITEM_Y -> "y";
            case ITEM_Z -> "z";
            case LOCAL_X -> "THREAD(x)";
            case LOCAL_Y -> "THREAD(y)";
            case LOCAL_Z -> "THREAD(z)";
            case GROUP_X -> "groupX";
            case GROUP_Y -> "groupY";
            case GROUP_Z -> "groupZ";
            case QUERY -> query(value);
            case SELECT -> a + " ? " + b + " : " + use(value.operand(2));
            case CONVERT -> convert(value.operand(0).type(), value, a);
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
            case GROUP_SIZE_X -> shape + ".groupX";
            case GROUP_SIZE_Y -> shape + ".groupY";
            case GROUP_SIZE_Z -> shape + ".groupZ";
            case GROUPS_X -> shape + ".groupsX";
            case GROUPS_Y -> shape + ".groupsY";
            case GROUPS_Z -> shape + ".groupsZ";
        };
    }

    private String convert(ValueType from, Value to, String a) {
        if (isInSingle(to)) return single(to.operand(0));
        if (from.isInteger() || !to.type().isInteger()) return "(" + type(to) + ") " + a;
        return (to.type() == ValueType.INT ? "toInt(" : "toLong(") + a + ")";
    }

    /** Whether a function of floats is wanted as a float, and may be computed as one. */
    private boolean isInSingle(Value to) {
        return variant.fast()
                && to.type() == ValueType.FLOAT
                && to.operand(0).operation() == Operation.MATH
                && to.operand(0).operands().stream()
                        .allMatch(given -> given.operation() == Operation.CONVERT
                                && given.operand(0).type() == ValueType.FLOAT);
    }

    private String single(Value math) {
        return (dialect == Dialect.CUDA
                        ? math.attribute(MathFunction.class).name() + "f("
                        : math.attribute(MathFunction.class).name() + "(")
                + math.operands().stream().map(given -> use(given.operand(0))).collect(Collectors.joining(", "))
                + ")";
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
    private String integer(Value value, String a, String b) {
        boolean wide = value.type() == ValueType.LONG && !inHalf(value);
        String signed = wide ? "i64" : "i32";
        String unsigned = wide ? "u64" : "u32";
        String count = "(" + b + " & " + (wide ? 63 : 31) + ")";
        String ua = "(" + unsigned + ") " + a;
        String ub = "(" + unsigned + ") " + b;
        if (!wide && exact.of(value)) {
            ua = "(i32) " + a;
            ub = "(i32) " + b;
        }
        return switch (value.operation()) {
            case ADD -> "(" + signed + ") (" + ua + " + " + ub + ")";
            case SUB -> "(" + signed + ") (" + ua + " - " + ub + ")";
            case MUL -> "(" + signed + ") (" + ua + " * " + ub + ")";
            case NEG -> "(" + signed + ") ((" + unsigned + ") 0 - " + ua + ")";
            case ABS -> (wide ? "abs64(" : "abs32(") + a + ")";
            case DIV -> (wide ? "div64(" : "div32(") + a + ", " + b + ")";
            case REM -> (wide ? "rem64(" : "rem32(") + a + ", " + b + ")";
            case AND -> a + " & " + b;
            case OR -> a + " | " + b;
            case XOR -> a + " ^ " + b;
            case SHL -> "(" + signed + ") ((" + unsigned + ") " + a + " << " + count + ")";
            // What is held in 32 bits is shifted as what it is, by 32 and more too.
            case SHR -> "(" + signed + ") " + a + " >> " + count;
            case USHR -> "(" + signed + ") (" + ua + " >> " + count + ")";
            case MIN -> a + " < " + b + " ? " + a + " : " + b;
            case MAX -> a + " > " + b + " ? " + a + " : " + b;
            default -> throw new IllegalArgumentException(value.operation() + " of integers");
        };
    }

    /**
     * Whether an operation on 64 bits gives the same in 32, since operands and result fit. A shift does only by a distance that
     * is known to be small; an unsigned one never.
     */
    private boolean inHalf(Value value) {
        if (!variant.isNarrow(value) || !value.operands().stream().allMatch(variant::isNarrow)) return false;
        return switch (value.operation()) {
            case SHL, SHR -> {
                Value by = value.operand(1);
                yield by.isInteger() && by.integer() >= 0 && by.integer() < 32;
            }
            case USHR -> false;
            default -> true;
        };
    }

    private String floating(Value value, String a, String b) {
        boolean single = value.type() == ValueType.FLOAT;
        return switch (value.operation()) {
            case ADD -> a + " + " + b;
            case SUB -> a + " - " + b;
            case MUL -> variant.fast() ? a + " * " + b : (single ? "FMUL(" : "DMUL(") + a + ", " + b + ")";
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
    String place(Value access) {
        Element element = Objects.requireNonNull(access.array().element());
        List<String> terms = terms(access);
        String index = String.join(" + ", terms);
        String array = access.isGlobal() ? name(access.array().parameter()) : use(access.array());
        if (element.parts() == 1) return array + "[" + index + "]";
        return array + "[2 * (" + index + ") + " + access.attribute(Integer.class) + "]";
    }

    /** A number that is known to fit 32 bits, in which distances are computed sooner. */
    private String narrowed(Value value) {
        return (variant.isNarrow(value) ? "" : "(i32) ") + use(value);
    }

    /** The distances whose sum leads to an element. Whoever comes here has an index inside, by proof or by a test. */
    private List<String> terms(Value access) {
        List<Value> indices = access.indices();
        int count = indices.size();
        List<String> terms = new ArrayList<>();
        if (!access.isGlobal()) {
            for (int k = 0; k < count; k++) {
                StringBuilder term = new StringBuilder(narrowed(indices.get(k)));
                for (int j = k + 1; j < count; j++)
                    term.append(" * ").append(narrowed(access.array().operand(j)));
                terms.add(term.toString());
            }
            return terms;
        }
        Parameter view = access.array().parameter();
        Variant.OfView known = known(view);
        String shape = name(view) + "_shape";
        for (int k = 0; k < count; k++) {
            String index = known.narrow() ? narrowed(indices.get(k)) : "(i64) " + use(indices.get(k));
            boolean last = k == count - 1;
            if (last && known.adjacent()) terms.add(index);
            else if (count == 1) terms.add(index + " * " + shape + ".flatStride");
            else terms.add(index + " * " + shape + ".stride[" + (count - 1 - k) + "]");
        }
        return terms;
    }

    /**
     * Conditions of which one holds where an access would be outside.
     *
     * @param trusting whether indices are left out that are known to be inside for all items
     */
    List<Check> outside(Value access, boolean trusting) {
        List<Value> indices = access.indices();
        List<Check> checks = new ArrayList<>();
        List<String> extents = extents(access);
        boolean counted = !access.isGlobal()
                || indices.size() == 1
                || known(access.array().parameter()).dimensions() == indices.size();
        if (!counted && !(trusting && IntStream.range(0, indices.size()).allMatch(k -> variant.isProved(access, k))))
            checks.add(
                    new Check.Condition(name(access.array().parameter()) + "_shape.dimensions != " + indices.size()));
        for (int k = 0; k < indices.size(); k++) {
            if (trusting && variant.isProved(access, k)) continue;
            boolean narrow = variant.isNarrow(indices.get(k))
                    && (access.isGlobal()
                            ? known(access.array().parameter()).narrow()
                            : access.array().operands().stream().allMatch(variant::isNarrow));
            checks.add(new Check.Outside(
                    indices.get(k),
                    narrow ? "(u32) " : "(u64) ",
                    extents.get(k),
                    access.isGlobal() ? List.of() : access.array().operands(),
                    variant.isNarrow(indices.get(k))));
        }
        return checks;
    }

    private List<String> extents(Value access) {
        int count = access.indices().size();
        List<String> extents = new ArrayList<>();
        if (access.isGlobal()) {
            Parameter view = access.array().parameter();
            // A cast that spares making 64 bits of 32 with their sign, of which there is none.
            String shape = (known(view).narrow() ? "(u32) " : "") + name(view) + "_shape";
            for (int k = count - 1; k >= 0; k--)
                extents.add(count == 1 ? shape + ".flat" : shape + ".extent[" + k + "]");
            return extents;
        }
        if (access.array().operation() == Operation.PRIVATE_ARRAY)
            return List.of("" + access.array().attribute(PrivateArray.class).length());
        for (Value extent : access.array().operands()) extents.add(use(extent));
        return count == extents.size() ? extents : List.of("(" + String.join(" * ", extents) + ")");
    }

    /** What an atomic change gives. */
    String change(Value value) {
        Element element = Objects.requireNonNull(value.array().element());
        Atomic atomic = value.attribute(Atomic.class);
        List<Value> given = value.operands()
                .subList(1 + value.indices().size(), value.operands().size());
        String at = "&" + place(value);
        String first = use(given.getFirst());
        String space = value.isGlobal() ? "Global" : "Local";
        boolean wide = element.bytes() == 8;
        if (element.type().isInteger()) {
            String suffix = wide ? "64(" : "32(";
            return switch (atomic) {
                case EXCHANGE -> "exchange" + suffix + at + ", " + first + ")";
                case COMPARE_EXCHANGE -> "compare" + suffix + at + ", " + first + ", " + use(given.get(1)) + ")";
                default -> atomic.name().toLowerCase(Locale.ROOT) + suffix + at + ", " + first + ")";
            };
        }
        if (atomic != Atomic.EXCHANGE)
            return atomic.name().toLowerCase(Locale.ROOT) + space + (wide ? "D(" : "F(") + at + ", " + first + ")";
        String cast = "(" + space.toUpperCase(Locale.ROOT) + (wide ? " i64 *) (" : " i32 *) (") + at + "), ";
        return wide
                ? "BITS2D(exchange64(" + cast + "D2BITS(" + first + ")))"
                : "BITS2F(exchange32(" + cast + "F2BITS(" + first + ")))";
    }

    /** Whether a value is an integer division whose divisor may be zero. */
    static boolean mayDivideByZero(Value value) {
        return (value.operation() == Operation.DIV || value.operation() == Operation.REM) && value.hasEffect();
    }
}
