package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Scalar;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    private static final double[] ORDERS = {0, 1, 2, 3, 1.5, -1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

    /** {@code n = 1000, x_i = i + 1}. */
    @Test
    void givesTheKnownNorms() {
        for (int size : RankCounts.of(1, 3, 4)) {
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedSpace.rows(ranks, 1000).fromFunction(at -> at[0] + 1);
                assertThat(x.dot(x).value()).isEqualTo(333_833_500);
                assertThat(x.norm(1)).isEqualTo(500_500);
                assertThat(x.norm(0)).isEqualTo(1000);
                assertThat(x.norm(Double.POSITIVE_INFINITY)).isEqualTo(1000);
                assertThat(x.norm(Double.NEGATIVE_INFINITY)).isEqualTo(1);
                assertThat(x.norm()).isEqualTo(Math.sqrt(333_833_500));
                assertThat(x.sum().value()).isEqualTo(500_500);
                assertThat(x.mean().value()).isEqualTo(500.5);
                assertThat(x.min()).isEqualTo(1);
                assertThat(x.max()).isEqualTo(1000);
            });
        }
    }

    @Test
    void saysWhatItIsWithoutTalking() {
        Ranks.run(2, ranks -> {
            if (ranks.rank() == 0) return;
            assertThat(ranks).hasToString("rank 1 of " + ranks.name());
            assertThat(DistributedSpace.rows(ranks, 5, 4).zeros())
                    .hasToString("part 1 of an array of F64, (5, 4) in blocks [3, 2] along axis 0");
        });
    }

    /** {@code x_k = exp(2 pi i k / 64)}. */
    @Test
    void conjugatesInDotAndNotInBilinear() {
        Ranks.run(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 64)
                    .fromFunction(at -> 2 * Math.PI * at[0] / 64)
                    .multiply(Complex.I)
                    .exp();
            assertThat(x.dot(x).complex().plus(Complex.of(-64)).abs()).isLessThan(1e-12);
            assertThat(x.bilinear(x).complex().abs()).isLessThan(1e-10);
        });
    }

    @Test
    void sendsOneReductionForDotAndNormAndNothingOtherwise() {
        Ranks.run(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 7, 2).random(1);
            DistributedArray c = x.space().as(DType.C128).random(1);
            DistributedArray r = DistributedSpace.replicated(ranks, 5).random(2);
            StackedArray s = StackedArray.of(x, r, StackedArray.of(x, x.copy()));
            assertThat(sent(ranks, () -> {
                        DistributedArray y = x.copy();
                        y.axpy(2, x);
                        y.axpby(1, x, 3);
                        y.scale(2);
                        y.assign(x);
                        c.scale(Complex.I);
                        c.conjugate();
                        r.fill(1);
                        r.local().set(2, 0);
                        s.copy().axpy(1, s);
                        s.space().zeros();
                        x.space().random(3);
                        r.dot(r);
                        r.norm();
                        r.norm(1);
                        r.sum();
                        x.sum(1);
                    }))
                    .isEqualTo(new Traffic(0, 0));
            assertThat(sent(ranks, () -> x.dot(x))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, x::norm)).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> x.norm(1))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> x.norm(Double.POSITIVE_INFINITY))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> c.dot(c))).isEqualTo(new Traffic(1, 16));
            assertThat(sent(ranks, () -> s.dot(s))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> s.norm(3))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> s.norm(Double.NEGATIVE_INFINITY))).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, x::sum)).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, x::max)).isEqualTo(new Traffic(1, 8));
            assertThat(sent(ranks, () -> x.sum(0))).isEqualTo(new Traffic(1, 16));
            assertThat(sent(ranks, () -> x.norm(2, 0))).isEqualTo(new Traffic(1, 16));
        });
    }

    private static Traffic sent(Communicator ranks, Runnable work) {
        Traffic before = ranks.traffic();
        work.run();
        return ranks.traffic().since(before);
    }

    @Test
    @Tag("threads") // looks at all ranks from outside
    void equalsTheReductionsOfOneArray() {
        Seeded.cases(150, random -> {
            int size = Cases.ranks(random);
            long[] shape = random.longs(1 + random.nextInt(3), 1, 7).toArray();
            NDArray a = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            int axis = random.nextInt(shape.length);
            int counted = random.nextBoolean() ? axis : axis - shape.length;
            double tolerance = a.dtype().real() == DType.F32 ? 1e-5 : 1e-13;
            Set<Double> totals = ConcurrentHashMap.newKeySet();
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, a.dtype()), a);
                assertClose(x.sum(), a.sum().getComplex(), tolerance * a.size() * 10);
                assertClose(x.mean(), a.sum().getComplex().times(1.0 / a.size()), tolerance * 10);
                Cases.assertClose(x.sum(counted).allGather(), a.sum(axis), tolerance);
                Cases.assertClose(x.mean(counted).allGather(), a.mean(axis), tolerance);
                Cases.assertClose(x.prod(counted).allGather(), a.prod(axis), tolerance);
                assertThat(x.sum(counted).space().layout()).isEqualTo(layout.without(axis));
                totals.add(x.sum().re());
                if (a.dtype().isComplex()) {
                    assertThatThrownBy(x::min).hasMessageContaining("MIN needs an order");
                    assertThatThrownBy(() -> x.max(0)).hasMessageContaining("MAX needs an order");
                } else {
                    assertThat(x.min()).isEqualTo(a.min().get());
                    assertThat(x.max()).isEqualTo(a.max().get());
                    Cases.assertEqual(x.min(counted).allGather(), a.min(axis));
                    Cases.assertEqual(x.max(counted).allGather(), a.max(axis));
                }
            });
            assertThat(totals).hasSize(1);
        });
    }

    private static void assertClose(Scalar got, Complex expected, double tolerance) {
        assertThat(got.complex().plus(expected.negate()).abs()).isLessThanOrEqualTo(tolerance);
    }

    @Test
    void givesNormsOfEveryOrderOfCutAndReplicatedArrays() {
        Seeded.cases(100, random -> {
            int size = Cases.ranks(random);
            long[] shape = random.longs(1 + random.nextInt(3), 1, 7).toArray();
            NDArray a = Cases.numbers(random, Cases.dtype(random), shape);
            if (random.nextBoolean()) a.set(0, new long[shape.length]);
            Layout layout = Cases.layout(random, size, shape);
            int axis = random.nextInt(shape.length);
            double order = ORDERS[random.nextInt(ORDERS.length)];
            double tolerance = a.dtype().real() == DType.F32 ? 1e-5 : 1e-12;
            double expected = formula(a.reshape(a.size()), order);
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, a.dtype()), a);
                assertThat(x.norm(order)).isCloseTo(expected, within(tolerance * expected));
                assertThat(StackedArray.of(x, StackedArray.of(x)).norm(order))
                        .isCloseTo(twice(expected, order), within(2 * tolerance * expected));
                NDArray norms = x.norm(order, axis).allGather();
                assertThat(norms.shape()).isEqualTo(layout.without(axis).dims());
                long[] at = new long[shape.length];
                for (long i = 0; i < a.size(); i++) {
                    if (at[axis] == 0) {
                        NDArray line = a;
                        for (int k = 0; k < at.length; k++) if (k != axis) line = line.slice(k, at[k], at[k] + 1);
                        double norm = formula(line.reshape(line.size()), order);
                        assertThat(norms.get(without(at, axis))).isCloseTo(norm, within(tolerance * norm));
                    }
                    for (int k = at.length - 1; k >= 0 && ++at[k] == shape[k]; k--) at[k] = 0;
                }
            });
        });
    }

    private static long[] without(long[] index, int axis) {
        long[] rest = new long[index.length - 1];
        for (int k = 0; k < rest.length; k++) rest[k] = index[k < axis ? k : k + 1];
        return rest;
    }

    private static double twice(double norm, double order) {
        if (Double.isInfinite(order)) return norm;
        return order == 0 ? 2 * norm : norm * Math.pow(2, 1 / order);
    }

    private static double formula(NDArray a, double order) {
        double sum = order == Double.NEGATIVE_INFINITY ? order * -1 : 0;
        for (long i = 0; i < a.size(); i++) {
            double modulus = a.getComplex(i).abs();
            if (order == Double.POSITIVE_INFINITY) sum = Math.max(sum, modulus);
            else if (order == Double.NEGATIVE_INFINITY) sum = Math.min(sum, modulus);
            else if (order == 0) sum += modulus == 0 ? 0 : 1;
            else sum += Math.pow(modulus, order);
        }
        return order == 0 || Double.isInfinite(order) ? sum : Math.pow(sum, 1 / order);
    }

    /** The peer reduced a scatter over the world within a group, and gave 14 for 140. */
    @Test
    void countsReplicatedArraysOnceWithinGroups() {
        Ranks.run(4, ranks -> {
            Communicator group = ranks.split(ranks.rank() % 2, 0);
            DistributedArray x = DistributedSpace.replicated(group, 7).fromFunction(at -> at[0] + 1);
            assertThat(x.dot(x).value()).isEqualTo(140);
            assertThat(x.norm()).isEqualTo(Math.sqrt(140));
            assertThat(StackedArray.of(x, DistributedSpace.rows(group, 7).fromFunction(at -> at[0] + 1))
                            .dot(StackedArray.of(
                                    x, DistributedSpace.rows(group, 7).fromFunction(_ -> 1)))
                            .value())
                    .isEqualTo(140 + 28);
        });
    }

    @Test
    void saysWhatItCannotDo() {
        Ranks.run(2, ranks -> {
            DistributedArray none = DistributedSpace.rows(ranks, 0, 3).zeros();
            assertThat(none.norm()).isZero();
            assertThat(none.norm(1)).isZero();
            assertThat(none.sum().value()).isZero();
            assertThat(none.sum(0).allGather().toDoubles()).containsExactly(0, 0, 0);
            assertThatThrownBy(none::min).hasMessageContaining("shape (0, 3) has no element");
            assertThatThrownBy(() -> none.max(0)).hasMessageContaining("shape (0, 3) has no element");
            assertThatThrownBy(() -> none.norm(Double.POSITIVE_INFINITY)).hasMessageContaining("no element");
            assertThatThrownBy(() -> none.norm(Double.NaN)).hasMessageContaining("order is NaN");
            assertThatThrownBy(() -> none.sum(2)).hasMessageContaining("axis is 2");
        });
    }

    @Test
    void seesNotANumberOnEveryRank() {
        List<Double> results = Ranks.call(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 5).fromFunction(at -> at[0] == 4 ? Double.NaN : at[0]);
            assertThat(x.min()).isNaN();
            return x.max() + x.norm(Double.POSITIVE_INFINITY) + x.norm(1);
        });
        assertThat(results).hasSize(3).containsOnly(Double.NaN);
    }

    @Test
    void meansOfWholeNumbersDoNotWrap() {
        Ranks.run(2, ranks -> {
            DistributedArray x =
                    DistributedSpace.rows(ranks, 4, 2).as(DType.I64).zeros();
            x.fill(0x1p62);
            assertThat(x.mean().value()).isEqualTo(0x1p62);
            assertThat(x.mean(0).allGather().toDoubles()).containsOnly(0x1p62);
            assertThat(x.mean(1).allGather().toDoubles()).containsOnly(0x1p62);
        });
    }

    /** The squares of these numbers overflow single precision; their norms do not. */
    @Test
    void normsOfLargeSinglePrecisionNumbersAreFinite() {
        for (int size : RankCounts.of(1, 2, 5))
            Ranks.run(size, ranks -> {
                DistributedArray x =
                        DistributedSpace.rows(ranks, 4, 3).as(DType.F32).zeros();
                x.fill(1e25);
                assertThat(x.norm(2, 0).dtype()).isEqualTo(DType.F32);
                for (double norm : x.norm(2, 0).allGather().toDoubles())
                    assertThat(norm).isCloseTo(2e25, within(1e19));
                for (double norm : x.norm(2, 1).allGather().toDoubles())
                    assertThat(norm).isCloseTo(Math.sqrt(3) * 1e25, within(1e19));
                assertThat(x.norm()).isCloseTo(Math.sqrt(12) * 1e25, within(1e19));
            });
    }
}
