package io.penstock.array;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Operations element by element on arrays of any types and strides: a loop over contiguous elements of one type, fed directly
 * where the memory allows it and else through small tiles that stay in the nearest cache.
 */
final class Elementwise {
    /** Elements of a tile. */
    static final int TILE = 1024;

    private static final int TILE_BYTES = TILE * 16;
    private static final ThreadLocal<MemorySegment> SCRATCH = ThreadLocal.withInitial(Elementwise::newScratch);

    private Elementwise() {}

    /** A loop from one contiguous stretch to another. */
    interface UnaryLoop {
        void run(long y, long x, long n);
    }

    /** A loop from two contiguous stretches to a third. */
    interface BinaryLoop {
        void run(long z, long x, long y, long n);
    }

    /** Room for three tiles; it lives as long as the process, one for each thread that ever worked on arrays. */
    private static MemorySegment newScratch() {
        return Arena.ofAuto().allocate(3 * TILE_BYTES, 64);
    }

    /** {@code y = loop(x)} with {@code x} as {@code in} and the loop's result as {@code out}. */
    static void unary(NDArray y, NDArray x, DType in, DType out, UnaryLoop loop) {
        if (Queued.isNeeded()) {
            Queued.submit("elementwise", () -> unary(y, x, in, out, loop), y, x);
            return;
        }
        if (isReady(y, out) && isReady(x, in)) {
            Dense.map(loop, y.address(), out.bytes(), x.address(), in.bytes(), y.size());
            return;
        }
        Runs.of(y, x).parallel((at, step, n) -> {
            boolean directX = isDirect(x, in, step[1]);
            boolean directY = isDirect(y, out, step[0]);
            if (directX && directY) {
                loop.run(at[0], at[1], n);
                return;
            }
            long scratch = SCRATCH.get().address();
            for (long i = 0; i < n; i += TILE) {
                long m = Math.min(TILE, n - i);
                long to = directY ? at[0] + i * step[0] : scratch;
                loop.run(to, operand(x, at[1] + i * step[1], step[1], in, directX, scratch + TILE_BYTES, m), m);
                if (!directY) Convert.run(out, to, out.bytes(), y.dtype(), at[0] + i * step[0], step[0], m);
            }
        });
    }

    /** {@code z = loop(x, y)} with {@code x} and {@code y} as {@code in} and the loop's result as {@code out}. */
    static void binary(NDArray z, NDArray x, NDArray y, DType in, DType out, BinaryLoop loop) {
        if (Queued.isNeeded()) {
            Queued.submit("elementwise", () -> binary(z, x, y, in, out, loop), z, x, y);
            return;
        }
        if (isReady(z, out) && isReady(x, in) && isReady(y, in)) {
            Dense.map(loop, z.address(), out.bytes(), x.address(), y.address(), in.bytes(), z.size());
            return;
        }
        Runs.of(z, x, y).parallel((at, step, n) -> run(z, x, y, in, out, loop, at, step, n));
    }

    /** One run of {@link #binary}. */
    static void run(
            NDArray z, NDArray x, NDArray y, DType in, DType out, BinaryLoop loop, long[] at, long[] step, long n) {
        boolean directX = isDirect(x, in, step[1]);
        boolean directY = isDirect(y, in, step[2]);
        boolean directZ = isDirect(z, out, step[0]);
        if (directX && directY && directZ) {
            loop.run(at[0], at[1], at[2], n);
            return;
        }
        long scratch = SCRATCH.get().address();
        for (long i = 0; i < n; i += TILE) {
            long m = Math.min(TILE, n - i);
            long to = directZ ? at[0] + i * step[0] : scratch;
            long a = operand(x, at[1] + i * step[1], step[1], in, directX, scratch + TILE_BYTES, m);
            long b = operand(y, at[2] + i * step[2], step[2], in, directY, scratch + 2 * TILE_BYTES, m);
            loop.run(to, a, b, m);
            if (!directZ) Convert.run(out, to, out.bytes(), z.dtype(), at[0] + i * step[0], step[0], m);
        }
    }

    /** Hands a run of one array to {@code loop}, as both of its stretches, contiguous and of type {@code in}. */
    static void feed(NDArray x, DType in, long at, long step, long n, UnaryLoop loop) {
        boolean direct = isDirect(x, in, step);
        long scratch = SCRATCH.get().address();
        for (long i = 0; i < n; i += TILE) {
            long m = Math.min(TILE, n - i);
            long a = operand(x, at + i * step, step, in, direct, scratch, m);
            loop.run(a, a, m);
        }
    }

    /** Hands a run of two arrays to {@code loop} as contiguous stretches of type {@code in}. */
    static void feed(NDArray x, NDArray y, DType in, long[] at, long[] step, long n, UnaryLoop loop) {
        boolean directX = isDirect(x, in, step[0]);
        boolean directY = isDirect(y, in, step[1]);
        long scratch = SCRATCH.get().address();
        long most = directX && directY ? n : TILE;
        for (long i = 0; i < n; i += most) {
            long m = Math.min(most, n - i);
            long a = operand(x, at[0] + i * step[0], step[0], in, directX, scratch, m);
            loop.run(a, operand(y, at[1] + i * step[1], step[1], in, directY, scratch + TILE_BYTES, m), m);
        }
    }

    private static boolean isReady(NDArray array, DType type) {
        return array.isContiguous() && array.dtype() == type;
    }

    private static boolean isDirect(NDArray array, DType type, long step) {
        return array.dtype() == type && step == type.bytes();
    }

    private static long operand(NDArray x, long at, long step, DType in, boolean direct, long tile, long n) {
        if (direct) return at;
        Convert.run(x.dtype(), at, step, in, tile, in.bytes(), n);
        return tile;
    }

    /** {@code y = x}, converted. */
    static void assign(NDArray y, NDArray x) {
        if (Placement.isElsewhere(y, x)) {
            Transfer.assign(y, x);
            return;
        }
        if (HostKernels.assign(y, x)) return;
        if (Queued.isNeeded()) {
            Queued.submit("assign", () -> assign(y, x), y, x);
            return;
        }
        if (y.isContiguous() && x.isContiguous() && y.dtype() == x.dtype()) {
            Dense.copy(y.address(), x.address(), y.size() * y.dtype().bytes());
            return;
        }
        Runs.of(y, x).parallel((at, step, n) -> Convert.run(x.dtype(), at[1], step[1], y.dtype(), at[0], step[0], n));
    }

    /** Sets every element to one value. */
    static void fill(NDArray y, double re, double im) {
        if (Placement.isElsewhere(y)) {
            Transfer.fill(y, re, im);
            return;
        }
        if (Queued.isNeeded()) {
            Queued.submit("fill", () -> fill(y, re, im), y);
            return;
        }
        DType dtype = y.dtype();
        if (!y.isContiguous()) {
            Runs.of(y).parallel((at, step, n) -> {
                for (long i = 0; i < n; i++) Elements.set(dtype, at[0] + i * step[0], re, im);
            });
        } else if (dtype.kind() == DType.Kind.REAL) {
            Dense.fill(dtype, y.address(), y.size(), re);
        } else {
            long first = Math.min(y.size(), TILE);
            for (long i = 0; i < first; i++) Elements.set(dtype, y.address() + i * dtype.bytes(), re, im);
            Dense.repeat(y.address(), first * dtype.bytes(), y.size() * dtype.bytes());
        }
    }
}
