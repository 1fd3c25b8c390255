package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;

/**
 * The recursion behind an integral: {@code y[0] = c x[0]}, {@code y[1] = d x[0] + b x[1]} and from there
 * {@code y[i] = y[i - 1] + a x[i - 1] + b x[i]}. The adjoint is a recursion backwards,
 * {@code x[i] = x[i + 1] + b y[i] + a y[i + 1]}, with {@code x[0] = c y[0] + d (y[1] + y[2] + ...)} in the end.
 */
record RunningSum(double a, double b, double c, double d) {
    /** Reals worth a core of their own. */
    private static final long GRAIN = 1 << 15;

    static RunningSum of(CausalIntegration.Kind kind, double sampling) {
        Axes.requireSampling(sampling);
        return switch (kind) {
            case FULL -> new RunningSum(0, sampling, sampling, sampling);
            case HALF -> new RunningSum(sampling / 2, sampling / 2, sampling / 2, sampling);
            case TRAPEZOIDAL -> new RunningSum(sampling / 2, sampling / 2, sampling / 2, sampling / 2);
        };
    }

    /** The recursion for a stretch that others come before, whose contribution is added later. */
    RunningSum continued() {
        return new RunningSum(a, b, b, a + b);
    }

    /** What the first row of the adjoint takes of the sum of later rows, relative to what other rows take. */
    double firstShare() {
        return d / (a + b);
    }

    /**
     * The recursion along rows of contiguous arrays.
     *
     * @param skip whether {@code y} lacks its first row
     */
    void forward(Lines lines, NDArray x, NDArray y, boolean skip) {
        long from = x.addressToRead();
        long to = y.address();
        inParallel(lines, block -> {
            long step = lines.step();
            rows(lines, from + block * lines.n() * step, to + block * (lines.n() - (skip ? 1 : 0)) * step, skip);
        });
    }

    private void rows(Lines lines, long x, long y, boolean skip) {
        RealRows rows = lines.rows();
        long step = lines.step();
        long count = lines.inner();
        long at = y;
        if (!skip) {
            rows.scale(at, c, x, count);
            at += step;
        }
        for (long i = 1; i < lines.n(); i++, at += step) {
            long here = x + i * step;
            if (i == 1) {
                rows.scale(at, d, x, count);
                rows.add(at, at, b, here, count);
            } else if (a == 0) rows.add(at, at - step, b, here, count);
            else rows.add(at, at - step, a, here - step, b, here, count);
        }
    }

    /** The adjoint of {@link #forward}. */
    void adjoint(Lines lines, NDArray y, NDArray x, boolean skip) {
        long from = y.addressToRead();
        long to = x.address();
        inParallel(lines, block -> {
            long step = lines.step();
            long missing = skip ? 1 : 0;
            rowsBack(
                    lines,
                    from + (block * (lines.n() - missing) - missing) * step,
                    to + block * lines.n() * step,
                    skip);
        });
    }

    /** {@code y} is where row 0 lies, or would lie. */
    private void rowsBack(Lines lines, long y, long x, boolean skip) {
        RealRows rows = lines.rows();
        long step = lines.step();
        long count = lines.inner();
        long last = lines.n() - 1;
        for (long i = last; i > 0; i--) {
            long at = x + i * step;
            long here = y + i * step;
            if (i == last) rows.scale(at, b, here, count);
            else if (a == 0) rows.add(at, at + step, b, here, count);
            else rows.add(at, at + step, b, here, a, here + step, count);
        }
        if (last == 0 && skip) HostMemory.ALL.asSlice(x, step).fill((byte) 0);
        else if (last == 0) rows.scale(x, c, y, count);
        else firstRow(rows, y, x, step, count, skip);
    }

    /** {@code x[0] = c y[0] + d (y[1] + y[2] + ...)}, where the sum is {@code (x[1] + a y[1]) / (a + b)}. */
    private void firstRow(RealRows rows, long y, long x, long step, long count, boolean skip) {
        double share = firstShare();
        rows.scale(x, share, x + step, count);
        if (a != 0) rows.add(x, x, share * a, y + step, count);
        if (!skip) rows.add(x, x, c, y, count);
    }

    private interface BlockBody {
        void run(long block);
    }

    private static void inParallel(Lines lines, BlockBody body) {
        if (lines.n() == 0) return;
        long grain = Math.max(1, GRAIN / Math.max(1, lines.n() * lines.inner()));
        Device.jvm().queue().parallel(lines.outer(), grain, (from, to) -> {
            for (long block = from; block < to; block++) body.run(block);
        });
    }
}
