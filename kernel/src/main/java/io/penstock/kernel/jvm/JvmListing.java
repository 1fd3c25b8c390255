package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.reach.LaunchSizes;
import io.penstock.kernel.reach.Reach;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a kernel on the JVM, as text: its code, and for each line how lanes do it, or why there are none. */
public final class JvmListing {
    /** The extents of all dimensions of a launch that the listing takes for a usual one. */
    private static final long USUAL = 1000;

    private JvmListing() {}

    /**
     * The listing of a kernel, for a launch whose views are as its accesses ask for, with neighbours next to each other.
     *
     * @param checked whether indices are checked, as when a launch does not prove them inside
     */
    public static String of(KernelCode code, boolean checked) {
        List<Integer> dimensions = dimensions(code);
        Reach.Result reach = Reach.of(code, new UsualSizes(dimensions));
        BitSet all = new BitSet();
        all.set(0, code.values());
        LaunchShape usual = LaunchShape.of(code, reach, dimensions, all, LaunchShape.Rows.LONG);
        LaunchShape shape = new LaunchShape(
                usual.dimensions(), all, checked ? new BitSet() : all, usual.perX(), usual.narrow(), usual.rows());
        if (code.needsGroups())
            return "// one item at a time, group by group: "
                    + new Barriers(code).all().size() + " barriers cut the items' loop into as many loops and one\n"
                    + code;
        try {
            Window window = Window.of(code, shape);
            VectorPlan plan = new VectorPlan(window.rest(), shape, shape.vectorBits());
            return "// in vectors of " + plan.lanes() + " items\n" + window.describe()
                    + window.rest().toString(note(plan));
        } catch (VectorPlan.Unsuitable e) {
            return "// one item at a time: " + e.getMessage() + "\n" + code;
        }
    }

    /** How many dimensions each view has if accesses give as many indices. */
    private static List<Integer> dimensions(KernelCode code) {
        Map<Integer, Integer> most = new HashMap<>();
        for (Block block : code.blocks())
            for (Value value : block.values())
                if (value.isGlobal())
                    most.merge(
                            value.array().parameter().index(), value.indices().size(), Math::max);
        List<Integer> dimensions = new ArrayList<>();
        for (Parameter parameter : code.parameters()) dimensions.add(most.getOrDefault(parameter.index(), 0));
        return dimensions;
    }

    private static Function<Value, String> note(VectorPlan plan) {
        return value -> {
            if (plan.isLaneByLane(value)) return "lane by lane";
            if (value.operation() == Operation.LOAD || value.operation() == Operation.STORE)
                return plan.pattern(value) == VectorPlan.Pattern.CONTIGUOUS ? "one vector" : "one number";
            if (!value.type().isNumber() && !value.operation().isComparison()) return "";
            long step = plan.variation().step(value);
            if (step == 0) return "one number";
            return step == Variation.VARYING ? "vector" : "first lane's number, " + step + " more in each next";
        };
    }

    /** A launch over many items, with small scalars. */
    private record UsualSizes(List<Integer> dimensions) implements LaunchSizes {
        @Override
        public long scalar(int parameter) {
            return 1;
        }

        @Override
        public Long ask(int parameter, Query query) {
            return query == Query.DIMENSIONS ? (long) dimensions.get(parameter) : Long.valueOf(USUAL);
        }

        @Override
        public long @Nullable [] extents(int parameter, int indices) {
            long[] extents = new long[indices];
            java.util.Arrays.fill(extents, USUAL);
            return extents;
        }
    }
}
