package io.penstock.array;

import io.penstock.kernel.ElementFunction;

/**
 * Which operations on elements are kernels on the JVM too: those whose loops convert elements on their way, or call a function for
 * each, or begin anew at every few elements. Of numbers of one floating-point type the loops are as fast.
 *
 * <p>Each says whether a kernel has run; where none has the loop is to, with the same result to the bit.
 */
final class HostKernels {
    /** Of fewer elements the launch takes as long as what is saved. */
    static final long FEWEST = 256;

    /** Rows shorter than that cost loops more than their elements do. */
    private static final long SHORT_ROW = 16;

    private static final boolean OFF =
            System.getProperty("penstock.host.kernels", "on").equals("off");

    private HostKernels() {}

    private static boolean run(boolean loopIsFast, ElementFunction function, NDArray out, Object... in) {
        return !OFF && ElementKernels.mapIfReady(loopIsFast ? SHORT_ROW : Long.MAX_VALUE, function, out, in);
    }

    /** {@code z = op(x, y)}, where {@code y} is an array or a number. */
    static boolean binary(BinaryOp op, DType in, NDArray z, NDArray x, Object y) {
        if (z.size() < FEWEST
                || in.isComplex()
                || z.dtype().isComplex()
                || x.dtype().isComplex()) return false;
        boolean mayFail = in.isInteger() && (op == BinaryOp.REMAINDER || op == BinaryOp.POWER);
        if (mayFail) return false;
        boolean loopIsFast = false;
        if (y instanceof NDArray array) {
            if (array.dtype().isComplex()) return false;
            loopIsFast = hasVectors(op, in) && z.dtype() == in && x.dtype() == in && array.dtype() == in;
            if (loopIsFast && z.isContiguous() && x.isContiguous() && array.isContiguous()) return false;
        }
        return run(loopIsFast, OperationFunctions.of(op, in), z, x, y);
    }

    private static boolean hasVectors(BinaryOp op, DType in) {
        return in.kind() == DType.Kind.REAL && op != BinaryOp.POWER && op != BinaryOp.REMAINDER;
    }

    /** {@code y = op(x)}. */
    static boolean unary(UnaryOp op, DType in, NDArray y, NDArray x) {
        if (y.size() < FEWEST || in.isComplex()) return false;
        boolean hasVectors = op == UnaryOp.NEGATE || op == UnaryOp.ABSOLUTE || op == UnaryOp.SQRT;
        boolean loopIsFast = hasVectors && in.kind() == DType.Kind.REAL && y.dtype() == in && x.dtype() == in;
        if (loopIsFast && y.isContiguous() && x.isContiguous()) return false;
        return run(loopIsFast, OperationFunctions.of(op, in), y, x);
    }

    /** {@code y = x}, converted. */
    static boolean assign(NDArray y, NDArray x) {
        if (y.size() < FEWEST) return false;
        boolean copies = y.dtype() == x.dtype();
        if (copies && (y.dtype().isComplex() || (y.isContiguous() && x.isContiguous()))) return false;
        return run(copies, OperationFunctions.identity(x.dtype(), y.dtype()), y, x);
    }

    /** {@code z = condition != 0 ? x : y}. */
    static boolean choice(NDArray z, NDArray condition, NDArray x, NDArray y) {
        if (z.size() < FEWEST) return false;
        // A whole number becomes a complex one by way of doubles.
        if (z.dtype().isComplex() && (x.dtype() != z.dtype() || y.dtype() != z.dtype())) return false;
        ElementFunction choice = OperationFunctions.choice(condition.dtype(), Arithmetic.working(z.dtype()));
        return run(false, choice, z, condition, x, y);
    }
}
