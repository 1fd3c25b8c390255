package io.penstock.array;

import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.MapBody;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What each operation does to an element, for kernels: in I64, F32 or F64, or in C128 for all complex elements. */
final class OperationFunctions {
    private static final Map<Object, ElementFunction> KNOWN = new ConcurrentHashMap<>();

    private OperationFunctions() {}

    interface DoubleTest extends MapBody {
        boolean test(double a, double b);
    }

    interface FloatTest extends MapBody {
        boolean test(float a, float b);
    }

    interface LongTest extends MapBody {
        boolean test(long a, long b);
    }

    interface ComplexTest extends MapBody {
        boolean test(Complex a, Complex b);
    }

    interface Modulus extends MapBody {
        double of(Complex a);
    }

    private record Key(Enum<?> op, DType type) {}

    /** The function of an operation on two elements in a working type. */
    static ElementFunction of(BinaryOp op, DType type) {
        return KNOWN.computeIfAbsent(
                new Key(op, type),
                k -> ElementFunction.of(
                        switch (type) {
                            case F32 -> op.isComparison() ? floatTest(op) : floats(op);
                            case F64 -> op.isComparison() ? doubleTest(op) : doubles(op);
                            case C64, C128 -> complex(op, type);
                            default -> op.isComparison() ? longTest(op) : longs(op);
                        }));
    }

    /** The function of an operation on one element in a working type. */
    static ElementFunction of(UnaryOp op, DType type) {
        return KNOWN.computeIfAbsent(
                new Key(op, type),
                k -> ElementFunction.of(
                        switch (type) {
                            case F32 -> floats(op);
                            case F64 -> doubles(op);
                            case C64, C128 -> complex(op, type);
                            default -> longs(op);
                        }));
    }

    /** The identity in the type that elements are converted by on their way from one type to another. */
    static ElementFunction identity(DType from, DType to) {
        if (from.isInteger() && to.isInteger()) return of(UnaryOp.CONJUGATE, DType.I64);
        if (to.isComplex() && from.isComplex()) return ElementFunction.of((ComplexBody.OfComplex) a -> a);
        if (from == to && from == DType.F32) return of(UnaryOp.CONJUGATE, DType.F32);
        // By way of doubles a long would lose digits that a float rounds differently.
        return from == DType.I64 ? of(UnaryOp.CONJUGATE, DType.I64) : of(UnaryOp.CONJUGATE, DType.F64);
    }

    private record ChoiceKey(DType.Kind condition, DType type) {}

    /** The second argument where the first, of the type of {@code condition}, is not zero, else the third. */
    static ElementFunction choice(DType condition, DType type) {
        return KNOWN.computeIfAbsent(
                new ChoiceKey(condition.kind(), type),
                k -> ElementFunction.of(
                        switch (condition.kind()) {
                            case INTEGER -> Choice.byWhole(type);
                            case REAL -> Choice.byReal(type);
                            case COMPLEX -> Choice.byComplex(type);
                        }));
    }

    private static MapBody floats(BinaryOp op) {
        return switch (op) {
            case ADD -> (MapBody.OfFloats2) (a, b) -> a + b;
            case SUBTRACT -> (MapBody.OfFloats2) (a, b) -> a - b;
            case MULTIPLY -> (MapBody.OfFloats2) (a, b) -> a * b;
            case DIVIDE -> (MapBody.OfFloats2) (a, b) -> a / b;
            case MINIMUM -> (MapBody.OfFloats2) (a, b) -> Math.min(a, b);
            case MAXIMUM -> (MapBody.OfFloats2) (a, b) -> Math.max(a, b);
            // Of floats first, as which a number or an array of another type counts.
            case POWER -> (MapBody.OfFloats2) (a, b) -> (float) BinaryLoops.power(a, b);
            default -> (MapBody.OfFloats2) (a, b) -> (float) BinaryLoops.remainder(a, b);
        };
    }

    private static MapBody doubles(BinaryOp op) {
        return switch (op) {
            case ADD -> (MapBody.OfDoubles2) (a, b) -> a + b;
            case SUBTRACT -> (MapBody.OfDoubles2) (a, b) -> a - b;
            case MULTIPLY -> (MapBody.OfDoubles2) (a, b) -> a * b;
            case DIVIDE -> (MapBody.OfDoubles2) (a, b) -> a / b;
            case MINIMUM -> (MapBody.OfDoubles2) (a, b) -> Math.min(a, b);
            case MAXIMUM -> (MapBody.OfDoubles2) (a, b) -> Math.max(a, b);
            case POWER -> (MapBody.OfDoubles2) BinaryLoops::power;
            default -> (MapBody.OfDoubles2) BinaryLoops::remainder;
        };
    }

    private static MapBody longs(BinaryOp op) {
        return switch (op) {
            case ADD -> (MapBody.OfLongs2) (a, b) -> a + b;
            case SUBTRACT -> (MapBody.OfLongs2) (a, b) -> a - b;
            case MULTIPLY -> (MapBody.OfLongs2) (a, b) -> a * b;
            case MINIMUM -> (MapBody.OfLongs2) (a, b) -> Math.min(a, b);
            case MAXIMUM -> (MapBody.OfLongs2) (a, b) -> Math.max(a, b);
            case POWER -> (MapBody.OfLongs2) OperationFunctions::power;
            default -> (MapBody.OfLongs2) (a, b) -> Math.floorMod(a, b);
        };
    }

    private static long power(long base, long exponent) {
        if (exponent < 0)
            throw new IllegalArgumentException(
                    "an exponent of whole numbers is negative; convert the base with as(DType.F64) first");
        long result = 1;
        long square = base;
        for (long e = exponent; e > 0; e >>= 1) {
            if ((e & 1) == 1) result *= square;
            square *= square;
        }
        return result;
    }

    private static MapBody complex(BinaryOp op, DType type) {
        return switch (op) {
            case ADD -> (ComplexBody.OfComplex2) (a, b) -> a.plus(b);
            case SUBTRACT -> (ComplexBody.OfComplex2) (a, b) -> a.minus(b);
            case MULTIPLY -> (ComplexBody.OfComplex2) (a, b) -> a.times(b);
            case DIVIDE -> (ComplexBody.OfComplex2) (a, b) -> a.over(b);
            case POWER -> (ComplexBody.OfComplex2) ComplexFunctions::power;
            case EQUAL -> (ComplexTest) (a, b) -> a.re() == b.re() && a.im() == b.im();
            case NOT_EQUAL -> (ComplexTest) (a, b) -> a.re() != b.re() || a.im() != b.im();
            default -> throw new IllegalArgumentException(op + " needs an order, which " + type + " does not have");
        };
    }

    private static MapBody doubleTest(BinaryOp op) {
        return switch (op) {
            case EQUAL -> (DoubleTest) (a, b) -> a == b;
            case NOT_EQUAL -> (DoubleTest) (a, b) -> a != b;
            case LESS -> (DoubleTest) (a, b) -> a < b;
            case LESS_EQUAL -> (DoubleTest) (a, b) -> a <= b;
            case GREATER -> (DoubleTest) (a, b) -> a > b;
            default -> (DoubleTest) (a, b) -> a >= b;
        };
    }

    private static MapBody floatTest(BinaryOp op) {
        return switch (op) {
            case EQUAL -> (FloatTest) (a, b) -> a == b;
            case NOT_EQUAL -> (FloatTest) (a, b) -> a != b;
            case LESS -> (FloatTest) (a, b) -> a < b;
            case LESS_EQUAL -> (FloatTest) (a, b) -> a <= b;
            case GREATER -> (FloatTest) (a, b) -> a > b;
            default -> (FloatTest) (a, b) -> a >= b;
        };
    }

    private static MapBody longTest(BinaryOp op) {
        return switch (op) {
            case EQUAL -> (LongTest) (a, b) -> a == b;
            case NOT_EQUAL -> (LongTest) (a, b) -> a != b;
            case LESS -> (LongTest) (a, b) -> a < b;
            case LESS_EQUAL -> (LongTest) (a, b) -> a <= b;
            case GREATER -> (LongTest) (a, b) -> a > b;
            default -> (LongTest) (a, b) -> a >= b;
        };
    }

    private static MapBody floats(UnaryOp op) {
        return switch (op) {
            case NEGATE -> (MapBody.OfFloat) a -> -a;
            case ABSOLUTE -> (MapBody.OfFloat) a -> Math.abs(a);
            case CONJUGATE -> (MapBody.OfFloat) a -> a;
            default -> doubles(op);
        };
    }

    private static MapBody doubles(UnaryOp op) {
        return switch (op) {
            case NEGATE -> (MapBody.OfDouble) a -> -a;
            case ABSOLUTE -> (MapBody.OfDouble) a -> Math.abs(a);
            case SIGN -> (MapBody.OfDouble) a -> a > 0 ? 1 : a < 0 ? -1 : a;
            case CONJUGATE -> (MapBody.OfDouble) a -> a;
            case FLOOR -> (MapBody.OfDouble) a -> Math.floor(a);
            case CEIL -> (MapBody.OfDouble) a -> Math.ceil(a);
            case ROUND -> (MapBody.OfDouble) a -> Math.rint(a);
            case SQRT -> (MapBody.OfDouble) a -> Math.sqrt(a);
            case EXP -> (MapBody.OfDouble) a -> Math.exp(a);
            case LOG -> (MapBody.OfDouble) a -> Math.log(a);
            case SIN -> (MapBody.OfDouble) a -> Math.sin(a);
            case COS -> (MapBody.OfDouble) a -> Math.cos(a);
            case TANH -> (MapBody.OfDouble) a -> Math.tanh(a);
        };
    }

    private static MapBody longs(UnaryOp op) {
        return switch (op) {
            case NEGATE -> (MapBody.OfLong) a -> -a;
            case ABSOLUTE -> (MapBody.OfLong) a -> a < 0 ? -a : a;
            case SIGN -> (MapBody.OfLong) a -> a > 0 ? 1 : a < 0 ? -1 : 0;
            default -> (MapBody.OfLong) a -> a;
        };
    }

    private static MapBody complex(UnaryOp op, DType type) {
        return switch (op) {
            case NEGATE -> (ComplexBody.OfComplex) a -> a.negate();
            case ABSOLUTE -> (Modulus) a -> a.abs();
            case SIGN -> (ComplexBody.OfComplex) ComplexFunctions::sign;
            case CONJUGATE -> (ComplexBody.OfComplex) a -> a.conjugate();
            case SQRT -> (ComplexBody.OfComplex) ComplexFunctions::sqrt;
            case EXP -> (ComplexBody.OfComplex) ComplexFunctions::exp;
            case LOG -> (ComplexBody.OfComplex) ComplexFunctions::log;
            case SIN -> (ComplexBody.OfComplex) ComplexFunctions::sin;
            case COS -> (ComplexBody.OfComplex) ComplexFunctions::cos;
            case TANH -> (ComplexBody.OfComplex) ComplexFunctions::tanh;
            case ROUND -> (ComplexBody.OfComplex) a -> new Complex(Math.rint(a.re()), Math.rint(a.im()));
            case FLOOR, CEIL ->
                throw new IllegalArgumentException(op + " needs an order, which " + type + " does not have");
        };
    }
}
