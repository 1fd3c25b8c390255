package io.penstock.array;

import io.penstock.kernel.MapBody;

/** What chooses one of two elements by a condition, which it takes in a type where only zero is zero. */
final class Choice {
    interface FloatByLong extends MapBody {
        float of(long c, float a, float b);
    }

    interface DoubleByLong extends MapBody {
        double of(long c, double a, double b);
    }

    interface ComplexByLong extends MapBody {
        Complex of(long c, Complex a, Complex b);
    }

    interface LongByDouble extends MapBody {
        long of(double c, long a, long b);
    }

    interface FloatByDouble extends MapBody {
        float of(double c, float a, float b);
    }

    interface ComplexByDouble extends MapBody {
        Complex of(double c, Complex a, Complex b);
    }

    interface LongByComplex extends MapBody {
        long of(Complex c, long a, long b);
    }

    interface FloatByComplex extends MapBody {
        float of(Complex c, float a, float b);
    }

    interface DoubleByComplex extends MapBody {
        double of(Complex c, double a, double b);
    }

    private Choice() {}

    static MapBody byWhole(DType type) {
        return switch (type) {
            case F32 -> (FloatByLong) (c, a, b) -> c != 0 ? a : b;
            case F64 -> (DoubleByLong) (c, a, b) -> c != 0 ? a : b;
            case C64, C128 -> (ComplexByLong) (c, a, b) -> c != 0 ? a : b;
            default -> (MapBody.OfLongs3) (c, a, b) -> c != 0 ? a : b;
        };
    }

    static MapBody byReal(DType type) {
        return switch (type) {
            case F32 -> (FloatByDouble) (c, a, b) -> c != 0 ? a : b;
            case F64 -> (MapBody.OfDoubles3) (c, a, b) -> c != 0 ? a : b;
            case C64, C128 -> (ComplexByDouble) (c, a, b) -> c != 0 ? a : b;
            default -> (LongByDouble) (c, a, b) -> c != 0 ? a : b;
        };
    }

    static MapBody byComplex(DType type) {
        return switch (type) {
            case F32 -> (FloatByComplex) (c, a, b) -> c.re() != 0 || c.im() != 0 ? a : b;
            case F64 -> (DoubleByComplex) (c, a, b) -> c.re() != 0 || c.im() != 0 ? a : b;
            case C64, C128 -> (ComplexBody.OfComplex3) (c, a, b) -> c.re() != 0 || c.im() != 0 ? a : b;
            default -> (LongByComplex) (c, a, b) -> c.re() != 0 || c.im() != 0 ? a : b;
        };
    }
}
