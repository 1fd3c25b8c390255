package io.penstock.kernel;

import java.lang.invoke.MethodHandles;

/** Kernels of {@link LaunchCacheTest}, which finds their class file and that of what they call. */
final class CachedKernels {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private CachedKernels() {}

    static final class Called {
        private Called() {}

        static int checked(int k) {
            assert k != 815 : "not 815";
            return k;
        }

        static int factor(int k) {
            if (k == 4711) throw new IllegalStateException("no factor for " + k);
            return 1234;
        }
    }

    static void scale(WorkItem at, Ints out, Ints in, int by) {
        assert by > 0;
        out.set(at.x(), in.get(at.x() + 5678) / by * Called.factor(by));
    }

    static void other(WorkItem at, Ints out, Ints in, int by) {
        int step = Called.checked(by);
        for (long k = at.x(); k < in.length(); k += step) out.set(at.x(), out.get(at.x()) + in.get(k));
    }

    static void shared(WorkItem at, Ints out, Ints in, int by) {
        Ints line = at.localInts(at.groupSizeX() + by);
        line.set(at.localX() + by, in.get(at.x()));
        at.barrier();
        out.set(at.x(), line.get(at.localX()));
    }

    static void own(WorkItem at, Ints out, Ints in, int by) {
        int[] few = new int[3];
        few[in.get(at.x())] = by;
        out.set(at.x(), few[0] + few[2]);
    }
}
