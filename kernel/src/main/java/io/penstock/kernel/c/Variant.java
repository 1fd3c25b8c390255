package io.penstock.kernel.c;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Value;
import java.util.BitSet;
import java.util.List;

/**
 * What the code of a kernel may rely on in the launches that use it. One text serves all launches of which this is so.
 *
 * @param proved the indices that are known to be inside: three times an access's number, plus the index's position
 * @param narrow the values of type {@code LONG}, by number, that are known to fit 32 bits
 * @param brief the blocks, by number, at which loops begin that are known to go round few times
 * @param narrowRange whether the sizes of the range fit 32 bits
 * @param views what is known of each view, in the order of the kernel's parameters, scalars left out
 * @param disjoint whether what is written through one view is neither read nor written through another
 * @param itemsPerThread how many items along x a thread does
 * @param wholeGroups whether all groups have as many items as threads
 * @param onePass whether there is a thread for each item, or for as many as a thread does, and a group of threads for each group
 * @param fast whether the numbers may be less exact than Java's, as {@code Kernel.fastMath()} says
 */
public record Variant(
        BitSet proved,
        BitSet narrow,
        BitSet brief,
        boolean narrowRange,
        List<OfView> views,
        boolean disjoint,
        int itemsPerThread,
        boolean wholeGroups,
        boolean onePass,
        boolean fast) {
    private static final int MOST_INDICES = 3;

    /**
     * What is known of a view.
     *
     * @param narrow whether all distances between elements, counted in elements, fit 32 bits
     * @param dimensions how many dimensions it has; 0 where that is not known
     * @param adjacent whether neighbours along the innermost dimension, and by one index, are next to each other
     */
    public record OfView(boolean narrow, int dimensions, boolean adjacent) {}

    /** A variant; the sets and the list are copied. */
    public Variant {
        proved = (BitSet) proved.clone();
        narrow = (BitSet) narrow.clone();
        brief = (BitSet) brief.clone();
        views = List.copyOf(views);
    }

    /** The set of indices; not to be changed. */
    @Override
    public BitSet proved() {
        return proved;
    }

    /** The set of values; not to be changed. */
    @Override
    public BitSet narrow() {
        return narrow;
    }

    /** The set of blocks; not to be changed. */
    @Override
    public BitSet brief() {
        return brief;
    }

    /** Nothing is known. */
    public static Variant checked(KernelCode code) {
        return new Variant(
                new BitSet(), new BitSet(), new BitSet(), false, unknown(code), false, 1, false, false, false);
    }

    /** All indices are known to be inside, and nothing else. */
    public static Variant unchecked(KernelCode code) {
        BitSet all = new BitSet();
        all.set(0, index(code.values(), 0));
        return new Variant(all, new BitSet(), new BitSet(), false, unknown(code), false, 1, false, false, false);
    }

    /** The same in fast mathematics. */
    public Variant inFastMath() {
        return new Variant(
                proved, narrow, brief, narrowRange, views, disjoint, itemsPerThread, wholeGroups, onePass, true);
    }

    private static List<OfView> unknown(KernelCode code) {
        return code.parameters().stream()
                .filter(parameter -> parameter.isView())
                .map(parameter -> new OfView(false, 0, false))
                .toList();
    }

    /** What {@link #proved} knows an index of an access by. */
    public static int index(Value access, int position) {
        return index(access.number(), position);
    }

    /** The same by the access's number. */
    public static int index(int access, int position) {
        return MOST_INDICES * access + position;
    }

    /** What is known of a view of a kernel's. */
    OfView known(KernelCode code, Parameter view) {
        int position = 0;
        for (Parameter other : code.parameters()) {
            if (other.index() == view.index()) return views.get(position);
            if (other.isView()) position++;
        }
        throw new IllegalArgumentException(view + " is no parameter");
    }

    boolean isProved(Value access, int position) {
        return proved.get(index(access, position));
    }

    /** Whether an integer is held in 32 bits. */
    boolean isNarrow(Value value) {
        return switch (value.type()) {
            case INT, CONDITION -> true;
            case LONG ->
                value.isInteger()
                        ? value.integer() == (int) value.integer()
                        : value.number() >= 0 && narrow.get(value.number());
            default -> false;
        };
    }
}
