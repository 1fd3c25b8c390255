package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Scalar;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Scope;
import java.util.function.UnaryOperator;

/** Reductions of a distributed array: over all elements, or along one axis. At most one message each. */
final class Statistics {
    private Statistics() {}

    /** A sum or product over all elements, in double precision or whole numbers. */
    static Scalar total(DistributedArray x, ReduceOp op) {
        SpaceCheck.compare(x.space());
        try (Scope _ = Scope.open()) {
            NDArray part = op == ReduceOp.SUM ? x.local().sum() : x.local().prod();
            NDArray total = part.toHost().as(widest(part.dtype())).copy();
            if (!x.space().layout().isReplicated()) x.space().ranks().allReduce(total, op);
            Complex value = total.getComplex();
            return total.dtype().isComplex() ? Scalar.complex(value.re(), value.im()) : Scalar.real(value.re());
        }
    }

    private static DType widest(DType dtype) {
        return switch (dtype.kind()) {
            case INTEGER -> DType.I64;
            case REAL -> DType.F64;
            case COMPLEX -> DType.C128;
        };
    }

    /** The mean of all elements; of whole numbers as real ones, whose sum does not wrap. */
    static Scalar mean(DistributedArray x) {
        try (Scope _ = Scope.open()) {
            Scalar sum = total(asReal(x), ReduceOp.SUM);
            double size = x.space().size();
            return sum.isComplex() ? Scalar.complex(sum.re() / size, sum.im() / size) : Scalar.real(sum.re() / size);
        }
    }

    /** The means along an axis. */
    static DistributedArray mean(DistributedArray x, int axis) {
        try (Scope scope = Scope.open()) {
            return scope.keep(
                    sum(asReal(x), axis).divide((double) x.space().layout().dim(axis)));
        }
    }

    private static DistributedArray asReal(DistributedArray x) {
        return x.dtype().isInteger() ? x.as(DType.F64) : x;
    }

    /** The smallest or largest element. */
    static double extreme(DistributedArray x, ReduceOp op) {
        SpaceCheck.compare(x.space());
        requireOrder(x, op);
        if (x.space().size() == 0) throw empty(x);
        NDArray local = x.local();
        try (Scope _ = Scope.open()) {
            double[] extreme = {op == ReduceOp.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY};
            if (local.size() > 0) extreme[0] = (op == ReduceOp.MIN ? local.min() : local.max()).get();
            if (!x.space().layout().isReplicated()) x.space().ranks().allReduce(extreme, 1, op);
            return extreme[0];
        }
    }

    static DistributedArray sum(DistributedArray x, int axis) {
        return along(x, axis, ReduceOp.SUM, part -> part.sum(axis));
    }

    static DistributedArray prod(DistributedArray x, int axis) {
        return along(x, axis, ReduceOp.PROD, part -> part.prod(axis));
    }

    /** The smallest or largest elements along an axis; ranks without any contribute what loses against every element. */
    static DistributedArray extreme(DistributedArray x, int axis, ReduceOp op) {
        requireOrder(x, op);
        if (x.space().layout().dim(axis) == 0) throw empty(x);
        double loser = op == ReduceOp.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        return along(x, axis, op, part -> {
            if (part.dim(axis) == 0) return full(part, bounded(loser, x.dtype()), x.dtype(), axis);
            return op == ReduceOp.MIN ? part.min(axis) : part.max(axis);
        });
    }

    /** The norms along an axis, of any order. */
    static DistributedArray norm(DistributedArray x, double order, int axis) {
        Norm.requireOrder(order);
        if (x.space().layout().dim(axis) == 0 && Double.isInfinite(order)) throw empty(x);
        Layout layout = x.space().layout();
        boolean crosses = !layout.isReplicated() && layout.without(axis).isReplicated();
        if (!crosses) return along(x, axis, ReduceOp.SUM, part -> part.norm(order, axis));
        DType real = x.dtype().isInteger() ? DType.F64 : x.dtype().real();
        try (Scope scope = Scope.open()) {
            // powers overflow single precision where their root does not
            DistributedArray powers = along(x, axis, Norm.combination(order), part -> {
                if (part.dim(axis) == 0) return full(part, Norm.ofNothing(order), DType.F64, axis);
                NDArray norms = part.norm(order, axis).as(DType.F64);
                return Norm.isPower(order) ? norms.power(order) : norms;
            });
            return scope.keep((Norm.isPower(order) ? powers.power(1 / order) : powers).as(real));
        }
    }

    /** Reduces each rank's part, and over the ranks where the array is cut along the axis; then the result is replicated. */
    private static DistributedArray along(DistributedArray x, int axis, ReduceOp op, UnaryOperator<NDArray> reduction) {
        Layout layout = x.space().layout();
        Layout result = layout.without(axis);
        Communicator ranks = x.space().ranks();
        NDArray part = reduction.apply(x.local());
        if (!layout.isReplicated() && result.isReplicated()) ranks.allReduce(part, op);
        return DistributedArray.ofLocal(x.space().with(result).as(part.dtype()), part);
    }

    /** An array where a part lies, with one axis less and one value everywhere. */
    private static NDArray full(NDArray part, double value, DType dtype, int axis) {
        long[] shape = Layout.replicated(1, part.shape()).without(axis).dims();
        NDArray full = NDArray.empty(part.device(), dtype, shape);
        full.fill(value);
        return full;
    }

    /** Infinity as far as a type has it. */
    private static double bounded(double infinity, DType dtype) {
        return switch (dtype) {
            case U8 -> infinity > 0 ? 255 : 0;
            case I32 -> infinity > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            default -> infinity;
        };
    }

    private static void requireOrder(DistributedArray x, ReduceOp op) {
        if (x.dtype().isComplex())
            throw new IllegalArgumentException(op + " needs an order, which elements of " + x.dtype()
                    + " do not have; take abs() or a part first");
    }

    private static IllegalArgumentException empty(DistributedArray x) {
        return new IllegalArgumentException(
                "shape " + Layout.describe(x.shape()) + " has no element to choose; expected at least one");
    }
}
