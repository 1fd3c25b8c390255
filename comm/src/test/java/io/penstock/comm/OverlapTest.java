package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Whether views share memory, against the numbers of the elements that they show. */
class OverlapTest {
    @Test
    void viewsOverlapThatShowTheSameElements() {
        int[] overlapping = new int[1];
        Seeded.cases(2_000, random -> {
            NDArray all = NDArray.arange(210).reshape(7, 5, 6);
            NDArray a = cut(all, random);
            NDArray b = cut(all, random);
            double[] numbers = b.toDoubles();
            Arrays.sort(numbers);
            boolean shared = DoubleStream.of(a.toDoubles()).anyMatch(x -> Arrays.binarySearch(numbers, x) >= 0);
            assertThat(isRefused(a, b)).as("%s and %s", a, b).isEqualTo(shared);
            if (shared) overlapping[0]++;
            all.close();
        });
        assertThat(overlapping[0]).isBetween(200, 1_800);
    }

    private static boolean isRefused(NDArray a, NDArray b) {
        try {
            Overlap.check(a, b);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    private static NDArray cut(NDArray all, SplittableRandom random) {
        NDArray view = random.nextInt(4) == 0 ? all.reshape(-1) : all;
        for (int axis = 0; axis < view.ndim(); axis++) {
            long from = random.nextLong(view.dim(axis));
            long to = from + 1 + random.nextLong(view.dim(axis) - from);
            view = view.slice(axis, from, to, 1 + random.nextInt(3));
            if (random.nextInt(3) == 0) view = view.flip(axis);
        }
        return random.nextBoolean() ? view.transpose() : view;
    }
}
