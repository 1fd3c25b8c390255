package io.penstock.comm;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** A view of a random shape and random strides with a given number of elements, over memory that is watched for stray writes. */
final class View {
    private static final double GUARD = 77;

    private final NDArray base;
    private final UnaryOperator<NDArray> cut;
    private final NDArray array;

    private View(NDArray base, UnaryOperator<NDArray> cut) {
        this.base = base;
        this.cut = cut;
        this.array = cut.apply(base);
    }

    /** The same elements, and the same around them, in the memory of a device. */
    View to(Device device) {
        return base.device().equals(device) ? this : new View(base.to(device), cut);
    }

    static View of(SplittableRandom random, DType dtype, long size) {
        long rows = size % 3 == 0 && random.nextBoolean() ? 3 : 1;
        long columns = size / rows;
        return switch (random.nextInt(5)) {
            case 0 -> whole(NDArray.full(GUARD, dtype, size));
            case 1 -> {
                NDArray base = NDArray.full(GUARD, dtype, size + 3);
                yield new View(base, all -> all.slice(0, 2, size + 2));
            }
            case 2 -> {
                NDArray base = NDArray.full(GUARD, dtype, rows + 1, columns + 2);
                yield new View(base, all -> all.slice(0, 1, rows + 1).slice(1, 1, columns + 1));
            }
            case 3 -> {
                NDArray base = NDArray.full(GUARD, dtype, columns, rows, 2);
                yield new View(base, all -> all.slice(2, 1, 2).transpose());
            }
            default -> {
                NDArray base = NDArray.full(GUARD, dtype, columns + 1, rows);
                yield new View(base, all -> all.slice(0, 0, columns).transpose());
            }
        };
    }

    private static View whole(NDArray array) {
        return new View(array, all -> all);
    }

    NDArray array() {
        return array;
    }

    void set(long position, Complex value) {
        array.set(value, index(position));
    }

    Complex get(long position) {
        return array.getComplex(index(position));
    }

    private long[] index(long position) {
        long[] shape = array.shape();
        long[] index = new long[shape.length];
        long rest = position;
        for (int k = shape.length - 1; k >= 0; k--) {
            index[k] = rest % shape[k];
            rest /= shape[k];
        }
        return index;
    }

    /** Whether all memory around the view is as it was; overwrites the view. */
    boolean isGuardIntact() {
        array.fill(GUARD);
        for (double value : base.dtype().isComplex() ? reals() : base.toDoubles()) if (value != GUARD) return false;
        return true;
    }

    private double[] reals() {
        NDArray flat = base.reshape(base.size());
        double[] result = new double[(int) base.size()];
        for (int i = 0; i < result.length; i++) {
            Complex value = flat.getComplex(i);
            result[i] = value.im() == 0 ? value.re() : Double.NaN;
        }
        return result;
    }
}
