package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reductions of large arrays: rounding in rank order, special values, and ranks in plenty. */
class ReductionTest {
    private static double combined(ReduceOp op, double a, double b, DType dtype) {
        double result = switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
        return dtype == DType.F32 ? (float) result : result;
    }

    @Test
    void everyRankGetsTheBitsOfTheSumInRankOrder() {
        Seeded.cases(30, random -> {
            int n = 1 + random.nextInt(6);
            int size = 1 + random.nextInt(30_000);
            long seed = random.nextLong();
            ReduceOp op = Step.any(random, ReduceOp.values(), 4);
            DType dtype = random.nextBoolean() ? DType.F32 : DType.F64;
            double[] expected = NDArray.random(seed, dtype, size).toDoubles();
            for (int r = 1; r < n; r++) {
                double[] next = NDArray.random(seed + r, dtype, size).toDoubles();
                for (int i = 0; i < size; i++) expected[i] = combined(op, expected[i], next[i], dtype);
            }
            List<double[]> results = Ranks.call(n, ranks -> {
                NDArray data = NDArray.random(seed + ranks.rank(), dtype, size);
                NDArray mirrored = NDArray.empty(dtype, size, 2).slice(1, 0, 1);
                mirrored.assign(data.reshape(size, 1));
                ranks.allReduce(data, op);
                Request request = ranks.iallReduce(mirrored, op);
                ranks.barrier();
                request.await();
                assertThat(mirrored.toDoubles()).isEqualTo(data.toDoubles());
                return data.toDoubles();
            });
            for (double[] result : results) assertThat(result).isEqualTo(expected);
        });
    }

    @Test
    void notANumberWinsAndZerosHaveSigns() {
        for (DType dtype : List.of(DType.F32, DType.F64)) {
            List<double[]> results = Ranks.call(2, ranks -> {
                NDArray data = NDArray.zeros(dtype, 3);
                data.set(ranks.rank() == 1 ? Double.NaN : 1, 0);
                data.set(ranks.rank() == 1 ? -0.0 : 0.0, 1);
                data.set(ranks.rank() == 1 ? Double.NEGATIVE_INFINITY : 5, 2);
                ranks.allReduce(data, ReduceOp.MIN);
                return data.toDoubles();
            });
            for (double[] result : results)
                assertThat(result).containsExactly(Double.NaN, -0.0, Double.NEGATIVE_INFINITY);
        }
    }

    @Test
    void integersWrapAround() {
        Ranks.run(3, ranks -> {
            NDArray data = NDArray.zeros(DType.I32, 2);
            data.fill(Integer.MAX_VALUE);
            ranks.allReduce(data, ReduceOp.SUM);
            assertThat(data.get(1)).isEqualTo(Integer.MAX_VALUE - 2);
        });
    }

    @Test
    void manyMoreRanksThanCoresWork() {
        int n = 48;
        Ranks.run(n, ranks -> {
            double[] values = new double[1];
            NDArray large = NDArray.empty(DType.F64, 30_000);
            for (int round = 0; round < 40; round++) {
                values[0] = ranks.rank();
                ranks.allReduce(values, 1, ReduceOp.SUM);
                assertThat(values[0]).isEqualTo(n * (n - 1) / 2.0);
                large.fill(round);
                Request request = ranks.iallReduce(large, ReduceOp.SUM);
                NDArray left = NDArray.of(-1);
                NDArray right = NDArray.of(-1);
                int up = (ranks.rank() + 1) % n;
                int down = (ranks.rank() + n - 1) % n;
                Request.awaitAll(List.of(
                        ranks.ireceive(left, down, 0),
                        ranks.ireceive(right, up, 1),
                        ranks.isend(NDArray.of(ranks.rank()), up, 0),
                        ranks.isend(NDArray.of(ranks.rank()), down, 1)));
                assertThat(left.get(0)).isEqualTo(down);
                assertThat(right.get(0)).isEqualTo(up);
                request.await();
                assertThat(large.get(29_999)).isEqualTo((double) n * round);
            }
        });
    }
}
