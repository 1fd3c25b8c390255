package io.penstock.distributed;

import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Scope;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The norm of a given order of all elements of a vector, gathered part by part: the number of elements that are not zero (0), the
 * sum of moduli (1), the largest or smallest modulus (infinite orders), or the root of order p of the sum of their p-th powers.
 */
final class Norm {
    private final double order;
    private final Reductions sums = new Reductions(1);
    private final Map<Communicator, double[]> extremes = new LinkedHashMap<>();
    private double own;

    private Norm(double order) {
        this.order = order;
        this.own = ofNothing(order);
    }

    /** The norm of a vector whose parts are arrays, distributed arrays and stacks of these; one message per group of ranks. */
    static double of(double order, Vector<?> vector) {
        requireOrder(order);
        Norm norm = new Norm(order);
        norm.add(vector);
        return norm.total(vector.space().size());
    }

    static void requireOrder(double order) {
        if (Double.isNaN(order)) throw new IllegalArgumentException("order is NaN; expected a number or an infinity");
    }

    /** Whether the norm is a root of a sum of powers, so that norms of parts combine through their powers. */
    static boolean isPower(double order) {
        return order != 0 && order != 1 && !Double.isInfinite(order);
    }

    /** How norms of parts (their powers, where {@link #isPower}) combine. */
    static ReduceOp combination(double order) {
        if (Double.isInfinite(order)) return order > 0 ? ReduceOp.MAX : ReduceOp.MIN;
        return ReduceOp.SUM;
    }

    /** What a part without elements contributes to the combination. */
    static double ofNothing(double order) {
        return order == Double.NEGATIVE_INFINITY ? Double.POSITIVE_INFINITY : 0;
    }

    private void add(Vector<?> vector) {
        switch (vector) {
            case NDArray array -> addOwn(array);
            case DistributedArray array when array.space().layout().isReplicated() -> addOwn(array.local());
            case DistributedArray array -> addShared(array);
            case StackedArray stack -> stack.parts().forEach(this::add);
            default ->
                throw new IllegalArgumentException("a part is a "
                        + vector.getClass().getName() + "; expected an NDArray, a DistributedArray or a StackedArray");
        }
    }

    private void addOwn(NDArray array) {
        own = combine(own, contribution(array));
    }

    private void addShared(DistributedArray array) {
        SpaceCheck.compare(array.space());
        Communicator ranks = array.space().ranks();
        double part = contribution(array.local());
        if (combination(order) == ReduceOp.SUM) sums.add(0, part, 0, false, ranks.reductions());
        else extremes.merge(ranks, new double[] {part}, (a, b) -> new double[] {combine(a[0], b[0])});
    }

    private double contribution(NDArray array) {
        if (array.size() == 0) return ofNothing(order);
        try (Scope _ = Scope.open()) {
            double norm = array.norm(order).get();
            return isPower(order) ? Math.pow(norm, order) : norm;
        }
    }

    private double combine(double a, double b) {
        return switch (combination(order)) {
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
            default -> a + b;
        };
    }

    private double total(long size) {
        if (size == 0 && Double.isInfinite(order))
            throw new IllegalArgumentException("the vector has no element to choose; expected at least one");
        sums.reduce();
        double total = combination(order) == ReduceOp.SUM ? own + sums.re(0) : own;
        for (Map.Entry<Communicator, double[]> extreme : extremes.entrySet()) {
            extreme.getKey().allReduce(extreme.getValue(), 1, combination(order));
            total = combine(total, extreme.getValue()[0]);
        }
        return isPower(order) ? Math.pow(total, 1 / order) : total;
    }
}
