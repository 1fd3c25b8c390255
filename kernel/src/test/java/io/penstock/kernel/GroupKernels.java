package io.penstock.kernel;

/** Kernels whose items work together, for the tests of the compiler and of every device. */
final class GroupKernels {
    private GroupKernels() {}

    static void reverse(WorkItem at, Ints out, Ints in) {
        Ints shared = at.localInts(at.groupSizeX());
        long last = Math.min(at.groupSizeX(), at.sizeX() - at.groupX() * at.groupSizeX()) - 1;
        shared.set(at.localX(), in.get(at.x()));
        at.barrier();
        out.set(at.x(), shared.get(last - at.localX()));
    }

    static void sums(WorkItem at, Doubles out, Doubles in) {
        Doubles shared = at.localDoubles(256);
        long k = at.localX();
        shared.set(k, in.get(at.x()));
        at.barrier();
        long left = Math.min(at.groupSizeX(), at.sizeX() - at.groupX() * at.groupSizeX());
        while (left > 1) {
            long half = (left + 1) / 2;
            if (k + half < left) shared.set(k, shared.get(k) + shared.get(k + half));
            at.barrier();
            left = half;
        }
        if (k == 0) out.set(at.groupX(), shared.get(0));
    }

    static void transpose(WorkItem at, Floats out, Floats in) {
        Floats tile = at.localFloats(at.groupSizeY(), at.groupSizeX() + 1);
        tile.set(at.localY(), at.localX(), in.get(at.y(), at.x()));
        at.barrier();
        out.set(at.x(), at.y(), tile.get(at.localY(), at.localX()));
    }

    static void untilDone(WorkItem at, Ints out, Ints steps) {
        Ints shared = at.localInts(1);
        Ints rounds = at.localInts(4, 8);
        long k = at.localX();
        if (k == 0) shared.set(0, steps.get(at.groupX()));
        at.barrier();
        while (shared.get(0) > 0) {
            rounds.atomicAdd(shared.get(0) & 3, 1, 1);
            at.barrier();
            if (k == 0) shared.set(0, shared.get(0) - 1);
            at.barrier();
        }
        out.set(at.x(), shared.get(0) + steps.get(at.groupX()));
    }

    static void histogram(WorkItem at, Ints counts, Longs wide, Ints in) {
        int v = in.get(at.x());
        counts.atomicAdd(v & 3, 1);
        wide.atomicAdd(0, v & 3, (long) v);
        wide.atomicMin(1, 0, (long) v);
        wide.atomicMax(1, 1, (long) v);
        wide.atomicXor(1, 2, (long) v);
        counts.atomicOr(4, 1 << (v & 31));
        counts.atomicAnd(5, ~(1 << (v & 31)));
        counts.atomicMin(6, v);
        counts.atomicMax(7, v);
    }

    static void privates(WorkItem at, Ints out, Ints in) {
        int[] kept = new int[8];
        byte[] small = {1, 2, (byte) 300};
        for (int k = 0; k < 64; k++) {
            kept[in.get((at.x() + k) % in.length()) & 7] += k;
            at.barrier();
        }
        int total = small[2];
        for (int k = 0; k < kept.length; k++) total = total * 31 + kept[k];
        out.set(at.x(), total);
    }

    static void ids(WorkItem at, Longs out) {
        out.set(
                at.z(),
                at.y(),
                at.x(),
                at.localX()
                        + 10 * at.localY()
                        + 100 * at.localZ()
                        + 1000 * (at.groupX() + 10 * at.groupY() + 100 * at.groupZ())
                        + 1000000 * (at.groupsX() + 10 * at.groupsY() + 100 * at.groupsZ()));
    }

    record Complex(double re, double im) {
        Complex plus(Complex other) {
            return new Complex(re + other.re, im + other.im);
        }

        Complex times(Complex other) {
            return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
        }

        double size() {
            return re * re + im * im;
        }
    }

    record Pair(Complex one, int count) {
        Pair {
            if (count < 0) throw new IllegalArgumentException("count is " + count + "; expected 0 or more");
        }

        static Pair of(Complex z) {
            return new Pair(z, 0);
        }
    }

    static void mandelbrot(WorkItem at, Ints out, double scale, int most) {
        Complex c = new Complex(at.x() * scale - 2, at.y() * scale - 1);
        Pair now = Pair.of(new Complex(0, 0));
        while (now.count() < most && now.one().size() < 4)
            now = new Pair(now.one().times(now.one()).plus(c), now.count() + 1);
        out.set(at.y(), at.x(), now.count());
    }

    static void throwing(WorkItem at, Ints out, Ints in, int limit) {
        int v = in.get(at.x());
        if (v > limit)
            throw new IllegalStateException("element " + at.x() + " is " + v + "; expected at most " + limit);
        assert v != -7 : "seven";
        out.set(at.x(), Math.addExact(v, 1));
    }
}
