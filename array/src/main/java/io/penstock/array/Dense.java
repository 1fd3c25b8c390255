package io.penstock.array;

import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Queue;
import java.lang.foreign.MemorySegment;

/**
 * Vector operations on contiguous floating-point arrays, on all cores where an array is long enough.
 *
 * <p>Lengths count elements. Sums are taken in blocks of fixed size that are combined in order, so that they do not depend on
 * the number of threads.
 */
final class Dense {
    /** Elements of a block of a sum. */
    static final long BLOCK = 1 << 15;

    private static final long GRAIN = Runs.GRAIN;

    private Dense() {}

    private static void parallel(long n, Queue.RangeBody body) {
        if (n <= GRAIN) body.run(0, n);
        else Device.jvm().queue().parallel(n, GRAIN, body);
    }

    /** How many real numbers {@code n} elements are. */
    private static long reals(DType dtype, long n) {
        return dtype.isComplex() ? 2 * n : n;
    }

    static void copy(long y, long x, long bytes) {
        MemorySegment all = HostMemory.ALL;
        if (bytes <= 8 * GRAIN) MemorySegment.copy(all, x, all, y, bytes);
        else
            Device.jvm()
                    .queue()
                    .parallel(
                            bytes,
                            8 * GRAIN,
                            (from, to) -> MemorySegment.copy(all, x + from, all, y + from, to - from));
    }

    /** Repeats the first {@code period} bytes until {@code bytes} are full. */
    static void repeat(long y, long period, long bytes) {
        MemorySegment all = HostMemory.ALL;
        if (period == 0) return;
        long repeats = (bytes - 1) / period;
        Device.jvm().queue().parallel(repeats, Math.max(1, 8 * GRAIN / period), (from, to) -> {
            for (long k = from + 1; k <= to; k++)
                MemorySegment.copy(all, y, all, y + k * period, Math.min(period, bytes - k * period));
        });
    }

    /** Sets every part of every element to {@code value}. */
    static void fill(DType dtype, long y, long n, double value) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.real().bytes();
        parallel(reals(dtype, n), (from, to) -> loops.fill(y + from * bytes, to - from, value));
    }

    static void scale(DType dtype, long y, long n, double alpha) {
        scaled(dtype, y, y, n, alpha);
    }

    static void scaled(DType dtype, long y, long x, long n, double alpha) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.real().bytes();
        parallel(reals(dtype, n), (from, to) -> loops.scaled(y + from * bytes, x + from * bytes, to - from, alpha));
    }

    static void scaledComplex(DType dtype, long y, long x, long n, Complex alpha) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.bytes();
        parallel(
                n,
                (from, to) ->
                        loops.scaledComplex(y + from * bytes, x + from * bytes, to - from, alpha.re(), alpha.im()));
    }

    static void axpy(DType dtype, long y, long x, long n, double alpha) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.real().bytes();
        parallel(reals(dtype, n), (from, to) -> loops.axpy(y + from * bytes, x + from * bytes, to - from, alpha));
    }

    static void axpyComplex(DType dtype, long y, long x, long n, Complex alpha) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.bytes();
        parallel(
                n,
                (from, to) -> loops.axpyComplex(y + from * bytes, x + from * bytes, to - from, alpha.re(), alpha.im()));
    }

    static void axpby(DType dtype, long y, long x, long n, double alpha, double beta) {
        if (beta == 0) {
            scaled(dtype, y, x, n, alpha);
            return;
        }
        if (beta == 1) {
            axpy(dtype, y, x, n, alpha);
            return;
        }
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long bytes = dtype.real().bytes();
        parallel(
                reals(dtype, n), (from, to) -> loops.axpby(y + from * bytes, x + from * bytes, to - from, alpha, beta));
    }

    /** Runs a loop over {@code n} elements, whose sizes in bytes are given. */
    static void map(Elementwise.UnaryLoop loop, long y, long yBytes, long x, long xBytes, long n) {
        if (n <= GRAIN) loop.run(y, x, n);
        else parallel(n, (from, to) -> loop.run(y + from * yBytes, x + from * xBytes, to - from));
    }

    /** Runs a loop over {@code n} elements, whose sizes in bytes are given. */
    static void map(Elementwise.BinaryLoop loop, long z, long zBytes, long x, long y, long bytes, long n) {
        if (n <= GRAIN) loop.run(z, x, y, n);
        else parallel(n, (from, to) -> loop.run(z + from * zBytes, x + from * bytes, y + from * bytes, to - from));
    }

    /** The sum of {@code conj(x) * y}. */
    static Complex dot(DType dtype, long x, long y, long n) {
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        if (!dtype.isComplex()) return Complex.of(dotReal(loops, dtype.bytes(), x, y, n));
        if (x == y) return Complex.of(dotReal(loops, dtype.bytes() / 2, x, y, 2 * n));
        int blocks = Math.toIntExact((n + BLOCK - 1) / BLOCK);
        double[] partial = new double[2 * Math.max(blocks, 1)];
        long bytes = dtype.bytes();
        forEachBlock(
                n,
                blocks,
                (b, from, count) -> loops.dotComplex(x + from * bytes, y + from * bytes, count, partial, 2 * b));
        double re = 0;
        double im = 0;
        for (int b = 0; b < blocks; b++) {
            re += partial[2 * b];
            im += partial[2 * b + 1];
        }
        return new Complex(re, im);
    }

    static double dotReal(RealLoops loops, long bytes, long x, long y, long n) {
        if (n <= BLOCK) return loops.dot(x, y, n);
        int blocks = Math.toIntExact((n + BLOCK - 1) / BLOCK);
        double[] partial = new double[blocks];
        forEachBlock(n, blocks, (b, from, count) -> partial[b] = loops.dot(x + from * bytes, y + from * bytes, count));
        double sum = 0;
        for (double part : partial) sum += part;
        return sum;
    }

    /** Work on one block of a sum. */
    interface BlockBody {
        void run(int block, long from, long count);
    }

    /** Runs {@code body} for each of {@code blocks} blocks that make up {@code n} elements, on all cores. */
    static void forEachBlock(long n, int blocks, BlockBody body) {
        Device.jvm().queue().parallel(blocks, 2, (first, end) -> {
            for (long b = first; b < end; b++) body.run((int) b, b * BLOCK, Math.min(BLOCK, n - b * BLOCK));
        });
    }
}
