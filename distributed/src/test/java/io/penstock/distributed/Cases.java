package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.RankCounts;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Random layouts and arrays for the tests of this package, and the comparison of arrays. */
final class Cases {
    private Cases() {}

    /** How many ranks a case has. */
    static int ranks(SplittableRandom random) {
        return RankCounts.any(random);
    }

    static long[] shape(SplittableRandom random) {
        return random.longs(1 + random.nextInt(3), random.nextInt(8) == 0 ? 0 : 1, 8)
                .toArray();
    }

    static DType dtype(SplittableRandom random) {
        return oneOf(random, DType.values());
    }

    @SafeVarargs
    static <T> T oneOf(SplittableRandom random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Replicated, cut evenly, or cut into random blocks, some of them empty. */
    static Layout layout(SplittableRandom random, int ranks, long... shape) {
        int axis = random.nextInt(shape.length);
        return switch (random.nextInt(4)) {
            case 0 -> Layout.replicated(ranks, shape);
            case 1 -> Layout.split(ranks, axis, shape);
            default -> blocks(random, ranks, axis, shape);
        };
    }

    static Layout blocks(SplittableRandom random, int ranks, int axis, long... shape) {
        long[] blocks = new long[ranks];
        for (long i = 0; i < shape[axis]; i++) blocks[random.nextInt(ranks)]++;
        return Layout.blocks(axis, blocks, shape);
    }

    /** An array of numbers that every type can hold, none of them zero; negative ones too where the type has them. */
    static NDArray numbers(SplittableRandom random, DType dtype, long... shape) {
        NDArray array = NDArray.empty(dtype, shape);
        NDArray flat = array.reshape(array.size());
        for (long i = 0; i < flat.size(); i++) {
            double re = 1 + random.nextInt(9);
            double im = dtype.isComplex() ? random.nextInt(19) - 9 : 0;
            if (dtype != DType.U8 && random.nextBoolean()) re = -re;
            if (!dtype.isInteger()) re += random.nextInt(4) / 4.0;
            flat.set(new Complex(re, im), i);
        }
        return array;
    }

    static void assertEqual(NDArray got, NDArray expected) {
        assertClose(got, expected, 0);
    }

    /** Compares shape, type, and elements relative to the largest expected one. */
    static void assertClose(NDArray got, NDArray expected, double tolerance) {
        assertThat(got.shape()).isEqualTo(expected.shape());
        assertThat(got.dtype()).isEqualTo(expected.dtype());
        long[] index = new long[got.ndim()];
        double largest = 0;
        double difference = 0;
        for (long i = 0; i < got.size(); i++) {
            Complex a = got.getComplex(index);
            Complex b = expected.getComplex(index);
            boolean same = Double.compare(a.re(), b.re()) == 0 && Double.compare(a.im(), b.im()) == 0;
            if (!same) difference = Math.max(difference, a.plus(b.negate()).abs());
            if (Double.isNaN(difference)) break;
            largest = Math.max(largest, b.abs());
            for (int k = index.length - 1; k >= 0 && ++index[k] == got.dim(k); k--) index[k] = 0;
        }
        assertThat(difference)
                .as("difference, largest element %s, last index %s", largest, Arrays.toString(index))
                .isLessThanOrEqualTo(tolerance * largest);
    }
}
