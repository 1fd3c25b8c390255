package io.penstock.array;

import io.penstock.kernel.ElementFunction;

/** Operations element by element on whole arrays: types promoted, shapes broadcast. */
final class Arithmetic {
    /** From so many elements on, what a kernel saves at each is more than what it costs to make one. */
    private static final long MANY = 1 << 15;

    private Arithmetic() {}

    /** The type that the loops for {@code dtype} work in. */
    private static DType working(DType dtype) {
        return dtype.isInteger() ? DType.I64 : dtype;
    }

    /** A new array of {@code op(x, y)}. */
    static NDArray binary(BinaryOp op, NDArray x, NDArray y) {
        return binary(op, x, y, Promotion.of(x, y));
    }

    /** A new array of {@code op(x, number)}; of the number only the kind counts for the type. */
    static NDArray binary(BinaryOp op, NDArray x, Object number) {
        if (Placement.isElsewhere(x)) {
            DType promoted = Promotion.weak(x.dtype(), kind(number));
            NDArray z = NDArray.empty(x.device(), x.kind(), op.result(promoted), x.shape());
            runOnDevice(op, z, x, number, promoted);
            return z;
        }
        try (NDArray y = NDArray.scalar(number)) {
            return binary(op, x, y, Promotion.weak(x.dtype(), y.dtype().kind()));
        }
    }

    private static NDArray binary(BinaryOp op, NDArray x, NDArray y, DType promoted) {
        long[] shape = Shapes.broadcast(x.shape(), y.shape());
        NDArray z = NDArray.empty(Placement.of(x, y), op.result(promoted), shape);
        run(op, z, x.broadcastTo(shape), y.broadcastTo(shape), promoted);
        return z;
    }

    /** {@code z = op(z, y)}, with {@code y} broadcast to the shape of {@code z}. */
    static void inPlace(BinaryOp op, NDArray z, NDArray y) {
        inPlace(op, z, y, Promotion.of(z, y));
    }

    /** {@code z = op(z, number)}. */
    static void inPlace(BinaryOp op, NDArray z, Object number) {
        if (Placement.isElsewhere(z)) {
            DType promoted = Promotion.weak(z.dtype(), kind(number));
            requireRoom(z, op.result(promoted));
            runOnDevice(op, z, z, number, promoted);
            return;
        }
        try (NDArray y = NDArray.scalar(number)) {
            inPlace(op, z, y, Promotion.weak(z.dtype(), y.dtype().kind()));
        }
    }

    private static DType.Kind kind(Object number) {
        if (number instanceof Complex) return DType.Kind.COMPLEX;
        return number instanceof Long || number instanceof Integer ? DType.Kind.INTEGER : DType.Kind.REAL;
    }

    private static void requireRoom(NDArray z, DType result) {
        if (result.kind().compareTo(z.dtype().kind()) > 0)
            throw new IllegalArgumentException("the result is of type " + result + ", which an array of " + z.dtype()
                    + " cannot hold; use the form that gives a new array");
    }

    private static void inPlace(BinaryOp op, NDArray z, NDArray y, DType promoted) {
        requireRoom(z, op.result(promoted));
        run(op, z, z, Overlap.safe(z, y.broadcastTo(z.shape())), promoted);
    }

    private static void requireOrder(BinaryOp op, DType promoted) {
        if (op.needsOrder() && promoted.isComplex())
            throw new IllegalArgumentException(op + " needs an order, which " + promoted + " does not have");
    }

    private static boolean staysWhole(BinaryOp op, DType promoted) {
        return promoted.isInteger() && !op.isComparison() && op != BinaryOp.DIVIDE;
    }

    private static void runOnDevice(BinaryOp op, NDArray z, NDArray x, Object y, DType promoted) {
        requireOrder(op, promoted);
        if (staysWhole(op, promoted) && y instanceof Long whole) Promotion.checkFits(whole, promoted);
        ElementKernels.binary(op, in(op, promoted), z, x, y);
    }

    private static DType in(BinaryOp op, DType promoted) {
        return op == BinaryOp.DIVIDE && promoted.isInteger() ? DType.F64 : working(promoted);
    }

    private static void run(BinaryOp op, NDArray z, NDArray x, NDArray y, DType promoted) {
        if (Placement.isElsewhere(z, x, y)) {
            runOnDevice(op, z, x, y, promoted);
            return;
        }
        requireOrder(op, promoted);
        if (staysWhole(op, promoted)) checkWeak(x, y, promoted);
        DType in = in(op, promoted);
        DType out = op.isComparison() ? DType.U8 : in;
        Elementwise.binary(z, x, y, in, out, BinaryLoops.of(op, in));
        Alive.until(x, y);
    }

    /** Whole numbers that took the other operand's narrower type must fit it. */
    private static void checkWeak(NDArray x, NDArray y, DType promoted) {
        for (NDArray operand : new NDArray[] {x, y})
            if (operand.dtype().compareTo(promoted) > 0 && operand.size() > 0)
                Promotion.checkFits(Elements.whole(operand.dtype(), operand.addressToRead()), promoted);
    }

    /** A new array of {@code op(x)}. */
    static NDArray unary(UnaryOp op, NDArray x) {
        DType dtype = op.needsReal() && x.dtype().isInteger() ? DType.F64 : x.dtype();
        NDArray y = NDArray.empty(x.device(), op == UnaryOp.ABSOLUTE ? dtype.real() : dtype, x.shape());
        unary(op, x, y, dtype);
        return y;
    }

    /** {@code x = op(x)}. */
    static void inPlace(UnaryOp op, NDArray x) {
        if (op.needsReal() && x.dtype().isInteger())
            throw new IllegalArgumentException("the result is of type F64, which an array of " + x.dtype()
                    + " cannot hold; use the form that gives a new array");
        unary(op, x, x, x.dtype());
    }

    private static void unary(UnaryOp op, NDArray x, NDArray y, DType dtype) {
        DType in = working(dtype);
        DType out = op == UnaryOp.ABSOLUTE ? in.real() : in;
        if (Placement.isElsewhere(y, x)) ElementKernels.unary(op, in, y, x);
        else Elementwise.unary(y, x, in, out, UnaryLoops.of(op, in));
        Alive.until(x, y);
    }

    /** A new array with the elements of {@code x} where {@code condition} is not zero, else those of {@code y}. */
    static NDArray where(NDArray condition, NDArray x, NDArray y) {
        DType dtype = Promotion.of(x, y);
        long[] shape = Shapes.broadcast(condition.shape(), Shapes.broadcast(x.shape(), y.shape()));
        NDArray z = NDArray.empty(Placement.of(condition, x, y), dtype, shape);
        // The kernel has the condition in the type of the elements, where a small one of another type might be zero.
        boolean byKernel = z.size() >= MANY && condition.dtype().isInteger();
        if (Placement.isElsewhere(z) || byKernel) {
            ElementFunction choice = DeviceFunctions.choice(working(dtype));
            ElementKernels.map(choice, z, condition.broadcastTo(shape), x.broadcastTo(shape), y.broadcastTo(shape));
            return z;
        }
        Elementwise.assign(z, y.broadcastTo(shape));
        NDArray chosen = x.broadcastTo(shape);
        NDArray mask = condition.broadcastTo(shape);
        Runs.of(z, chosen, mask).parallel((at, step, n) -> {
            for (long i = 0; i < n; i++) {
                long m = at[2] + i * step[2];
                if (Elements.re(mask.dtype(), m) != 0 || Elements.im(mask.dtype(), m) != 0)
                    Convert.run(chosen.dtype(), at[1] + i * step[1], 0, dtype, at[0] + i * step[0], 0, 1);
            }
        });
        Alive.until(condition, x);
        Alive.until(y);
        return z;
    }
}
