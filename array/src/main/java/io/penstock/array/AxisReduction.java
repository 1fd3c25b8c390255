package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import java.util.Arrays;

/**
 * Sums, products and extremes along axes, accumulated in I64, F64 or C128.
 *
 * <p>An output element's terms are taken in an order that the shape and strides fix, in blocks, whatever the number of threads.
 */
final class AxisReduction {
    /** Terms of a block. */
    private static final long BLOCK = Dense.BLOCK;

    /** How two terms become one. */
    enum Kind {
        SUM,
        PRODUCT,
        MINIMUM,
        MAXIMUM;

        private BinaryOp op() {
            return switch (this) {
                case SUM -> BinaryOp.ADD;
                case PRODUCT -> BinaryOp.MULTIPLY;
                case MINIMUM -> BinaryOp.MINIMUM;
                case MAXIMUM -> BinaryOp.MAXIMUM;
            };
        }
    }

    private AxisReduction() {}

    /** The type that elements of {@code dtype} are accumulated in. */
    static DType working(DType dtype) {
        return switch (dtype.kind()) {
            case INTEGER -> DType.I64;
            case REAL -> DType.F64;
            case COMPLEX -> DType.C128;
        };
    }

    /** The reduction of {@code x} along {@code axes} (all when none is named), in the accumulating type. */
    static NDArray reduce(Kind kind, NDArray x, boolean keepDims, int... axes) {
        DType type = working(x.dtype());
        boolean[] reduced = x.ndim() == 0 ? new boolean[0] : Shapes.axes(axes, x.ndim());
        if (x.ndim() == 0) Shapes.axes(axes.clone(), 0);
        if (kind.op().needsOrder() && type.isComplex())
            throw new IllegalArgumentException(kind + " needs an order, which " + x.dtype() + " does not have");
        long[] shape = x.shape();
        for (int k = 0; k < shape.length; k++) {
            if (!reduced[k]) continue;
            if (shape[k] == 0 && kind.op().needsOrder())
                throw new IllegalArgumentException(kind + " along axis " + k + " of shape " + Shapes.describe(x.shape())
                        + " has no elements to choose from");
            shape[k] = 1;
        }
        if (Placement.isElsewhere(x) && x.size() > 0) {
            NDArray values = DeviceReduction.along(
                    reduced, DeviceReduction.combine(kind, type), type, DeviceReduction.identity(kind, type), null, x);
            return values.reshape(keepDims ? shape : kept(shape, reduced));
        }
        return Queued.read(() -> here(kind, x, type, shape, reduced, keepDims), x);
    }

    private static NDArray here(Kind kind, NDArray x, DType type, long[] shape, boolean[] reduced, boolean keepDims) {
        NDArray result = NDArray.empty(x.device(), type, shape);
        start(kind, result);
        if (x.size() > 0) accumulate(kind, result, x, reduced);
        Alive.until(x, result);
        return keepDims ? result : result.reshape(kept(shape, reduced));
    }

    /** The extents of the axes that stay. */
    private static long[] kept(long[] shape, boolean[] reduced) {
        long[] kept = new long[shape.length];
        int n = 0;
        for (int k = 0; k < shape.length; k++) if (!reduced[k]) kept[n++] = shape[k];
        return Arrays.copyOf(kept, n);
    }

    private static void start(Kind kind, NDArray result) {
        boolean whole = result.dtype() == DType.I64;
        switch (kind) {
            case SUM -> result.fill(0);
            case PRODUCT -> result.fill(1);
            case MINIMUM -> result.fill(whole ? Long.MAX_VALUE : Double.POSITIVE_INFINITY);
            case MAXIMUM -> result.fill(whole ? Long.MIN_VALUE : Double.NEGATIVE_INFINITY);
        }
    }

    private static void accumulate(Kind kind, NDArray result, NDArray x, boolean[] reduced) {
        if (result.size() == 1) {
            whole(kind, result, x);
            return;
        }
        int axis = 0;
        while (reduced[axis] || x.dim(axis) == 1) axis++;
        int cut = axis;
        long grain = Math.max(1, Runs.GRAIN / Math.max(1, x.size() / x.dim(cut)));
        Device.jvm().queue().parallel(x.dim(cut), grain, (from, to) -> {
            NDArray part = x.slice(cut, from, to);
            into(kind, result.slice(cut, from, to).broadcastTo(part.shape()), part);
        });
    }

    /** Everything to one number: blocks on all cores, combined in order. */
    private static void whole(Kind kind, NDArray result, NDArray x) {
        Runs runs = Runs.toRead(x);
        int blocks = Math.toIntExact((x.size() + BLOCK - 1) / BLOCK);
        NDArray partial = NDArray.empty(x.device(), result.dtype(), blocks);
        start(kind, partial);
        long bytes = result.dtype().bytes();
        Dense.forEachBlock(
                x.size(),
                blocks,
                (b, from, count) -> runs.walk(
                        from,
                        from + count,
                        (at, step, n) ->
                                run(kind, result.dtype(), partial.address() + b * bytes, x, at[0], step[0], n)));
        run(kind, result.dtype(), result.address(), partial, partial.address(), bytes, blocks);
        Alive.until(partial);
        partial.close();
    }

    /** Accumulates {@code x} into {@code result}, whose steps along reduced axes are zero. */
    private static void into(Kind kind, NDArray result, NDArray x) {
        DType type = result.dtype();
        Elementwise.BinaryLoop loop = BinaryLoops.of(kind.op(), type);
        Runs.of(x, result).forEach((at, step, n) -> {
            if (step[1] == 0) run(kind, type, at[1], x, at[0], step[0], n);
            else {
                long[] from = {at[1], at[1], at[0]};
                long[] steps = {step[1], step[1], step[0]};
                Elementwise.run(result, result, x, type, type, loop, from, steps, n);
            }
        });
    }

    /** Accumulates a run into one number. */
    private static void run(Kind kind, DType type, long to, NDArray x, long at, long step, long n) {
        Elementwise.feed(x, type, at, step, n, (from, _, m) -> {
            switch (type) {
                case I64 -> wholeNumbers(kind, to, from, m);
                case F64 -> realNumbers(kind, to, from, m);
                default -> complexNumbers(kind, to, from, m);
            }
        });
    }

    private static void wholeNumbers(Kind kind, long to, long from, long n) {
        long value = HostMemory.ALL.get(JAVA_LONG_UNALIGNED, to);
        for (long i = 0; i < n; i++) {
            long x = HostMemory.ALL.get(JAVA_LONG_UNALIGNED, from + 8 * i);
            value = switch (kind) {
                case SUM -> value + x;
                case PRODUCT -> value * x;
                case MINIMUM -> Math.min(value, x);
                case MAXIMUM -> Math.max(value, x);
            };
        }
        HostMemory.ALL.set(JAVA_LONG_UNALIGNED, to, value);
    }

    private static void realNumbers(Kind kind, long to, long from, long n) {
        double value = HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, to);
        if (kind == Kind.SUM) value += Provider.CHOSEN.f64().sum(from, n);
        else
            for (long i = 0; i < n; i++) {
                double x = HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, from + 8 * i);
                value = switch (kind) {
                    case MINIMUM -> Math.min(value, x);
                    case MAXIMUM -> Math.max(value, x);
                    default -> value * x;
                };
            }
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, to, value);
    }

    private static void complexNumbers(Kind kind, long to, long from, long n) {
        Complex value = Elements.complex(DType.C128, to);
        for (long i = 0; i < n; i++) {
            Complex x = Elements.complex(DType.C128, from + 16 * i);
            value = kind == Kind.SUM ? value.plus(x) : value.times(x);
        }
        Elements.set(DType.C128, to, value.re(), value.im());
    }
}
