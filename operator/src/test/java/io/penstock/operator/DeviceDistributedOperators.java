package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.RankDevice;
import io.penstock.distributed.Tiles;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Distributed operators with a device a rank, against the same in the JVM: the same results from the same messages. A subclass for
 * each driver says which devices.
 */
@Timeout(300)
abstract class DeviceDistributedOperators {
    /** The driver's name. */
    abstract String driver();

    @BeforeEach
    void hasDevices() {
        Devices.first(driver());
    }

    private DistributedSpace there(DistributedSpace space) {
        return space.on(RankDevice.of(space.ranks(), driver()));
    }

    private static void assertClose(DistributedArray got, DistributedArray expected) {
        double tolerance = expected.dtype().real() == DType.F32 ? 1e-5 : 1e-13;
        assertThat(got.local().device()).isEqualTo(got.space().device());
        DistributedArray difference = got.toHost().copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isLessThanOrEqualTo(tolerance * (1 + expected.norm()));
    }

    /** Applies an operator both ways here and on the devices, twice, and compares what it gives and sends. */
    final void assertSame(
            DistributedSpace here,
            Function<DistributedSpace, ? extends LinearOperator<DistributedArray, DistributedArray>> operator) {
        Communicator ranks = here.ranks();
        var a = operator.apply(here);
        var b = operator.apply(there(here));
        DistributedArray x = a.domain().random(3);
        for (int round = 0; round < 2; round++) {
            Traffic before = ranks.traffic();
            DistributedArray y = a.forward(x);
            DistributedArray v = a.adjoint(y);
            Traffic expected = ranks.traffic().since(before);
            DistributedArray xThere = x.to(((DistributedSpace) b.domain()).device());
            before = ranks.traffic();
            DistributedArray yThere = b.forward(xThere);
            DistributedArray vThere = b.adjoint(yThere);
            assertThat(ranks.traffic().since(before)).isEqualTo(expected);
            assertClose(yThere, y);
            assertClose(vThere, v);
        }
    }

    @Test
    void stencilsGiveTheSameFromTheSameMessages() {
        Seeded.cases(8, random -> {
            int size = random.nextInt(1, 6);
            long[] shape = random.longs(random.nextInt(1, 4), 1, 10).toArray();
            if (random.nextInt(3) == 0) shape[0] = random.nextLong(15, 40);
            DType dtype = random.nextBoolean() ? DType.C128 : DType.F32;
            Layout layout = DistributedStencilTest.anyLayout(random, size, shape);
            Stencil re = DistributedStencilTest.anyStencil(random, shape);
            Stencil im =
                    dtype.isComplex() && random.nextBoolean() ? DistributedStencilTest.anyStencil(random, shape) : null;
            ComplexStencil stencil = new ComplexStencil(re, im, 1);
            Ranks.run(
                    size,
                    ranks -> assertSame(
                            new DistributedSpace(ranks, layout, dtype),
                            space -> DistributedStencil.of("stencil", stencil, space)));
        });
    }

    @Test
    void operatorsOfStencilsGiveTheSame() {
        double[] wavelet = Wavelets.ricker(15, 0.004, 21);
        for (int size : RankCounts.of(1, 3, 4))
            Ranks.run(size, ranks -> {
                DistributedSpace space = DistributedSpace.rows(ranks, 7, 6, 5).as(DType.F32);
                assertSame(space, s -> Laplacian.along(0, 1, 2).on(s));
                assertSame(space, s -> PoststackModelling.along(0, wavelet).on(s));
                assertSame(space, s -> PoststackModelling.along(-1, wavelet).on(s));
                assertSame(space, s -> {
                    var l = Laplacian.of(s);
                    return l.adjoint().times(l).plus(Identity.of(s).scaled(2));
                });
                DistributedArray factors = space.random(8);
                assertSame(space, s -> Diagonal.of(factors.to(s.device())));
            });
    }

    @Test
    void aKernelMadeForAStencilFindsTheBitsOfTheHostsLoops() {
        for (DType dtype : List.of(DType.F32, DType.C128))
            try (Scope _ = Scope.open()) {
                NDArray x = NDArray.random(3, dtype, 12, 11, 40);
                NDArray expected = NDArray.random(4, dtype, 12, 11, 40);
                Device device = Devices.first(driver());
                NDArray found = expected.to(device);
                Stencil stencil = Stencil.none(x.space().dims(), x.space().dims());
                for (int k = 0; k < 3; k++)
                    stencil = stencil.plus(
                            k,
                            FirstDerivative.along(k).edge(true).band(x.dim(k)).scaled(k + 0.1));
                boolean accumulate = dtype.isComplex();
                PatternStencil kernel = Objects.requireNonNull(
                        PatternStencil.of(stencil, x.space().on(device), 0));
                kernel.apply(x.to(device), found, accumulate);
                new Sweep(dtype.real(), SweepAxis.merged(stencil, dtype, null))
                        .run(expected.address(), x.address(), accumulate, false);
                assertThat(PatternStencilTest.bits(found.toHost())).isEqualTo(PatternStencilTest.bits(expected));
            }
    }

    @Test
    void stacksAndSelectionsGiveTheSame() {
        NDArray matrix = NDArray.random(6, DType.F32, 5, 4);
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, 7, 4).as(DType.F32);
            assertSame(space, s -> BlockDiagonal.gathering(ranks, List.of(DenseMatrix.of(matrix.to(s.device())))));
            assertSame(space, s -> VerticalStack.gathering(ranks, List.of(DenseMatrix.of(matrix.to(s.device())))));
            assertSame(space, s -> Roll.of(s, 0, 3));
            assertSame(space, s -> Flip.of(s, 1));
            assertSame(space, s -> Pad.of(s, 0, 2, 1));
            assertSame(space, s -> Redistribution.of(s, s.layout().along(1)));
        });
    }

    @Test
    void productsGiveTheSame() {
        for (int size : RankCounts.of(2, 6))
            Ranks.run(size, ranks -> {
                Tiles tiles = Tiles.of(size, 7, 9);
                DistributedArray matrix = tiles.space(ranks, DType.F32).random(4);
                DistributedSpace domain = tiles.with(9, 5).space(ranks, DType.F32);
                assertSame(domain, s -> TiledMatrix.of(tiles, matrix.to(s.device()), 5));
            });
    }

    @Test
    void convolutionsOfWavefieldsGiveTheSame() {
        NDArray kernel = NDArray.random(7, DType.C64, 7, 4, 3);
        Ranks.run(3, ranks -> {
            Layout cut = Layout.rows(3, 7);
            NDArray own = kernel.slice(0, cut.start(ranks.rank()), cut.end(ranks.rank()));
            DistributedSpace space = DistributedSpace.split(ranks, 1, 15, 3, 2).as(DType.F32);
            assertSame(
                    space,
                    s -> MultidimensionalConvolution.of(own.to(s.device()))
                            .sampling(0.004, 10)
                            .twoSided()
                            .on(s, 7));
        });
    }

    @Tag("threads")
    @Test
    void theInteriorRunsWhileTheHaloTravels() {
        CompletableFuture<NDArray> result = new CompletableFuture<>();
        Ranks.run(2, ranks -> {
            DistributedSpace space = there(DistributedSpace.rows(ranks, 32, 8));
            DistributedArray x = space.empty();
            x.fill(1);
            DistributedArray y = space.zeros();
            var d = FirstDerivative.along(0)
                    .kind(Difference.CENTERED)
                    .edge(true)
                    .on(space);
            d.forward(x, y);
            x.fill(2);
            y.fill(-1);
            if (ranks.rank() == 0) result.complete(y.local());
            else {
                // What rank 0 computes of its own rows, before any row that it waits for was sent.
                NDArray theirs = result.join();
                long end = System.nanoTime() + 20_000_000_000L;
                while (theirs.get(7, 3) != 0 && System.nanoTime() < end) Thread.onSpinWait();
                assertThat(theirs.get(7, 3)).isZero();
                assertThat(theirs.get(15, 3)).isEqualTo(-1);
            }
            d.forward(x, y);
            ranks.barrier();
            assertThat(y.norm()).isZero();
        });
    }
}
