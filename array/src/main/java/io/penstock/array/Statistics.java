package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** What is derived from reductions: means, norms, positions of extremes, running sums. */
final class Statistics {
    private Statistics() {}

    /** A reduction in the type that NumPy gives it. */
    static NDArray reduce(AxisReduction.Kind kind, NDArray x, boolean keepDims, int... axes) {
        NDArray result = AxisReduction.reduce(kind, x, keepDims, axes);
        boolean widened =
                x.dtype().isInteger() && (kind == AxisReduction.Kind.SUM || kind == AxisReduction.Kind.PRODUCT);
        return widened ? result : result.as(x.dtype());
    }

    static NDArray mean(NDArray x, boolean keepDims, int... axes) {
        // as real numbers, whose sum does not wrap
        NDArray real = x.dtype().isInteger() ? x.as(DType.F64) : x;
        NDArray sum = AxisReduction.reduce(AxisReduction.Kind.SUM, real, keepDims, axes);
        if (real != x) real.close();
        NDArray mean = sum.divide((double) x.size() / Math.max(1, sum.size()));
        return x.dtype().isInteger() ? mean : mean.as(x.dtype());
    }

    /** One where any element (or, for the minimum, every element) is not zero. */
    static NDArray truth(AxisReduction.Kind kind, NDArray x, boolean keepDims, int... axes) {
        NDArray yes = x.notEqual(0);
        boolean any = kind == AxisReduction.Kind.MAXIMUM;
        NDArray sum = AxisReduction.reduce(AxisReduction.Kind.SUM, yes, keepDims, axes);
        return any ? sum.greater(0) : sum.equal(x.size() / Math.max(1, sum.size()));
    }

    static NDArray norm(NDArray x, double order, boolean keepDims, int... axes) {
        DType result = x.dtype().isInteger() ? DType.F64 : x.dtype().real();
        NDArray size =
                x.dtype().isComplex() ? x.as(DType.C128).abs() : x.as(DType.F64).abs();
        NDArray norm;
        if (order == 0) norm = size.notEqual(0).sum(keepDims, axes);
        else if (order == Double.POSITIVE_INFINITY) norm = size.max(keepDims, axes);
        else if (order == Double.NEGATIVE_INFINITY) norm = size.min(keepDims, axes);
        else if (order == 1) norm = size.sum(keepDims, axes);
        else if (order == 2) norm = size.multiply(size).sum(keepDims, axes).sqrt();
        else norm = size.power(order).sum(keepDims, axes).power(1 / order);
        return norm.as(result);
    }

    /** The position of the first least (sign 1) or greatest (sign -1) element along an axis; the first NaN comes before all. */
    static NDArray position(NDArray x, int axis, boolean least) {
        int k = Shapes.axis(axis, x.ndim());
        if (x.dtype().isComplex()) throw new IllegalArgumentException("dtype is " + x.dtype() + ", which has no order");
        if (x.dim(k) == 0)
            throw new IllegalArgumentException(
                    "axis " + k + " of shape " + Shapes.describe(x.shape()) + " has no elements to choose from");
        NDArray here = x.readable();
        if (here != x) {
            NDArray found = position(here, axis, least);
            here.close();
            return found.to(x.device());
        }
        return Queued.read(() -> positionHere(x, k, least), x).to(x.device());
    }

    private static NDArray positionHere(NDArray x, int k, boolean least) {
        NDArray result = NDArray.onHost(DType.I64, x.at(k, 0).shape());
        long step = x.strides()[k] * x.dtype().bytes();
        long n = x.dim(k);
        Runs.of(result, x.at(k, 0)).parallel((at, steps, count) -> {
            for (long i = 0; i < count; i++) {
                long best = position(x.dtype(), at[1] + i * steps[1], step, n, least);
                HostMemory.ALL.set(JAVA_LONG_UNALIGNED, at[0] + i * steps[0], best);
            }
        });
        Alive.until(x, result);
        return result;
    }

    private static long position(DType dtype, long at, long step, long n, boolean least) {
        long best = 0;
        for (long i = 1; i < n; i++) if (comesFirst(dtype, at + i * step, at + best * step, least)) best = i;
        return best;
    }

    private static boolean comesFirst(DType dtype, long a, long b, boolean least) {
        if (dtype.isInteger()) {
            long x = Elements.whole(dtype, a);
            long y = Elements.whole(dtype, b);
            return least ? x < y : x > y;
        }
        double x = Elements.re(dtype, a);
        double y = Elements.re(dtype, b);
        if (Double.isNaN(x) || Double.isNaN(y)) return !Double.isNaN(y);
        return least ? x < y : x > y;
    }

    /** Running sums along an axis, each lane accumulated in I64, F64 or C128. */
    static NDArray cumulativeSum(NDArray x, int axis) {
        int k = Shapes.axis(axis, x.ndim());
        if (Placement.isElsewhere(x)) return Mapping.scan(AxisReduction.Kind.SUM, x, axis);
        NDArray sums = x.as(AxisReduction.working(x.dtype()));
        if (sums == x) sums = x.copy();
        NDArray result = sums;
        if (result.strides()[k] == 1 && x.dim(k) > 1) alongRows(result, k);
        else for (long i = 1; i < x.dim(k); i++) result.at(k, i).addInPlace(result.at(k, i - 1));
        return x.dtype().isInteger() ? result : result.as(x.dtype());
    }

    /** Running sums of lanes whose elements lie next to each other. */
    private static void alongRows(NDArray sums, int axis) {
        DType dtype = sums.dtype();
        long n = sums.dim(axis);
        Runs.of(sums.at(axis, 0)).forEach((at, step, count) -> {
            for (long lane = 0; lane < count; lane++) {
                long first = at[0] + lane * step[0];
                switch (dtype) {
                    case I64 -> {
                        long sum = 0;
                        for (long i = 0; i < n; i++) {
                            sum += HostMemory.ALL.get(JAVA_LONG_UNALIGNED, first + 8 * i);
                            HostMemory.ALL.set(JAVA_LONG_UNALIGNED, first + 8 * i, sum);
                        }
                    }
                    case F64 -> running(first, 8, n);
                    default -> {
                        running(first, 16, n);
                        running(first + 8, 16, n);
                    }
                }
            }
        });
        Alive.until(sums);
    }

    private static void running(long first, long step, long n) {
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, first + step * i);
            HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, first + step * i, sum);
        }
    }
}
