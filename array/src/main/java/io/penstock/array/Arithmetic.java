package io.penstock.array;

/** Operations element by element on whole arrays: types promoted, shapes broadcast. */
final class Arithmetic {
    private Arithmetic() {}

    /** The type that the loops for {@code dtype} work in. */
    static DType working(DType dtype) {
        return dtype.isInteger() ? DType.I64 : dtype;
    }

    /** A new array of {@code op(x, y)}. */
    static NDArray binary(BinaryOp op, NDArray x, NDArray y) {
        return binary(op, x, y, Promotion.of(x, y));
    }

    /** A new array of {@code op(x, number)}; of the number only the kind counts for the type. */
    static NDArray binary(BinaryOp op, NDArray x, Object number) {
        DType promoted = Promotion.weak(x.dtype(), kind(number));
        NDArray z = NDArray.empty(x.device(), x.kind(), op.result(promoted), x.shape());
        run(op, z, x, number, promoted);
        return z;
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
        DType promoted = Promotion.weak(z.dtype(), kind(number));
        requireRoom(z, op.result(promoted));
        run(op, z, z, number, promoted);
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

    /** {@code z = op(x, number)}. */
    private static void run(BinaryOp op, NDArray z, NDArray x, Object number, DType promoted) {
        requireOrder(op, promoted);
        if (staysWhole(op, promoted) && number instanceof Long whole) Promotion.checkFits(whole, promoted);
        DType in = in(op, promoted);
        if (Placement.isElsewhere(z)) {
            ElementKernels.binary(op, in, z, x, number);
        } else if (!HostKernels.binary(op, in, z, x, number)) {
            try (NDArray y = NDArray.scalar(number)) {
                loop(op, z, x, y.broadcastTo(x.shape()), in);
            }
        }
    }

    private static DType in(BinaryOp op, DType promoted) {
        return op == BinaryOp.DIVIDE && promoted.isInteger() ? DType.F64 : working(promoted);
    }

    /** {@code z = op(x, y)}, of one shape. */
    private static void run(BinaryOp op, NDArray z, NDArray x, NDArray y, DType promoted) {
        requireOrder(op, promoted);
        DType in = in(op, promoted);
        if (Placement.isElsewhere(z, x, y)) {
            ElementKernels.binary(op, in, z, x, y);
            return;
        }
        if (staysWhole(op, promoted)) checkWeak(x, y, promoted);
        if (!HostKernels.binary(op, in, z, x, y)) loop(op, z, x, y, in);
    }

    private static void loop(BinaryOp op, NDArray z, NDArray x, NDArray y, DType in) {
        Elementwise.binary(z, x, y, in, op.isComparison() ? DType.U8 : in, BinaryLoops.of(op, in));
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
        else if (!HostKernels.unary(op, in, y, x)) Elementwise.unary(y, x, in, out, UnaryLoops.of(op, in));
        Alive.until(x, y);
    }

    /** A new array with the elements of {@code x} where {@code condition} is not zero, else those of {@code y}. */
    static NDArray where(NDArray condition, NDArray x, NDArray y) {
        DType dtype = Promotion.of(x, y);
        long[] shape = Shapes.broadcast(condition.shape(), Shapes.broadcast(x.shape(), y.shape()));
        NDArray z = NDArray.empty(Placement.of(condition, x, y), dtype, shape);
        NDArray mask = condition.broadcastTo(shape);
        NDArray chosen = x.broadcastTo(shape);
        NDArray other = y.broadcastTo(shape);
        if (Placement.isElsewhere(z))
            ElementKernels.map(OperationFunctions.choice(mask.dtype(), working(dtype)), z, mask, chosen, other);
        else if (!HostKernels.choice(z, mask, chosen, other)) choose(z, mask, chosen, other);
        return z;
    }

    static void choose(NDArray z, NDArray mask, NDArray chosen, NDArray other) {
        Elementwise.assign(z, other);
        Runs.of(z, chosen, mask).parallel((at, step, n) -> {
            for (long i = 0; i < n; i++) {
                long m = at[2] + i * step[2];
                if (Elements.re(mask.dtype(), m) != 0 || Elements.im(mask.dtype(), m) != 0)
                    Convert.run(chosen.dtype(), at[1] + i * step[1], 0, z.dtype(), at[0] + i * step[0], 0, 1);
            }
        });
        Alive.until(mask, chosen);
    }
}
