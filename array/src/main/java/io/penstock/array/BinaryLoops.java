package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** The loop of each operation on two contiguous stretches of I64, F32, F64, C64 or C128. */
final class BinaryLoops {
    private BinaryLoops() {}

    private interface DoubleTest {
        boolean test(double a, double b);
    }

    private interface LongTest {
        boolean test(long a, long b);
    }

    static Elementwise.BinaryLoop of(BinaryOp op, DType type) {
        return switch (type.kind()) {
            case INTEGER -> op.isComparison() ? compareWhole(longTest(op)) : whole(longOperator(op));
            case REAL -> op.isComparison() ? compareReal(type, doubleTest(op)) : real(op, type);
            case COMPLEX -> complex(op, type);
        };
    }

    private static Elementwise.BinaryLoop real(BinaryOp op, DType type) {
        RealLoops loops = Provider.CHOSEN.loops(type);
        return switch (op) {
            case ADD -> loops::add;
            case SUBTRACT -> loops::subtract;
            case MULTIPLY -> loops::multiply;
            case DIVIDE -> loops::divide;
            case MINIMUM -> loops::min;
            case MAXIMUM -> loops::max;
            case POWER -> each(type, BinaryLoops::power);
            default -> each(type, BinaryLoops::remainder);
        };
    }

    /** What is left of {@code a} after dividing by {@code b}, with the sign of {@code b}. */
    static double remainder(double a, double b) {
        double r = a % b;
        if (r == 0) return Math.copySign(0, b);
        return r < 0 != b < 0 ? r + b : r;
    }

    private static Elementwise.BinaryLoop each(DType type, DoubleBinaryOperator f) {
        long bytes = type.bytes();
        return (z, x, y, n) -> {
            for (long i = 0; i < n * bytes; i += bytes)
                Elements.set(type, z + i, f.applyAsDouble(Elements.re(type, x + i), Elements.re(type, y + i)), 0);
        };
    }

    private static long whole(long address) {
        return HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    private static Elementwise.BinaryLoop whole(LongBinaryOperator f) {
        return (z, x, y, n) -> {
            for (long i = 0; i < 8 * n; i += 8)
                HostMemory.ALL.set(JAVA_LONG_UNALIGNED, z + i, f.applyAsLong(whole(x + i), whole(y + i)));
        };
    }

    private static Elementwise.BinaryLoop compareWhole(LongTest test) {
        return (z, x, y, n) -> {
            for (long i = 0; i < n; i++)
                HostMemory.ALL.set(JAVA_BYTE, z + i, (byte) (test.test(whole(x + 8 * i), whole(y + 8 * i)) ? 1 : 0));
        };
    }

    private static Elementwise.BinaryLoop compareReal(DType type, DoubleTest test) {
        long bytes = type.bytes();
        return (z, x, y, n) -> {
            for (long i = 0; i < n; i++) {
                boolean yes = test.test(Elements.re(type, x + i * bytes), Elements.re(type, y + i * bytes));
                HostMemory.ALL.set(JAVA_BYTE, z + i, (byte) (yes ? 1 : 0));
            }
        };
    }

    private static Elementwise.BinaryLoop complex(BinaryOp op, DType type) {
        RealLoops loops = Provider.CHOSEN.loops(type);
        return switch (op) {
            case ADD -> (z, x, y, n) -> loops.add(z, x, y, 2 * n);
            case SUBTRACT -> (z, x, y, n) -> loops.subtract(z, x, y, 2 * n);
            case MULTIPLY -> loops::multiplyComplex;
            case DIVIDE -> eachComplex(type, Complex::over);
            case POWER -> eachComplex(type, ComplexFunctions::power);
            case EQUAL -> compareComplex(type, true);
            case NOT_EQUAL -> compareComplex(type, false);
            default -> throw new IllegalArgumentException(op + " needs an order, which " + type + " does not have");
        };
    }

    private static Elementwise.BinaryLoop eachComplex(DType type, BinaryOperator<Complex> f) {
        long bytes = type.bytes();
        return (z, x, y, n) -> {
            for (long i = 0; i < n * bytes; i += bytes) {
                Complex value = f.apply(Elements.complex(type, x + i), Elements.complex(type, y + i));
                Elements.set(type, z + i, value.re(), value.im());
            }
        };
    }

    private static Elementwise.BinaryLoop compareComplex(DType type, boolean equal) {
        long bytes = type.bytes();
        return (z, x, y, n) -> {
            for (long i = 0; i < n; i++) {
                long a = x + i * bytes;
                long b = y + i * bytes;
                boolean same =
                        Elements.re(type, a) == Elements.re(type, b) && Elements.im(type, a) == Elements.im(type, b);
                HostMemory.ALL.set(JAVA_BYTE, z + i, (byte) (same == equal ? 1 : 0));
            }
        };
    }

    private static DoubleTest doubleTest(BinaryOp op) {
        return switch (op) {
            case EQUAL -> (a, b) -> a == b;
            case NOT_EQUAL -> (a, b) -> a != b;
            case LESS -> (a, b) -> a < b;
            case LESS_EQUAL -> (a, b) -> a <= b;
            case GREATER -> (a, b) -> a > b;
            default -> (a, b) -> a >= b;
        };
    }

    private static LongTest longTest(BinaryOp op) {
        return switch (op) {
            case EQUAL -> (a, b) -> a == b;
            case NOT_EQUAL -> (a, b) -> a != b;
            case LESS -> (a, b) -> a < b;
            case LESS_EQUAL -> (a, b) -> a <= b;
            case GREATER -> (a, b) -> a > b;
            default -> (a, b) -> a >= b;
        };
    }

    private static LongBinaryOperator longOperator(BinaryOp op) {
        return switch (op) {
            case ADD -> (a, b) -> a + b;
            case SUBTRACT -> (a, b) -> a - b;
            case MULTIPLY -> (a, b) -> a * b;
            case MINIMUM -> Math::min;
            case MAXIMUM -> Math::max;
            case POWER -> BinaryLoops::power;
            default -> BinaryLoops::remainder;
        };
    }

    private static long remainder(long a, long b) {
        if (b == 0)
            throw new IllegalArgumentException(
                    "divisor is 0; expected another whole number; convert an array with as(DType.F64) to get NaN");
        return Math.floorMod(a, b);
    }

    /** The power as C and NumPy have it: unlike Java's, 1 to any power is 1, NaN and infinite ones included, and so is -1 to an infinite one. */
    static double power(double base, double exponent) {
        if (base == 1 || (base == -1 && Double.isInfinite(exponent))) return 1;
        return Math.pow(base, exponent);
    }

    private static long power(long base, long exponent) {
        if (exponent < 0)
            throw new IllegalArgumentException("exponent is " + exponent
                    + "; expected 0 or more for whole numbers; convert the base with as(DType.F64) first");
        long result = 1;
        for (long b = base, e = exponent; e > 0; e >>= 1, b *= b) if ((e & 1) == 1) result *= b;
        return result;
    }
}
