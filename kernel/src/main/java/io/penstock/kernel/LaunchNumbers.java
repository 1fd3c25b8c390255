package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.LocalArray;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.jvm.LaunchNeeds;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.LaunchWords;
import io.penstock.kernel.jvm.Repetition;
import io.penstock.kernel.jvm.Scratch;
import io.penstock.kernel.reach.Reach;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A launch as compiled kernels see it: all its numbers, and the scratch memory that each thread needs. */
final class LaunchNumbers {
    private static final long ALIGNMENT = 64;

    private final long[] words;
    private final long scratchBytes;

    private LaunchNumbers(long[] words, long scratchBytes) {
        this.words = words;
        this.scratchBytes = scratchBytes;
    }

    /** The numbers; see {@link LaunchWords}. Not to be changed. */
    long[] words() {
        return words;
    }

    long scratchBytes() {
        return scratchBytes;
    }

    static LaunchNumbers of(LaunchNeeds needs, Object[] values, Range range) {
        List<Value> shared = needs.shared();
        long[] words = new long[LaunchWords.of(values.length + shared.size())];
        words[LaunchWords.SIZE_X] = range.x();
        words[LaunchWords.SIZE_Y] = range.y();
        words[LaunchWords.SIZE_Z] = range.z();
        words[LaunchWords.GROUP_X] = range.group().x();
        words[LaunchWords.GROUP_X + 1] = range.group().y();
        words[LaunchWords.GROUP_X + 2] = range.group().z();
        words[LaunchWords.REPEATS] = repeats(needs.repetition(), values) ? 1 : 0;
        for (int k = 0; k < values.length; k++) describe(values[k], words, LaunchWords.of(k));
        long next = Scratch.PLACES;
        for (int k = 0; k < shared.size(); k++) {
            long[] extents = Interpreter.localShape(shared.get(k), new ViewSizes(values, range));
            next += share(shared.get(k), extents, next, words, LaunchWords.of(values.length + k));
        }
        words[LaunchWords.OWN] = next;
        next += needs.own();
        words[LaunchWords.STATE] = next;
        return new LaunchNumbers(words, next + needs.state());
    }

    /** Whether nothing that is written is read. */
    private static boolean repeats(Repetition repetition, Object[] values) {
        if (!repetition.possible()) return false;
        BitSet stored = repetition.stored();
        BitSet loaded = repetition.loaded();
        for (int w = stored.nextSetBit(0); w >= 0; w = stored.nextSetBit(w + 1))
            for (int r = loaded.nextSetBit(0); r >= 0; r = loaded.nextSetBit(r + 1))
                if (overlap((ElementView) values[w], (ElementView) values[r])) return false;
        return true;
    }

    private static boolean overlap(ElementView one, ElementView other) {
        return one.buffer().allocation() == other.buffer().allocation()
                && one.region().overlaps(other.region());
    }

    private static void describe(Object value, long[] words, int first) {
        switch (value) {
            case ElementView view -> view.describe(words, first);
            case Float f -> words[first] = Float.floatToRawIntBits(f);
            case Double d -> words[first] = Double.doubleToRawLongBits(d);
            case Boolean b -> words[first] = b ? 1 : 0;
            case Character c -> words[first] = c;
            case Object number -> words[first] = ((Number) number).longValue();
        }
    }

    /** Describes an array that a group shares; gives its bytes. */
    private static long share(Value array, long[] extents, long begin, long[] words, int first) {
        int bytes = array.attribute(LocalArray.class).element().bytes();
        long length = Footprint.length(extents);
        long[] strides = Footprint.rowMajor(extents);
        words[first + LaunchWords.ADDRESS] = begin;
        for (int k = 0; k < extents.length; k++) {
            words[first + LaunchWords.STRIDES + k] = strides[k] * bytes;
            words[first + LaunchWords.EXTENTS + k] = extents[k];
        }
        words[first + LaunchWords.LENGTH] = length;
        words[first + LaunchWords.FLAT] = length;
        return Math.ceilDiv(Math.multiplyExact(length, bytes), ALIGNMENT) * ALIGNMENT;
    }

    /** What compiled code for the launch may rely on. */
    static LaunchShape shape(KernelCode code, Reach.Result reach, Object[] values, Range range) {
        List<Integer> dimensions = new ArrayList<>();
        BitSet adjacent = new BitSet();
        for (int k = 0; k < values.length; k++) {
            dimensions.add(values[k] instanceof ElementView view ? view.dimensions() : 0);
            adjacent.set(k, values[k] instanceof ElementView view && view.isAdjacent());
        }
        return LaunchShape.of(code, reach, dimensions, adjacent, LaunchShape.Rows.of(range.x(), range.y() * range.z()));
    }
}
