package io.penstock.kernel;

import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.reach.AccessReach;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What the generated code of a launch may rely on, by what the launch reaches. */
final class LaunchVariant {
    /** Sizes up to this leave room for a loop's step beyond them. */
    private static final long MOST_NARROW = 1 << 30;

    /** The most values of a kernel of which a thread does several items: beyond, they would spill. */
    private static final int MOST_VALUES = 200;

    /** Items of a thread that reads few arrays, and many: about as many loads should be under way. */
    private static final int ITEMS = 4;

    private static final int ITEMS_OF_MANY = 2;

    /** From how many arrays on they are many. */
    private static final int MANY = 4;

    /** For measuring what checks cost: without them, a kernel that reaches outside of its arrays destroys what lies there. */
    private static final boolean CHECKS = !"off".equals(System.getProperty("penstock.kernels.checks"));

    private LaunchVariant() {}

    /** What the code of a kernel depends on beside kernel, launch and device. */
    static String options(boolean fast) {
        return (fast ? "fast" : "exact").concat(CHECKS ? "" : " unchecked");
    }

    /**
     * The variant of a launch.
     *
     * @param several whether a thread should do several items where it may, so that their loads are under way together
     */
    static Variant of(KernelCode code, Reach.Result reach, Object[] values, Range range, boolean several) {
        boolean narrow = range.x() <= MOST_NARROW && range.y() <= MOST_NARROW && range.z() <= MOST_NARROW;
        List<Variant.OfView> views = new ArrayList<>();
        for (Parameter parameter : code.parameters())
            if (values[parameter.index()] instanceof ElementView view)
                views.add(new Variant.OfView(view.isNarrow(), view.dimensions(), view.isAdjacent()));
        BitSet proved = new BitSet();
        for (AccessReach access : reach.accesses())
            access.fitting().stream().forEach(k -> proved.set(Variant.index(access.access(), k)));
        if (!CHECKS) proved.set(0, Variant.index(code.values(), 0));
        return new Variant(
                proved,
                reach.narrow(),
                reach.brief(),
                narrow,
                views,
                isDisjoint(Touched.of(reach), values),
                several && mayDoSeveral(code) ? items(code) : 1,
                code.seesGroups() && range.hasWholeGroups(),
                isOnePass(code, range),
                false);
    }

    private static boolean isOnePass(KernelCode code, Range range) {
        if (code.seesGroups())
            return range.groupsX() <= Integer.MAX_VALUE
                    && range.groupsY() <= DeviceLaunches.MOST_GROUPS
                    && range.groupsZ() <= DeviceLaunches.MOST_GROUPS;
        // However few threads a group has along a dimension.
        return range.x() <= Integer.MAX_VALUE
                && range.y() <= DeviceLaunches.MOST_GROUPS
                && range.z() <= DeviceLaunches.MOST_GROUPS;
    }

    private static int items(KernelCode code) {
        long read = code.blocks().stream()
                .flatMap(block -> block.values().stream())
                .filter(value -> value.operation() == Operation.LOAD && value.isGlobal())
                .map(Value::array)
                .distinct()
                .count();
        return read >= MANY ? ITEMS_OF_MANY : ITEMS;
    }

    /** Whether the kernel is straight enough for the loads of several items to come before the first one's stores. */
    private static boolean mayDoSeveral(KernelCode code) {
        return !code.seesGroups()
                && code.values() <= MOST_VALUES
                && !code.uses(Operation.ATOMIC)
                && code.blocks().stream()
                        .allMatch(block -> block.terminator().edges().stream()
                                .allMatch(edge -> edge.target().number() > block.number()));
    }

    /** Whether what is written through one view is neither read nor written through another. */
    static boolean isDisjoint(List<Touched> touched, Object[] values) {
        for (Touched write : touched) {
            if (!write.writes()) continue;
            ElementView written = (ElementView) values[write.parameter()];
            Region region = null;
            for (Touched other : touched) {
                if (other.parameter() == write.parameter()) continue;
                ElementView view = (ElementView) values[other.parameter()];
                if (view.buffer().allocation() != written.buffer().allocation()) continue;
                if (region == null) region = written.region(write.indices());
                if (view.region(other.indices()).overlaps(region)) return false;
            }
        }
        return true;
    }
}
