package io.penstock.array;

import io.penstock.kernel.ElementFunction;

/**
 * Which operations on elements are kernels on the JVM too: those whose loops convert elements on their way, or call a function for
 * each. Of numbers of one floating-point type the loops are as fast.
 *
 * <p>Each says whether a kernel has run; where none has the loop is to, with the same result to the bit.
 */
final class HostKernels {
    /** Of fewer elements the launch takes as long as what is saved. */
    static final long FEWEST = 256;

    private HostKernels() {}

    /** {@code z = op(x, y)}, where {@code y} is an array or a number. */
    static boolean binary(BinaryOp op, DType in, NDArray z, NDArray x, Object y) {
        if (z.size() < FEWEST || !gains(op, in, z, x, y)) return false;
        return ElementKernels.mapIfReady(DeviceFunctions.of(op, in), z, x, y);
    }

    private static boolean gains(BinaryOp op, DType in, NDArray z, NDArray x, Object y) {
        if (in.isComplex() || z.dtype().isComplex() || x.dtype().isComplex()) return false;
        boolean mayFail = in.isInteger() && (op == BinaryOp.REMAINDER || op == BinaryOp.POWER);
        if (mayFail) return false;
        if (y instanceof NDArray array) {
            if (array.dtype().isComplex()) return false;
            boolean ofOneType = z.dtype() == in && x.dtype() == in && array.dtype() == in;
            return !(ofOneType && hasVectors(op, in));
        }
        return true;
    }

    private static boolean hasVectors(BinaryOp op, DType in) {
        return in.kind() == DType.Kind.REAL && op != BinaryOp.POWER && op != BinaryOp.REMAINDER;
    }

    /** {@code y = op(x)}. */
    static boolean unary(UnaryOp op, DType in, NDArray y, NDArray x) {
        if (y.size() < FEWEST || in.isComplex()) return false;
        boolean hasVectors = op == UnaryOp.NEGATE || op == UnaryOp.ABSOLUTE || op == UnaryOp.SQRT;
        if (in.kind() == DType.Kind.REAL && hasVectors && y.dtype() == in && x.dtype() == in) return false;
        return ElementKernels.mapIfReady(DeviceFunctions.of(op, in), y, x);
    }

    /** {@code y = x}, converted. */
    static boolean convert(NDArray y, NDArray x) {
        if (y.size() < FEWEST || y.dtype() == x.dtype()) return false;
        return ElementKernels.mapIfReady(DeviceFunctions.identity(x.dtype(), y.dtype()), y, x);
    }

    /** {@code z = condition != 0 ? x : y}. */
    static boolean choice(NDArray z, NDArray condition, NDArray x, NDArray y) {
        if (z.size() < FEWEST) return false;
        // A whole number becomes a complex one by way of doubles.
        if (z.dtype().isComplex() && (x.dtype() != z.dtype() || y.dtype() != z.dtype())) return false;
        ElementFunction choice = DeviceFunctions.choice(condition.dtype(), Arithmetic.working(z.dtype()));
        return ElementKernels.mapIfReady(choice, z, condition, x, y);
    }
}
