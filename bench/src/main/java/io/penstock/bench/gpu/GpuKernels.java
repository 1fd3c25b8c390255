package io.penstock.bench.gpu;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Longs;
import io.penstock.kernel.WorkItem;

/** The kernels as a user would write them; {@code peer.cu} has their twins. */
final class GpuKernels {
    /** The edge of the tiles that a group shares. */
    static final int TILE = 32;

    /** How many rows of items a group of the transpose has; each item does {@code TILE / ROWS} elements. */
    static final int ROWS = 8;

    /** How many items a group of the sum has. */
    static final int ITEMS = 256;

    private GpuKernels() {}

    static void fill(WorkItem at, Floats out) {
        out.set(at.x(), value(at.x()));
    }

    /** What is put at a place: between -1/2 and 1/2, and not periodic along rows. */
    static float value(long place) {
        return (float) (place * 7919 % 10007) / 10007 - 0.5f;
    }

    static void copy(WorkItem at, Floats to, Floats from) {
        to.set(at.x(), from.get(at.x()));
    }

    /** A copy that nobody can prove to stay inside: where it begins is read from memory. */
    static void copyFrom(WorkItem at, Floats to, Floats from, Longs begin) {
        long i = at.x() + begin.get(0);
        to.set(i, from.get(i));
    }

    static void triad(WorkItem at, Floats a, Floats b, Floats c, float factor) {
        a.set(at.x(), b.get(at.x()) + factor * c.get(at.x()));
    }

    static void triadFrom(WorkItem at, Floats a, Floats b, Floats c, float factor, Longs begin) {
        long i = at.x() + begin.get(0);
        a.set(i, b.get(i) + factor * c.get(i));
    }

    static void stencil(WorkItem at, Floats out, Floats in) {
        long i = at.z(), j = at.y(), k = at.x();
        if (i == 0 || j == 0 || k == 0) return;
        if (i == at.sizeZ() - 1 || j == at.sizeY() - 1 || k == at.sizeX() - 1) return;
        float around = in.get(i - 1, j, k) + in.get(i + 1, j, k) + in.get(i, j - 1, k) + in.get(i, j + 1, k);
        out.set(i, j, k, around + in.get(i, j, k - 1) + in.get(i, j, k + 1) - 6 * in.get(i, j, k));
    }

    static void stencilFrom(WorkItem at, Floats out, Floats in, Longs begin) {
        long i = at.z(), j = at.y(), k = at.x() + begin.get(0);
        if (i == 0 || j == 0 || k == 0) return;
        if (i == at.sizeZ() - 1 || j == at.sizeY() - 1 || k == at.sizeX() - 1) return;
        float around = in.get(i - 1, j, k) + in.get(i + 1, j, k) + in.get(i, j - 1, k) + in.get(i, j + 1, k);
        out.set(i, j, k, around + in.get(i, j, k - 1) + in.get(i, j, k + 1) - 6 * in.get(i, j, k));
    }

    static void map(WorkItem at, Floats out, Floats a, Floats b, Floats c, Floats d, Floats e) {
        long i = at.x();
        out.set(i, (a.get(i) + b.get(i)) * c.get(i) - d.get(i) * e.get(i));
    }

    static void mapFrom(WorkItem at, Floats out, Floats a, Floats b, Floats c, Floats d, Floats e, Longs begin) {
        long i = at.x() + begin.get(0);
        out.set(i, (a.get(i) + b.get(i)) * c.get(i) - d.get(i) * e.get(i));
    }

    /** Leaves each group's sum, added in one order whatever the device does first. */
    static void sum(WorkItem at, Floats sums, Floats in) {
        sum(at, sums, in, 0);
    }

    static void sumFrom(WorkItem at, Floats sums, Floats in, Longs begin) {
        sum(at, sums, in, begin.get(0));
    }

    private static void sum(WorkItem at, Floats sums, Floats in, long begin) {
        Floats tree = at.localFloats(ITEMS);
        float own = 0;
        for (long k = at.x(); k < in.length(); k += at.sizeX()) own += in.get(k + begin);
        long i = at.localX();
        tree.set(i, own);
        at.barrier();
        for (int half = ITEMS / 2; half > 0; half /= 2) {
            if (i < half) tree.set(i, tree.get(i) + tree.get(i + half));
            at.barrier();
        }
        if (i == 0) sums.set(at.groupX(), tree.get(0));
    }

    /** A group of {@code ROWS} times {@code TILE} items carries a tile; the matrix is cut into whole tiles. */
    static void transpose(WorkItem at, Floats out, Floats in) {
        transpose(at, out, in, 0);
    }

    static void transposeFrom(WorkItem at, Floats out, Floats in, Longs begin) {
        transpose(at, out, in, begin.get(0));
    }

    private static void transpose(WorkItem at, Floats out, Floats in, long begin) {
        Floats tile = at.localFloats(TILE, TILE + 1);
        long i = at.localY(), j = at.localX();
        long top = at.groupY() * TILE, left = at.groupX() * TILE + begin;
        for (int k = 0; k < TILE; k += ROWS) tile.set(i + k, j, in.get(top + i + k, left + j));
        at.barrier();
        for (int k = 0; k < TILE; k += ROWS) out.set(left + i + k, top + j, tile.get(j, i + k));
    }

    /** {@code c = a * b}; an item does one element, and a group reads tiles of both. The matrices are cut into whole tiles. */
    static void product(WorkItem at, Floats c, Floats a, Floats b) {
        product(at, c, a, b, 0);
    }

    static void productFrom(WorkItem at, Floats c, Floats a, Floats b, Longs begin) {
        product(at, c, a, b, begin.get(0));
    }

    private static void product(WorkItem at, Floats c, Floats a, Floats b, long begin) {
        Floats left = at.localFloats(TILE, TILE);
        Floats right = at.localFloats(TILE, TILE);
        long i = at.localY(), j = at.localX();
        float sum = 0;
        for (long tile = 0; tile < a.columns(); tile += TILE) {
            left.set(i, j, a.get(at.y(), tile + j + begin));
            right.set(i, j, b.get(tile + i + begin, at.x()));
            at.barrier();
            for (int k = 0; k < TILE; k++) sum = Math.fma(left.get(i, k), right.get(k, j), sum);
            at.barrier();
        }
        c.set(at.y(), at.x(), sum);
    }
}
