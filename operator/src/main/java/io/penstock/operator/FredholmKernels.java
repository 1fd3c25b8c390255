package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.ComplexFloats;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;

/**
 * The kernels of a {@link Fredholm} operator: {@code y[k, i, z] = sum over j of a[k, j, i] x[k, j, z]}, an item for each element, summed
 * in double precision. Neighbouring items differ in {@code i}, along which {@code a} should be contiguous.
 */
final class FredholmKernels {
    private FredholmKernels() {}

    static void realF32(WorkItem at, Floats y, Floats a, Floats x) {
        double sum = 0;
        for (long j = 0; j < x.rows(); j++) sum += (double) a.get(at.z(), j, at.x()) * x.get(at.z(), j, at.y());
        y.set(at.z(), at.x(), at.y(), (float) sum);
    }

    static void realF64(WorkItem at, Doubles y, Doubles a, Doubles x) {
        double sum = 0;
        for (long j = 0; j < x.rows(); j++) sum += a.get(at.z(), j, at.x()) * x.get(at.z(), j, at.y());
        y.set(at.z(), at.x(), at.y(), sum);
    }

    /** With {@code sign} -1, the complex conjugates of {@code a} are taken. */
    static void complexF32(WorkItem at, ComplexFloats y, ComplexFloats a, ComplexFloats x, double sign) {
        double re = 0;
        double im = 0;
        for (long j = 0; j < x.rows(); j++) {
            double aRe = a.getRe(at.z(), j, at.x());
            double aIm = sign * a.getIm(at.z(), j, at.x());
            double xRe = x.getRe(at.z(), j, at.y());
            double xIm = x.getIm(at.z(), j, at.y());
            re += aRe * xRe - aIm * xIm;
            im += aRe * xIm + aIm * xRe;
        }
        y.set(at.z(), at.x(), at.y(), (float) re, (float) im);
    }

    /** With {@code sign} -1, the complex conjugates of {@code a} are taken. */
    static void complexF64(WorkItem at, ComplexDoubles y, ComplexDoubles a, ComplexDoubles x, double sign) {
        double re = 0;
        double im = 0;
        for (long j = 0; j < x.rows(); j++) {
            double aRe = a.getRe(at.z(), j, at.x());
            double aIm = sign * a.getIm(at.z(), j, at.x());
            double xRe = x.getRe(at.z(), j, at.y());
            double xIm = x.getIm(at.z(), j, at.y());
            re += aRe * xRe - aIm * xIm;
            im += aRe * xIm + aIm * xRe;
        }
        y.set(at.z(), at.x(), at.y(), re, im);
    }

    /** The kernel for elements of a type; those for complex ones take a sign. */
    static Kernel of(DType type) {
        return switch (type) {
            case F32 -> Kernel.of(FredholmKernels::realF32);
            case F64 -> Kernel.of(FredholmKernels::realF64);
            case C64 -> Kernel.of(FredholmKernels::complexF32);
            case C128 -> Kernel.of(FredholmKernels::complexF64);
            case U8, I32, I64 ->
                throw new IllegalArgumentException("type is " + type + "; expected a floating-point one");
        };
    }
}
