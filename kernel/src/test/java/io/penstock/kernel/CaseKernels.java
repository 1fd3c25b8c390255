package io.penstock.kernel;

/** The kernels of {@link DeviceCasesTest}. */
final class CaseKernels {
    private CaseKernels() {}

    static void position(WorkItem at, Longs out) {
        out.set(at.x() + at.sizeX() * (at.y() + at.sizeY() * at.z()), at.x() + 100 * at.y() + 10000 * at.z());
    }

    static void boxes(
            WorkItem at, Doubles out, Double a, Integer unused, Long b, Boolean yes, Character c, Byte d, Float e) {
        double sum = a;
        for (int k = 0; k < 3; k++) sum = yes ? sum + b * at.x() : sum - b;
        out.set(at.x(), sum + 1000 * c + 0.5 * d + e.intValue() + b.byteValue());
    }

    static void depth(WorkItem at, Ints out) {
        out.set(at.y(), at.x(), (int) out.extent(2));
    }

    static void last(WorkItem at, Bytes out) {
        if (at.x() >= at.sizeX() - 3) out.set(at.x(), (byte) 7);
    }

    static void treeOfInts(WorkItem at, Ints out, Ints in) {
        Ints shared = at.localInts(at.groupSizeX());
        long k = at.localX();
        shared.set(k, in.get(at.x()));
        at.barrier();
        for (long half = at.groupSizeX() / 2; half > 0; half /= 2) {
            if (k < half && k + half < at.groupSizeX() && at.x() + half < at.sizeX())
                shared.set(k, shared.get(k) + shared.get(k + half));
            at.barrier();
        }
        if (k == 0) out.set(at.groupX(), shared.get(0));
    }

    static void treeOfFloats(WorkItem at, Floats out, Floats in) {
        Floats shared = at.localFloats(8);
        Floats other = at.localFloats(2, 9);
        long k = at.localX();
        other.set(1, k, in.get(at.x()));
        at.barrier();
        shared.set(k, other.get(1, k));
        at.barrier();
        for (int half = 4; half > 0; half >>= 1) {
            if (k < half && at.x() + half < at.sizeX()) shared.set(k, shared.get(k) + shared.get(k + half));
            at.barrier();
        }
        if (k == 0) out.set(at.groupX(), shared.get(0));
    }

    static void muchMemory(WorkItem at, Floats out, int size) {
        Floats shared = at.localFloats(size);
        shared.set(size - 1 - at.localX(), (float) at.x());
        at.barrier();
        out.set(at.x(), shared.get(size - at.groupSizeX() + at.localX()));
    }

    static void accumulates(WorkItem at, Floats out, Floats in, int n) {
        for (int k = 0; k < n; k++) out.set(at.x(), out.get(at.x()) + in.get(k) * in.get((at.x() + k) % n));
    }

    static void recurs(WorkItem at, Floats rows) {
        for (long j = 1; j < rows.columns(); j++)
            rows.set(at.x(), j, rows.get(at.x(), j - 1) * 0.5f + rows.get(at.x(), j));
    }

    static void counts(WorkItem at, Ints ints, Longs longs, Floats floats, Doubles doubles, Ints in, int bins) {
        Ints here = at.localInts(bins);
        for (long k = at.localX(); k < bins; k += at.groupSizeX()) here.set(k, 0);
        at.barrier();
        int bin = Math.floorMod(in.get(at.x()), bins);
        here.atomicAdd(bin, 1);
        longs.atomicAdd(bin, 1L << 33);
        floats.atomicAdd(bin, 0.5f);
        doubles.atomicAdd(bin, 0.25);
        at.barrier();
        for (long k = at.localX(); k < bins; k += at.groupSizeX()) ints.atomicAdd(k, here.get(k));
    }

    static void changes(WorkItem at, Ints ints, Longs longs, Floats floats, Doubles doubles) {
        ints.set(8, ints.atomicExchange(0, 5));
        ints.set(9, ints.atomicCompareExchange(1, 7, 8));
        ints.set(10, ints.atomicCompareExchange(2, 6, 8));
        ints.set(11, ints.atomicCompareAndSet(3, 9, 1) ? 1 : 2);
        ints.set(12, ints.atomicMin(4, -3));
        longs.set(4, longs.atomicExchange(0, -5L));
        longs.set(5, longs.atomicCompareExchange(1, 7L, 1L << 40));
        longs.set(6, longs.atomicMax(2, 1L << 35));
        longs.set(7, longs.atomicAnd(3, 0xff00ff00ff00L));
        floats.set(2, floats.atomicMin(0, -0f));
        floats.set(3, floats.atomicMax(1, Float.NaN));
        doubles.set(3, doubles.atomicExchange(0, 2.5));
        doubles.set(4, doubles.atomicMin(1, 3));
        doubles.set(5, doubles.atomicMax(2, 1e300));
    }

    private static float reach(Floats in, long i, int j) {
        return in.get(i, j);
    }

    static void indexed(WorkItem at, Floats out, Floats in, int shift, int column) {
        out.set(at.x(), reach(in, at.x() + shift, column));
    }

    static void flat(WorkItem at, Floats out, Floats in, long shift) {
        float[] own = {1, 2, 3};
        out.set(at.x(), in.get(at.x() + shift) + own[(int) at.x() & 1]);
    }

    static void sharedIndex(WorkItem at, Floats out, int shift) {
        Floats shared = at.localFloats(at.groupSizeX());
        shared.set(at.localX() + (at.x() == 5 ? shift : 0), 1);
        at.barrier();
        out.set(at.x(), shared.get(at.localX()) + 1);
        at.barrier();
        out.set(at.x(), out.get(at.x()) + 1);
    }

    static void ownIndex(WorkItem at, Ints out, Ints in) {
        int[] own = new int[4];
        own[in.get(at.x())] = 9;
        out.set(at.x(), own[3]);
    }

    /** How many ways to fail {@link #fails} knows. */
    static final int FAILURES = 12;

    static void fails(WorkItem at, Ints out, Floats in, int how) {
        int[] own = new int[3];
        int x = (int) at.x();
        own[x % 3] = x;
        if (x == 2) {
            switch (how) {
                case 0 -> out.set(x + 5, 1);
                case 1 -> out.set(-1, (int) in.get(0, 0));
                case 2 -> out.set(0, (int) in.get(x, x + 1));
                case 3 -> out.set(0, (int) in.get(12));
                case 4 -> own[x + 1] = 4;
                case 5 -> own[-x] = 4;
                case 6 -> out.set(0, how / (x - 2));
                case 7 -> out.set(0, (int) (how % (at.x() - 2)));
                case 8 -> throw new IllegalStateException("x is " + x + ", not " + 0.5 * x + " or " + (x > 1));
                case 9 -> throw new UnsupportedOperationException();
                case 10 -> {
                    assert x < 0;
                }
                default -> {
                    assert x < 0 : "x is " + x;
                }
            }
        }
        out.set(x, own[0]);
    }

    static void integers(WorkItem at, Ints out, Longs wide, Ints in, Doubles from) {
        int a = in.get(at.x());
        int b = in.get((at.x() + 1) % in.length());
        long c = (long) a * b;
        out.set(at.x(), 0, b == 0 ? a + b : a / b);
        out.set(at.x(), 1, b == 0 ? a * b : a % b);
        out.set(at.x(), 2, (a << b) ^ (a >> b) ^ (a >>> b));
        out.set(at.x(), 3, (byte) a + (short) b + (char) a + (int) from.get(at.x()) + (int) (float) from.get(at.x()));
        wide.set(at.x(), 0, c == 0 ? a - b : c / (b | 1) + c % (a | 1));
        wide.set(at.x(), 1, (c << a) ^ (c >> b) ^ (c >>> a) ^ (long) from.get(at.x()));
    }

    /** Of a number that is known to be small a shift by 32 and more, and of the least number the sign of what abs gives. */
    static void farShifts(WorkItem at, Longs out, Ints in) {
        long small = at.x() - 3;
        long by = 9 * at.x();
        out.set(at.x(), 0, small >> by);
        out.set(at.x(), 1, small << by);
        out.set(at.x(), 2, small >>> by);
        int k = Math.abs(in.get(at.x()));
        if (!(0 > k)) out.set(at.x(), 3, k);
        long wide = Math.abs((long) in.get(at.x()) << 32);
        if (wide >= 0) out.set(at.x(), 4, wide);
    }

    static void divides(WorkItem at, Ints out, Ints by) {
        out.set(at.x(), 12 / by.get(at.x()) + 12 % by.get(at.x()));
    }

    static void reals(WorkItem at, Floats f, Doubles d) {
        float a = f.get(at.x(), 0);
        float b = f.get(at.x(), 1);
        double x = d.get(at.x(), 0);
        double y = d.get(at.x(), 1);
        f.set(at.x(), 2, a * b - a);
        f.set(at.x(), 3, a / b + (float) Math.sqrt(b));
        f.set(at.x(), 4, Math.min(a, b) - Math.max(-a, b));
        f.set(at.x(), 5, Math.fma(a, b, -a) + (a < b ? 1 : a != b ? 2 : 3));
        f.set(at.x(), 6, a % b);
        d.set(at.x(), 2, x * y - x);
        d.set(at.x(), 3, x / y + Math.sqrt(y));
        d.set(at.x(), 4, Math.min(x, y) - Math.max(-x, y));
        d.set(at.x(), 5, Math.fma(x, y, -x) + (x >= y ? 1 : 2));
        d.set(at.x(), 6, Math.floor(x) + Math.rint(y) + Math.abs(x) * Math.signum(y));
    }
}
