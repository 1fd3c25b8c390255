package io.penstock.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Arrays for tests. */
final class Cases {
    private Cases() {}

    static DType type(SplittableRandom random) {
        return List.of(DType.values()).get(random.nextInt(7));
    }

    static long[] shape(SplittableRandom random, int dimensions, int extent) {
        return random.longs(random.nextInt(dimensions + 1), random.nextInt(8) == 0 ? 0 : 1, extent)
                .toArray();
    }

    /** A random view of the given shape: a transposed part of something larger. */
    static NDArray view(SplittableRandom random, DType dtype, long... shape) {
        int n = shape.length;
        int[] order = IntStream.range(0, n).toArray();
        boolean plain = random.nextInt(3) == 0;
        for (int k = n - 1; k > 0 && !plain; k--) {
            int other = random.nextInt(k + 1);
            int axis = order[k];
            order[k] = order[other];
            order[other] = axis;
        }
        long[] larger = new long[n];
        long[] margin = new long[n];
        for (int k = 0; k < n; k++) {
            margin[order[k]] = plain ? 0 : random.nextInt(2);
            larger[order[k]] = shape[k] + 2 * margin[order[k]];
        }
        NDArray base = NDArray.random(random.nextLong(), dtype, larger);
        for (int axis = 0; axis < n; axis++) base = base.slice(axis, margin[axis], larger[axis] - margin[axis]);
        return base.transpose(order);
    }

    /** The elements in C order, one by one. */
    static List<Complex> elements(NDArray x) {
        List<Complex> elements = new ArrayList<>();
        long[] shape = x.shape();
        long[] index = new long[shape.length];
        for (long i = 0; i < x.size(); i++) {
            elements.add(x.getComplex(index));
            for (int k = shape.length - 1; k >= 0 && ++index[k] == shape[k]; k--) index[k] = 0;
        }
        return elements;
    }

    /** A random view whose elements every type can hold: whole numbers from 0 to 9, of other types with a fraction of quarters. */
    static NDArray small(SplittableRandom random, DType dtype, long... shape) {
        NDArray values = view(random, dtype, shape);
        NDArray quarters = NDArray.random(random.nextLong(), DType.F64, shape)
                .abs()
                .multiply(8)
                .floor();
        values.set(dtype.isInteger() ? quarters.minimum(9) : quarters.divide(4));
        if (dtype.isComplex()) values.imaginary().set(NDArray.random(random.nextLong(), DType.F64, shape));
        return values;
    }

    /** A shape that broadcasts to {@code shape}. */
    static long[] broadcastable(SplittableRandom random, long... shape) {
        int dropped = random.nextInt(3) == 0 ? random.nextInt(shape.length + 1) : 0;
        long[] result = Arrays.copyOfRange(shape, dropped, shape.length);
        for (int k = 0; k < result.length; k++) if (random.nextInt(4) == 0) result[k] = 1;
        return result;
    }
}
