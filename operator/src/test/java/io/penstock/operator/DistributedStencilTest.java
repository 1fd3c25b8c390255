package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Distributed stencils against local ones, and what they send. */
class DistributedStencilTest {
    private static DistributedArray part(DistributedSpace space, NDArray whole) {
        Layout layout = space.layout();
        int me = space.ranks().rank();
        return DistributedArray.ofLocal(
                space,
                layout.isReplicated()
                        ? whole.copy()
                        : whole.slice(layout.axis(), layout.start(me), layout.end(me))
                                .copy());
    }

    private static void assertSame(DistributedArray got, NDArray whole, double tolerance) {
        NDArray expected = part(got.space(), whole).local();
        NDArray difference = got.local().copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isLessThanOrEqualTo(tolerance * whole.norm());
    }

    static Layout anyLayout(SplittableRandom random, int ranks, long[] shape) {
        int axis = random.nextInt(-1, shape.length);
        if (axis < 0) return Layout.replicated(ranks, shape);
        if (random.nextBoolean()) return Layout.split(ranks, axis, shape);
        long[] blocks = new long[ranks];
        for (long i = 0; i < shape[axis]; i++) blocks[random.nextInt(ranks)]++;
        return Layout.blocks(axis, blocks, shape);
    }

    static Stencil anyStencil(SplittableRandom random, long[] shape) {
        Stencil stencil = Stencil.none(shape, shape);
        for (int t = random.nextInt(1, 4); t > 0; t--) {
            int k = random.nextInt(shape.length);
            long n = shape[k];
            stencil = stencil.plus(
                    k,
                    switch (random.nextInt(4)) {
                        case 0 ->
                            FirstDerivative.along(k).edge(random.nextBoolean()).band(n);
                        case 1 ->
                            FirstDerivative.along(k).kind(Difference.FORWARD).band(n);
                        case 2 ->
                            FirstDerivative.along(k)
                                    .points(5)
                                    .edge(random.nextBoolean())
                                    .band(n);
                        default -> {
                            double[] h =
                                    random.doubles(random.nextInt(1, 9), -1, 1).toArray();
                            yield Band.convolution(h, random.nextInt(h.length), n, n);
                        }
                    });
        }
        return stencil;
    }

    @Tag("host")
    @Test
    void distributedEqualsLocal() {
        Seeded.cases(80, random -> {
            int size = RankCounts.any(random, 8);
            long[] shape = random.longs(random.nextInt(1, 4), 1, 10).toArray();
            if (random.nextInt(3) == 0) shape[random.nextInt(shape.length)] = random.nextLong(15, 40);
            DType dtype = StencilTest.anyDtype(random);
            Layout layout = anyLayout(random, size, shape);
            Stencil im = dtype.isComplex() && random.nextBoolean() ? anyStencil(random, shape) : null;
            ComplexStencil stencil = new ComplexStencil(anyStencil(random, shape), im, 1);
            NDArray x = NDArray.random(3, dtype, shape);
            LocalStencil local = LocalStencil.of("stencil", stencil, ArraySpace.of(dtype));
            NDArray y = local.forward(x);
            NDArray v = local.adjoint(x);
            double tolerance = dtype.real() == DType.F32 ? 1e-5 : 1e-13;
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, dtype);
                DistributedStencil operator = DistributedStencil.of("stencil", stencil, space);
                for (int round = 0; round < 2; round++) {
                    assertSame(operator.forward(part(space, x)), y, tolerance);
                    assertSame(operator.adjoint(part(space, x)), v, tolerance);
                }
            });
        });
    }

    @Tag("host")
    @Test
    void anElementsBitsDoNotDependOnTheRanks() {
        NDArray x = NDArray.random(3, DType.F64, 33, 12);
        NDArray y = LocalStencil.of("s", laplacian(33, 12), ArraySpace.of()).forward(x);
        for (int size : RankCounts.upTo(16))
            for (int axis = 0; axis < 2; axis++) {
                int cut = axis;
                Ranks.run(size, ranks -> {
                    DistributedSpace space = DistributedSpace.split(ranks, cut, 33, 12);
                    assertSame(
                            DistributedStencil.of("s", laplacian(33, 12), space).forward(part(space, x)), y, 0);
                });
            }
    }

    private static ComplexStencil laplacian(long... shape) {
        Stencil stencil = Stencil.none(shape, shape);
        for (int k = 0; k < shape.length; k++) {
            Band d = FirstDerivative.along(k).edge(true).band(shape[k]);
            stencil = stencil.plus(k, d.times(d));
        }
        return ComplexStencil.real(stencil);
    }

    @Test
    void oneMessageGoesToEachNeighbourThatNeedsRows() {
        for (int size : RankCounts.upTo(16))
            Ranks.run(size, ranks -> {
                DistributedSpace space = DistributedSpace.rows(ranks, 64, 10);
                boolean first = ranks.rank() == 0;
                boolean last = ranks.rank() == ranks.size() - 1;
                LinearOperator<DistributedArray, DistributedArray> centered = FirstDerivative.of(space, 0);
                DistributedArray x = space.random(1);
                DistributedArray y = space.empty();
                Traffic before = ranks.traffic();
                centered.forward(x, y);
                long neighbours = (first ? 0L : 1L) + (last ? 0L : 1L);
                assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(neighbours, neighbours * 80));
                before = ranks.traffic();
                centered.adjoint(x, y);
                assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(neighbours, neighbours * 80));
                before = ranks.traffic();
                FirstDerivative.along(0).kind(Difference.FORWARD).on(space).forward(x, y);
                assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(first ? 0 : 1, first ? 0 : 80));
                before = ranks.traffic();
                FirstDerivative.of(space, 1).forward(x, y);
                assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(0, 0));
            });
    }

    @Tag("host")
    @Test
    void thePeersExampleWorksOnAnyNumberOfRanks() {
        NDArray x = NDArray.random(9, DType.F64, 11, 21);
        NDArray y = FirstDerivative.of(x.space(), 0).forward(x);
        NDArray v = FirstDerivative.of(x.space(), 0).adjoint(x);
        for (int size : RankCounts.upTo(12))
            Ranks.run(size, ranks -> {
                DistributedSpace space = DistributedSpace.rows(ranks, 11, 21);
                LinearOperator<DistributedArray, DistributedArray> d = FirstDerivative.of(space, 0);
                assertSame(d.forward(part(space, x)), y, 0);
                assertSame(d.adjoint(part(space, x)), v, 0);
            });
    }

    @Test
    void splitGroupsWorkApart() {
        NDArray x = NDArray.random(9, DType.F64, 24, 24);
        NDArray y = FirstDerivative.of(x.space(), 0).adjoint(x);
        Ranks.run(6, ranks -> {
            try (var group = ranks.split(ranks.rank() % 2, ranks.rank())) {
                DistributedSpace space = DistributedSpace.rows(group, 24, 24);
                assertThat(Arrays.stream(space.layout().dims()).sum()).isEqualTo(48);
                assertSame(FirstDerivative.of(space, 0).adjoint(part(space, x)), y, 0);
            }
        });
    }
}
