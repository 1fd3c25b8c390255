package io.penstock.kernel.reach;

import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.function.Function;

/** Bounds of what integer operations compute from bounded operands, where the result is not a linear form of them. */
final class Transfer {
    private Transfer() {}

    /** The bounds of a value of an integer type. */
    static Interval of(Value value, Function<Value, Interval> operands) {
        Interval type = Interval.ofType(value.type());
        Interval result = switch (value.operation()) {
            case MUL -> wrapped(operands.apply(value.operand(0)).times(operands.apply(value.operand(1))), type);
            case DIV -> divide(operands.apply(value.operand(0)), operands.apply(value.operand(1)), type);
            case REM -> remainder(operands.apply(value.operand(0)), operands.apply(value.operand(1)), type);
            case AND -> and(operands.apply(value.operand(0)), operands.apply(value.operand(1)), type);
            case OR, XOR -> or(operands.apply(value.operand(0)), operands.apply(value.operand(1)), type);
            case SHR -> shift(value, operands, false);
            case USHR -> shift(value, operands, true);
            case MIN -> {
                Interval a = operands.apply(value.operand(0));
                Interval b = operands.apply(value.operand(1));
                yield new Interval(Math.min(a.low(), b.low()), Math.min(a.high(), b.high()));
            }
            case MAX -> {
                Interval a = operands.apply(value.operand(0));
                Interval b = operands.apply(value.operand(1));
                yield new Interval(Math.max(a.low(), b.low()), Math.max(a.high(), b.high()));
            }
            case ABS -> {
                Interval a = operands.apply(value.operand(0));
                yield a.fits(value.type()) && a.negated().fits(value.type())
                        ? new Interval(0, Math.max(-a.low(), a.high()))
                        : type;
            }
            case SELECT -> operands.apply(value.operand(1)).hull(operands.apply(value.operand(2)));
            case TO_BYTE -> new Interval(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case TO_SHORT -> new Interval(Short.MIN_VALUE, Short.MAX_VALUE);
            case TO_CHAR -> new Interval(Character.MIN_VALUE, Character.MAX_VALUE);
            default -> type;
        };
        return result.and(type);
    }

    private static Interval wrapped(Interval exact, Interval type) {
        return exact.within(type.low() + 1, type.high() - 1) ? exact : type;
    }

    private static Interval divide(Interval dividend, Interval divisor, Interval type) {
        long by = divisor.low();
        if (by != divisor.high() || by <= 0) return type;
        return new Interval(
                dividend.low() == Interval.NONE_BELOW ? Interval.NONE_BELOW : dividend.low() / by,
                dividend.high() == Interval.NONE_ABOVE ? Interval.NONE_ABOVE : dividend.high() / by);
    }

    private static Interval remainder(Interval dividend, Interval divisor, Interval type) {
        if (divisor.low() <= 0 || divisor.high() == Interval.NONE_ABOVE) return type;
        long most = divisor.high() - 1;
        return new Interval(
                dividend.low() >= 0 ? 0 : Math.max(-most, dividend.low()),
                dividend.high() <= 0 ? 0 : Math.min(most, dividend.high()));
    }

    private static Interval and(Interval a, Interval b, Interval type) {
        if (a.low() >= 0 && b.low() >= 0) return new Interval(0, Math.min(a.high(), b.high()));
        if (a.low() >= 0) return new Interval(0, a.high());
        if (b.low() >= 0) return new Interval(0, b.high());
        return type;
    }

    private static Interval or(Interval a, Interval b, Interval type) {
        if (a.low() < 0 || b.low() < 0) return type;
        long bits = a.high() | b.high();
        return new Interval(0, bits == 0 ? 0 : -1L >>> Long.numberOfLeadingZeros(bits));
    }

    private static Interval shift(Value value, Function<Value, Interval> operands, boolean unsigned) {
        Interval type = Interval.ofType(value.type());
        Interval a = operands.apply(value.operand(0));
        Interval by = operands.apply(value.operand(1));
        if (by.low() != by.high()) return unsigned && a.low() < 0 ? type : a.hull(Interval.of(0));
        long distance = by.low() & (value.type() == ValueType.INT ? 31 : 63);
        if (unsigned && a.low() < 0)
            return distance == 0
                    ? type
                    : new Interval(0, (value.type() == ValueType.INT ? 0xffffffffL : -1L) >>> distance);
        return new Interval(a.low() >> distance, a.high() >> distance);
    }
}
