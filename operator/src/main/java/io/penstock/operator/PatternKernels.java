package io.penstock.operator;

import io.penstock.kernel.Kernel;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kernels that were made of patterns: those asked for last are kept, others are made again. */
final class PatternKernels {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /** More than a program uses at a time; each keeps its code in memory, and on devices its compiled programs. */
    private static final int MOST_KEPT = 128;

    private static final Map<Key, Kernel> KEPT = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Kernel> eldest) {
            return size() > MOST_KEPT;
        }
    };

    private record Key(StencilPattern pattern, boolean accumulate, boolean inRows) {
        byte[] classFile() {
            return inRows ? KindCode.of(pattern, accumulate) : TapCode.of(pattern, accumulate);
        }
    }

    private PatternKernels() {}

    /** The kernel for a pattern on devices, which sets its results or adds to them. */
    static Kernel onDevice(StencilPattern pattern, boolean accumulate) {
        return of(new Key(pattern, accumulate, false));
    }

    /** The same for rows of vectors on the JVM. */
    static Kernel inRows(StencilPattern pattern, boolean accumulate) {
        return of(new Key(pattern, accumulate, true));
    }

    private static Kernel of(Key wanted) {
        synchronized (KEPT) {
            return KEPT.computeIfAbsent(wanted, key -> Kernel.of(LOOKUP, key.classFile()));
        }
    }
}
