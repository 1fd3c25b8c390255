package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** The loop of each operation on a contiguous stretch of I64, F32, F64, C64 or C128. */
final class UnaryLoops {
    private UnaryLoops() {}

    static Elementwise.UnaryLoop of(UnaryOp op, DType type) {
        return switch (type.kind()) {
            case INTEGER -> whole(op);
            case REAL -> real(op, type);
            case COMPLEX -> complex(op, type);
        };
    }

    private static Elementwise.UnaryLoop whole(UnaryOp op) {
        LongUnaryOperator f = switch (op) {
            case NEGATE -> a -> -a;
            case ABSOLUTE -> a -> a < 0 ? -a : a;
            case SIGN -> Long::signum;
            default -> a -> a;
        };
        return (y, x, n) -> {
            for (long i = 0; i < 8 * n; i += 8)
                HostMemory.ALL.set(
                        JAVA_LONG_UNALIGNED, y + i, f.applyAsLong(HostMemory.ALL.get(JAVA_LONG_UNALIGNED, x + i)));
        };
    }

    private static Elementwise.UnaryLoop real(UnaryOp op, DType type) {
        RealLoops loops = Provider.CHOSEN.loops(type);
        return switch (op) {
            case NEGATE -> loops::negate;
            case ABSOLUTE -> loops::abs;
            case SQRT -> loops::sqrt;
            case SIGN -> each(type, Math::signum);
            case CONJUGATE -> each(type, a -> a);
            case FLOOR -> each(type, Math::floor);
            case CEIL -> each(type, Math::ceil);
            case ROUND -> each(type, Math::rint);
            case EXP -> each(type, Math::exp);
            case LOG -> each(type, Math::log);
            case SIN -> each(type, Math::sin);
            case COS -> each(type, Math::cos);
            case TANH -> each(type, Math::tanh);
        };
    }

    private static Elementwise.UnaryLoop each(DType type, DoubleUnaryOperator f) {
        long bytes = type.bytes();
        return (y, x, n) -> {
            for (long i = 0; i < n * bytes; i += bytes)
                Elements.set(type, y + i, f.applyAsDouble(Elements.re(type, x + i)), 0);
        };
    }

    private static Elementwise.UnaryLoop complex(UnaryOp op, DType type) {
        RealLoops loops = Provider.CHOSEN.loops(type);
        return switch (op) {
            case NEGATE -> (y, x, n) -> loops.negate(y, x, 2 * n);
            case ABSOLUTE -> moduli(type);
            case SIGN -> eachComplex(type, ComplexFunctions::sign);
            case CONJUGATE -> eachComplex(type, Complex::conjugate);
            case SQRT -> eachComplex(type, ComplexFunctions::sqrt);
            case EXP -> eachComplex(type, ComplexFunctions::exp);
            case LOG -> eachComplex(type, ComplexFunctions::log);
            case SIN -> eachComplex(type, ComplexFunctions::sin);
            case COS -> eachComplex(type, ComplexFunctions::cos);
            case TANH -> eachComplex(type, ComplexFunctions::tanh);
            case ROUND -> eachComplex(type, z -> new Complex(Math.rint(z.re()), Math.rint(z.im())));
            case FLOOR, CEIL ->
                throw new IllegalArgumentException(op + " needs an order, which " + type + " does not have");
        };
    }

    private static Elementwise.UnaryLoop moduli(DType type) {
        long bytes = type.bytes();
        return (y, x, n) -> {
            for (long i = 0; i < n; i++)
                Elements.set(
                        type.real(),
                        y + i * bytes / 2,
                        Elements.complex(type, x + i * bytes).abs(),
                        0);
        };
    }

    private static Elementwise.UnaryLoop eachComplex(DType type, UnaryOperator<Complex> f) {
        long bytes = type.bytes();
        return (y, x, n) -> {
            for (long i = 0; i < n * bytes; i += bytes) {
                Complex value = f.apply(Elements.complex(type, x + i));
                Elements.set(type, y + i, value.re(), value.im());
            }
        };
    }
}
