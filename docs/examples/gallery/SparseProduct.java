package gallery;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Sparse matrix times vector: which elements are read is itself read, so every index is checked. */
public class SparseProduct {
    private static final Kernel MULTIPLY = Kernel.of(SparseProduct::multiply);

    /** A row of the matrix, in compressed rows: the elements from {@code starts[row]} to before {@code starts[row + 1]}. */
    static void multiply(WorkItem at, Doubles y, Ints starts, Ints columns, Doubles elements, Doubles x) {
        double sum = 0;
        int end = starts.get(at.x() + 1);
        for (int k = starts.get(at.x()); k < end; k++) sum += elements.get(k) * x.get(columns.get(k));
        y.set(at.x(), sum);
    }

    /** Makes {@code y = A x}. */
    public static void run(Queue queue, Doubles y, Ints starts, Ints columns, Doubles elements, Doubles x) {
        MULTIPLY.over(y.length()).launch(queue, y, starts, columns, elements, x);
    }
}
