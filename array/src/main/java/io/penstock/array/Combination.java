package io.penstock.array;

/** Linear combinations and inner products of arrays of one shape and type, contiguous or not. */
final class Combination {
    private Combination() {}

    /** The type that arithmetic with double factors is done in. */
    private static DType working(DType dtype) {
        return dtype.isInteger() ? DType.F64 : dtype;
    }

    /** How many real numbers {@code n} elements are. */
    private static long reals(DType dtype, long n) {
        return dtype.isComplex() ? 2 * n : n;
    }

    static void scale(NDArray y, double alpha) {
        if (Placement.isElsewhere(y)) {
            DeviceCombination.scale(y, alpha);
            return;
        }
        if (Queued.isNeeded()) {
            Queued.submit("scale", () -> scale(y, alpha), y);
            return;
        }
        DType type = working(y.dtype());
        if (y.isContiguous() && y.dtype() == type) {
            Dense.scale(type, y.address(), y.size(), alpha);
            return;
        }
        RealLoops loops = Provider.CHOSEN.loops(type);
        Elementwise.unary(y, y, type, type, (to, from, n) -> loops.scaled(to, from, reals(type, n), alpha));
    }

    static void scale(NDArray y, Complex alpha) {
        if (!Placement.isElsewhere(y) && Queued.isNeeded()) {
            Queued.submit("scale", () -> scale(y, alpha), y);
            return;
        }
        if (alpha.isReal()) {
            scale(y, alpha.re());
            return;
        }
        if (Placement.isElsewhere(y)) {
            DeviceCombination.scale(y, alpha);
            return;
        }
        DType type = y.dtype();
        if (y.isContiguous()) {
            Dense.scaledComplex(type, y.address(), y.address(), y.size(), alpha);
            return;
        }
        RealLoops loops = Provider.CHOSEN.loops(type);
        Elementwise.unary(y, y, type, type, (to, from, n) -> loops.scaledComplex(to, from, n, alpha.re(), alpha.im()));
    }

    /** {@code y = alpha * x + beta * y}. */
    static void axpby(double alpha, NDArray x, double beta, NDArray y) {
        if (Placement.isElsewhere(y)) {
            DeviceCombination.axpby(alpha, x, beta, y);
            return;
        }
        if (Queued.isNeeded()) {
            Queued.submit("axpby", () -> axpby(alpha, x, beta, y), y, x);
            return;
        }
        DType type = working(y.dtype());
        if (y.isContiguous() && x.isContiguous() && y.dtype() == type) {
            Dense.axpby(type, y.address(), x.address(), y.size(), alpha, beta);
            return;
        }
        RealLoops loops = Provider.CHOSEN.loops(type);
        if (beta == 0) {
            Elementwise.unary(y, x, type, type, (to, from, n) -> loops.scaled(to, from, reals(type, n), alpha));
            return;
        }
        Elementwise.binary(y, x, y, type, type, (to, from, old, n) -> {
            if (to != old) Convert.copy(type.bytes(), old, type.bytes(), to, type.bytes(), n);
            if (beta == 1) loops.axpy(to, from, reals(type, n), alpha);
            else loops.axpby(to, from, reals(type, n), alpha, beta);
        });
    }

    /** {@code y = alpha * x + y}. */
    static void axpy(Complex alpha, NDArray x, NDArray y) {
        if (!Placement.isElsewhere(y) && Queued.isNeeded()) {
            Queued.submit("axpy", () -> axpy(alpha, x, y), y, x);
            return;
        }
        if (alpha.isReal()) {
            axpby(alpha.re(), x, 1, y);
            return;
        }
        if (Placement.isElsewhere(y)) {
            DeviceCombination.axpy(alpha, x, y);
            return;
        }
        DType type = y.dtype();
        if (y.isContiguous() && x.isContiguous()) {
            Dense.axpyComplex(type, y.address(), x.address(), y.size(), alpha);
            return;
        }
        RealLoops loops = Provider.CHOSEN.loops(type);
        Elementwise.binary(y, x, y, type, type, (to, from, old, n) -> {
            if (to != old) Convert.copy(type.bytes(), old, type.bytes(), to, type.bytes(), n);
            loops.axpyComplex(to, from, n, alpha.re(), alpha.im());
        });
    }

    /** The sum of {@code x * y} for arrays that are not complex. */
    static double dotReal(NDArray x, NDArray y) {
        if (Placement.isElsewhere(x)) return dot(x, y).re();
        return Queued.read(() -> realHere(x, y), x, y);
    }

    private static double realHere(NDArray x, NDArray y) {
        DType type = x.dtype();
        if (x.isContiguous() && y.isContiguous() && !type.isInteger())
            return Dense.dotReal(
                    Provider.CHOSEN.loops(type), type.bytes(), x.addressToRead(), y.addressToRead(), x.size());
        return dotHere(x, y).re();
    }

    /** The sum of {@code conj(x) * y}. */
    static Complex dot(NDArray x, NDArray y) {
        if (Placement.isElsewhere(x)) {
            try (NDArray sum = DeviceReduction.dot(x, y)) {
                return sum.getComplex(0, 0);
            }
        }
        return Queued.read(() -> dotHere(x, y), x, y);
    }

    private static Complex dotHere(NDArray x, NDArray y) {
        DType type = working(x.dtype());
        if (x.isContiguous() && y.isContiguous() && x.dtype() == type)
            return Dense.dot(type, x.addressToRead(), y.addressToRead(), x.size());
        RealLoops loops = Provider.CHOSEN.loops(type);
        Runs runs = Runs.toRead(x, y);
        int blocks = Math.toIntExact((runs.size() + Dense.BLOCK - 1) / Dense.BLOCK);
        double[] partial = new double[2 * blocks];
        Dense.forEachBlock(runs.size(), blocks, (b, from, count) -> {
            double[] out = new double[2];
            runs.walk(
                    from,
                    from + count,
                    (at, step, n) -> Elementwise.feed(x, y, type, at, step, n, (p, q, m) -> {
                        if (type.isComplex()) loops.dotComplex(p, q, m, out, 0);
                        else out[0] = loops.dot(p, q, m);
                        partial[2 * b] += out[0];
                        partial[2 * b + 1] += out[1];
                    }));
        });
        double re = 0;
        double im = 0;
        for (int b = 0; b < blocks; b++) {
            re += partial[2 * b];
            im += partial[2 * b + 1];
        }
        return new Complex(re, im);
    }
}
