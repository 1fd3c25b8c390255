package io.penstock.kernel;

import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.SharedLayout;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.reach.Reach;
import java.util.BitSet;
import java.util.List;

/**
 * What launches of one shape need beside the program and their arguments: what they touch, how they are cut into groups of threads,
 * which parameters the program's entry has, and where items can fail.
 *
 * @param kernel the kernel's class and method
 * @param entry the entry of the program
 * @param touched what they touch
 * @param mayFail whether an item may fail
 * @param disjoint whether what is written through one view is neither read nor written through another
 * @param seesGroups whether it matters how the range is cut into groups
 * @param itemsPerThread how many items along x a thread does
 * @param narrow the positions of views whose shapes the entry takes in 32 bits
 * @param shared where the arrays lie that a group shares
 * @param takesLayout whether the entry takes that
 * @param places where items can fail
 */
record LaunchPlan(
        String kernel,
        String entry,
        List<Touched> touched,
        boolean mayFail,
        boolean disjoint,
        boolean seesGroups,
        int itemsPerThread,
        BitSet narrow,
        SharedLayout shared,
        boolean takesLayout,
        List<FailurePlace> places) {
    /** A plan; lists and set are copied. */
    LaunchPlan {
        touched = List.copyOf(touched);
        narrow = (BitSet) narrow.clone();
        places = List.copyOf(places);
    }

    /** The set of positions; not to be changed. */
    @Override
    public BitSet narrow() {
        return narrow;
    }

    /**
     * The plan of launches that use generated code.
     *
     * @param reach what they reach
     * @param values those of one of them
     */
    static LaunchPlan of(
            KernelCode code, KernelSource source, Variant variant, Reach.Result reach, Object[] values, Range range) {
        ViewSizes sizes = new ViewSizes(values, range);
        BitSet narrow = new BitSet();
        int view = 0;
        for (int k = 0; k < values.length; k++)
            if (values[k] instanceof ElementView)
                narrow.set(k, variant.views().get(view++).narrow());
        List<Touched> touched = Touched.of(reach);
        return new LaunchPlan(
                code.name(),
                source.entry(),
                touched,
                LaunchReach.mayFail(code, reach),
                LaunchVariant.isDisjoint(touched, values),
                code.seesGroups(),
                variant.itemsPerThread(),
                narrow,
                SharedLayout.of(code, array -> Interpreter.localShape(array, sizes)),
                source.takesLayout(),
                FailurePlace.of(source.sites(), sizes));
    }

    /** Whether a group has memory to share. */
    boolean sharesMemory() {
        return !shared.offsets().isEmpty();
    }

    /** Whether it is that of a launch of the same shape also as to which views overlap. */
    boolean fits(Object[] values) {
        return LaunchVariant.isDisjoint(touched, values) == disjoint;
    }
}
