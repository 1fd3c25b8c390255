package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.LaunchWords;
import io.penstock.kernel.reach.Reach;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A launch as compiled kernels see it: its numbers in one array, and what their code may rely on. */
final class LaunchNumbers {
    private LaunchNumbers() {}

    /** The numbers of a launch; see {@link LaunchWords}. */
    static long[] of(Object[] values, Range range) {
        long[] words = new long[LaunchWords.of(values.length)];
        words[LaunchWords.SIZE_X] = range.x();
        words[LaunchWords.SIZE_Y] = range.y();
        words[LaunchWords.SIZE_Z] = range.z();
        for (int k = 0; k < values.length; k++) {
            int first = LaunchWords.of(k);
            switch (values[k]) {
                case ElementView view -> view.describe(words, first);
                case Float f -> words[first] = Float.floatToRawIntBits(f);
                case Double d -> words[first] = Double.doubleToRawLongBits(d);
                case Boolean b -> words[first] = b ? 1 : 0;
                case Character c -> words[first] = c;
                case Object number -> words[first] = ((Number) number).longValue();
            }
        }
        return words;
    }

    static LaunchShape shape(KernelCode code, Reach.Result reach, Object[] values) {
        List<Integer> dimensions = new ArrayList<>();
        BitSet adjacent = new BitSet();
        for (int k = 0; k < values.length; k++) {
            dimensions.add(values[k] instanceof ElementView view ? view.dimensions() : 0);
            adjacent.set(k, values[k] instanceof ElementView view && view.isAdjacent());
        }
        return LaunchShape.of(code, reach, dimensions, adjacent);
    }
}
