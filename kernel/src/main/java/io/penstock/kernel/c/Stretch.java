package io.penstock.kernel.c;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Values of a block, one after another, whose tests can all be made before the first of them has an effect: where all is well, the
 * effects then follow each other without a branch between them, so that loads are under way together.
 *
 * @param values the values
 * @param early those that the tests need; they have no effects
 * @param checks conditions, of which one holds where something in the stretch fails
 * @param guarded how many of the values may fail
 */
record Stretch(List<Value> values, Set<Value> early, Set<Check> checks, int guarded) {
    /**
     * The stretches that make up a block.
     *
     * @param failing conditions of which one holds where a value fails
     */
    static List<Stretch> of(List<Value> block, Function<Value, List<Check>> failing) {
        List<Stretch> all = new ArrayList<>();
        Builder next = new Builder();
        for (Value value : block) {
            List<Check> checks = failing.apply(value);
            List<Value> needed = new ArrayList<>();
            boolean fits = value.operation() != Operation.FAIL;
            if (!checks.isEmpty()) for (Value operand : tested(value)) fits &= next.needs(operand, needed);
            if (!fits) {
                all.add(next.stretch());
                next = new Builder();
                needed.clear();
            }
            next.add(value, needed, checks);
        }
        all.add(next.stretch());
        return all;
    }

    /** What decides whether a value fails. */
    private static List<Value> tested(Value value) {
        if (!value.operation().isAccess()) return List.of(value.operand(1));
        List<Value> all = new ArrayList<>(value.indices());
        if (value.array().operation() == Operation.LOCAL_ARRAY)
            all.addAll(value.array().operands());
        return all;
    }

    private static final class Builder {
        private final List<Value> values = new ArrayList<>();
        private final Set<Value> members = new HashSet<>();
        private final Set<Value> early = new LinkedHashSet<>();
        private final Set<Check> checks = new LinkedHashSet<>();
        private int guarded;

        /** Collects what must be computed for a value to be known at the beginning; false where it cannot be. */
        private boolean needs(Value value, List<Value> needed) {
            if (!members.contains(value) || early.contains(value) || needed.contains(value)) return true;
            if (value.hasEffect()) return false;
            for (Value operand : value.operands()) if (!needs(operand, needed)) return false;
            needed.add(value);
            return true;
        }

        private void add(Value value, List<Value> needed, List<Check> failing) {
            values.add(value);
            members.add(value);
            early.addAll(needed);
            checks.addAll(failing);
            if (!failing.isEmpty()) guarded++;
        }

        private Stretch stretch() {
            return new Stretch(values, early, checks, guarded);
        }
    }
}
