package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Access;
import io.penstock.runtime.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the launches of one kernel touch, derived from its code; remembered for the sizes and scalars of the last launches. */
final class LaunchReach {
    /** The most regions by which one view is read, or written; beyond, their bounds count. */
    private static final int MOST_REGIONS = 8;

    /** How many launches that differ in sizes or scalars are remembered. */
    private static final int MOST_KNOWN = 8;

    /** What is known of launches that are equal in all that their reach and their code depend on. */
    static final class Known {
        private final Range range;
        /** Of each value what the launch depends on: a view's layout, a whole number; null of other numbers. */
        private final @Nullable Object[] launch;

        private final Reach.Result reach;
        private @Nullable TieredCode variant;
        private volatile @Nullable Tier asked;

        private Known(Range range, Object[] values, Reach.Result reach) {
            this.range = range;
            this.launch = new Object[values.length];
            for (int k = 0; k < values.length; k++) launch[k] = key(values[k]);
            this.reach = reach;
        }

        private static @Nullable Object key(Object value) {
            if (value instanceof ElementView view) return view.layout();
            return value instanceof Float || value instanceof Double ? null : value;
        }

        private boolean isOf(Object[] values, Range given) {
            for (int k = 0; k < values.length; k++) {
                Object key = key(values[k]);
                if (!Objects.equals(key, launch[k])) return false;
            }
            return range.equals(given);
        }

        Reach.Result reach() {
            return reach;
        }

        /** The compiled code, which is asked for once a tier; null where there is none. */
        @Nullable
        TieredCode variant(Tier tier, Supplier<Optional<TieredCode>> first) {
            if (asked != tier) {
                variant = first.get().orElse(null);
                asked = tier;
            }
            return variant;
        }
    }

    private final Implementation implementation;
    /** The newest first; replaced, never changed. */
    private volatile List<Known> recent = List.of();

    LaunchReach(Implementation implementation) {
        this.implementation = implementation;
    }

    /**
     * The elements that a launch touches; empty when the kernel's code is not to be had or not in the kernel language, so that
     * every element of every view must count.
     */
    Optional<List<Access>> of(Object[] values, Range range) {
        KernelCode code = implementation.translation().code();
        if (code == null) return Optional.empty();
        Reach.Result reach = known(code, values, range).reach();
        return Optional.of(accesses(Touched.of(reach), mayFail(code, reach), values));
    }

    /** What a launch reaches. */
    Reach.Result reach(KernelCode kernel, Object[] values, Range range) {
        return known(kernel, values, range).reach();
    }

    /** What is known of a launch; remembered for the last few. */
    Known known(KernelCode kernel, Object[] values, Range range) {
        List<Known> before = recent;
        for (int k = 0; k < before.size(); k++) if (before.get(k).isOf(values, range)) return before.get(k);
        Known found = new Known(range, values, Reach.of(kernel, new ViewSizes(values, range)));
        List<Known> now = new ArrayList<>(List.of(found));
        now.addAll(before.subList(0, Math.min(before.size(), MOST_KNOWN - 1)));
        recent = List.copyOf(now);
        return found;
    }

    /**
     * The accesses of a launch by what it touches.
     *
     * <p>Whoever reads what a launch should have written is told of its failure. So an array whose stores all fail counts as
     * written, and of a launch that may fail and writes nothing every array.
     */
    static List<Access> accesses(List<Touched> touched, boolean mayFail, Object[] values) {
        List<Access> all = new ArrayList<>();
        boolean writes = false;
        for (int k = 0; k < values.length; k++) {
            if (!(values[k] instanceof ElementView view)) continue;
            List<Region> written = regions(touched, k, view, true);
            if (!written.isEmpty() && areEmpty(written)) written = List.of(view.region());
            writes |= !written.isEmpty();
            for (Region region : written) all.add(new Access(view.buffer(), region, true));
            for (Region region : regions(touched, k, view, false))
                if (!isCovered(region, written)) all.add(new Access(view.buffer(), region, false));
        }
        return mayFail && !writes ? writes(values) : all;
    }

    // Without lambdas, which a first launch would wait for the JVM to link.

    private static boolean areEmpty(List<Region> regions) {
        for (Region region : regions) if (!region.isEmpty()) return false;
        return true;
    }

    private static boolean isCovered(Region region, List<Region> regions) {
        for (Region other : regions) if (other.covers(region)) return true;
        return false;
    }

    /** Whether an item of a launch may fail. */
    static boolean mayFail(KernelCode code, Reach.Result reach) {
        return !reach.inside() || code.uses(Operation.FAIL) || code.uses(Operation.DIV) || code.uses(Operation.REM);
    }

    private static List<Access> writes(Object[] values) {
        List<Access> all = new ArrayList<>();
        for (Object value : values)
            if (value instanceof ElementView view) all.add(new Access(view.buffer(), view.region(), true));
        return all;
    }

    /** The regions of one view that are read or written, none within another. */
    private static List<Region> regions(List<Touched> touched, int parameter, ElementView view, boolean writes) {
        List<Region> regions = new ArrayList<>();
        for (Touched access : touched) {
            if (access.parameter() != parameter || access.writes() != writes) continue;
            Region region = view.region(access.indices());
            if (isCovered(region, regions)) continue;
            for (int k = regions.size() - 1; k >= 0; k--) if (region.covers(regions.get(k))) regions.remove(k);
            regions.add(region);
        }
        if (regions.size() <= MOST_REGIONS) return regions;
        Region all = regions.getFirst();
        for (Region region : regions) all = all.bounds(region);
        return List.of(all);
    }
}
