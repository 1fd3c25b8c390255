package io.penstock.array;

import io.penstock.runtime.Device;

/** The parts of {@link MatrixProduct} that differ for complex elements. */
final class ComplexProduct {
    /** Rows of the right matrix in a panel. */
    private static final int PANEL = 64;

    private ComplexProduct() {}

    /**
     * {@code c = a b}: a product with {@code p + iq} is {@code p} times a row plus {@code q} times that row turned by i, both real
     * weights of {@link Taps}. The turned rows are made once.
     */
    static void panels(NDArray c, NDArray a, NDArray b, boolean conjugate) {
        DType real = c.dtype().real();
        NDArray rows = NDArray.empty(c.device(), c.dtype(), 2, b.dim(0), b.dim(1));
        rows.at(0, 0).assign(b);
        rows.at(0, 1).assign(b);
        rows.at(0, 1).scale(Complex.I);
        long depth = b.dim(0);
        long pitch = 2 * b.dim(1);
        long grain = Math.max(1, (1 << 15) / Math.max(1, pitch * depth));
        Device.jvm().queue().parallel(c.dim(0), grain, (from, to) -> {
            double[] weights = new double[(int) (2 * Math.min(PANEL, depth))];
            long[] offsets = new long[weights.length];
            for (long k = 0; k < depth; k += PANEL) {
                int taps = (int) Math.min(PANEL, depth - k);
                for (int t = 0; t < taps; t++) {
                    offsets[2 * t] = t * pitch;
                    offsets[2 * t + 1] = (depth + t) * pitch;
                }
                long panel = rows.address() + k * pitch * real.bytes();
                for (long i = from; i < to; i++) {
                    gather(a, i, k, weights, taps, conjugate);
                    long y = c.address() + i * c.strides()[0] * c.dtype().bytes();
                    Taps.apply(real, y, panel, pitch, weights, offsets, 2 * taps, k > 0);
                }
            }
        });
        Alive.until(rows);
        rows.close();
    }

    private static void gather(NDArray a, long i, long k, double[] weights, int taps, boolean conjugate) {
        DType dtype = a.dtype();
        long step = a.strides()[1] * dtype.bytes();
        long at = a.addressToRead() + i * a.strides()[0] * dtype.bytes() + k * step;
        for (int t = 0; t < taps; t++) {
            weights[2 * t] = Elements.re(dtype, at + t * step);
            double im = Elements.im(dtype, at + t * step);
            weights[2 * t + 1] = conjugate ? -im : im;
        }
    }

    /** {@code y} is a weighted sum of columns that lie contiguously. */
    static void byColumns(NDArray y, NDArray a, NDArray x, boolean conjugate) {
        DType dtype = y.dtype();
        RealLoops loops = Provider.CHOSEN.loops(dtype);
        long depth = a.dim(1);
        long pitch = a.strides()[1] * dtype.bytes();
        y.fill(0);
        Device.jvm().queue().parallel(y.size(), Math.max(512, (1 << 15) / depth), (from, to) -> {
            for (long j = from; j < to; j += 512) {
                long n = Math.min(512, to - j);
                long at = y.address() + j * dtype.bytes();
                for (long k = 0; k < depth; k++) {
                    Complex weight = x.getComplex(k);
                    long column = a.addressToRead() + k * pitch + j * dtype.bytes();
                    loops.axpyComplex(at, column, n, weight.re(), conjugate ? -weight.im() : weight.im());
                }
            }
        });
        if (conjugate) y.conjugate();
        Alive.until(a);
    }
}
