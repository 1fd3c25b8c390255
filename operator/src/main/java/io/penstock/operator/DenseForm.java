package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.comm.ReduceOp;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.Layout;
import org.jspecify.annotations.Nullable;

/** Writes an operator out as a matrix: each rank fills in what it holds of each column, then the ranks add up. */
final class DenseForm {
    private DenseForm() {}

    static <X extends Vector<X>, Y extends Vector<Y>> NDArray of(LinearOperator<X, Y> a) {
        long rows = a.range().size();
        long columns = a.domain().size();
        NDArray matrix = NDArray.zeros(a.range().dtype(), rows, columns);
        try (X unit = a.domain().zeros();
                Y column = a.range().empty()) {
            for (long j = 0; j < columns; j++) {
                Leaves.set(unit, j, 1);
                a.applyForward(unit, column);
                Leaves.set(unit, j, 0);
                long at = j;
                Leaves.forEach(column, (offset, part, owner) -> store(matrix, at, offset, part, owner));
            }
            Leaves.forEach(column, (offset, part, owner) -> {
                if (owner == null || owner.space().layout().isReplicated()) return;
                NDArray slab = matrix.slice(0, offset, offset + owner.space().size());
                owner.space().ranks().allReduce(slab, ReduceOp.SUM);
            });
        }
        return matrix;
    }

    private static void store(
            NDArray matrix, long column, long offset, NDArray part, @Nullable DistributedArray owner) {
        long[] global = part.shape();
        long start = 0;
        int axis = Layout.REPLICATED;
        if (owner != null && !owner.space().layout().isReplicated()) {
            Layout layout = owner.space().layout();
            global = layout.dims();
            axis = layout.axis();
            start = layout.start(owner.space().ranks().rank());
        }
        long[] local = part.shape();
        for (long i = 0; i < part.size(); i++) {
            long[] index = Leaves.index(i, local);
            long row = 0;
            for (int k = 0; k < index.length; k++) row = row * global[k] + index[k] + (k == axis ? start : 0);
            matrix.set(part.getComplex(index), offset + row, column);
        }
    }
}
