package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.ReduceOp;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Tiles;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Matrix products on grids of ranks, against local ones and a formula. */
class TiledMatrixTest {
    private static DistributedArray of(Tiles tiles, Communicator ranks, NDArray whole) {
        return tiles.ofGlobal(tiles.space(ranks, whole.dtype()), whole);
    }

    private static void assertClose(NDArray got, NDArray expected) {
        NDArray difference = got.copy();
        difference.axpy(-1, expected);
        double tolerance = expected.dtype().real() == DType.F32 ? 1e-5 : 1e-13;
        assertThat(difference.norm()).isLessThanOrEqualTo(tolerance * (1 + expected.norm()));
    }

    @Tag("host")
    @Test
    void equalsTheLocalProductOnAnyGridOfAnySize() {
        Seeded.cases(40, random -> {
            int gridRows = random.nextInt(1, 4);
            int gridColumns = random.nextInt(1, 4);
            long n = random.nextLong(0, 9);
            long k = random.nextLong(0, 9);
            long m = random.nextLong(0, 9);
            DType dtype = StencilTest.anyDtype(random);
            NDArray a = NDArray.random(1, dtype, n, k);
            NDArray x = NDArray.random(2, dtype, k, m);
            NDArray u = NDArray.random(3, dtype, n, m);
            NDArray y = a.matmul(x);
            NDArray v = NDArray.empty(dtype, k, m);
            a.adjointMatmul(u, v);
            Ranks.run(gridRows * gridColumns, ranks -> {
                Tiles tiles = new Tiles(n, k, gridRows, gridColumns);
                try (TiledMatrix product = TiledMatrix.of(tiles, of(tiles, ranks, a), m)) {
                    for (int round = 0; round < 2; round++) {
                        DistributedArray got = product.forward(of(product.domainTiles(), ranks, x));
                        assertClose(product.rangeTiles().allGather(got), y);
                        DistributedArray back = product.adjoint(of(product.rangeTiles(), ranks, u));
                        assertClose(product.domainTiles().allGather(back), v);
                    }
                    product.dotTest(5, dtype.real() == DType.F32 ? 1e-3 : 1e-11);
                }
            });
        });
    }

    /** {@code a[i, j] = i + j} and {@code x[j, l] = j - l}: the sum over j of their product, in closed form. */
    @Test
    void agreesWithTheFormulaOnAnyNumberOfRanks() {
        long k = 37;
        double s1 = k * (k - 1) / 2.0;
        double s2 = (k - 1) * k * (2 * k - 1) / 6.0;
        for (int size = 1; size <= 7; size++)
            Ranks.run(size, ranks -> {
                Tiles tiles = Tiles.of(ranks.size(), 11, k);
                NDArray a = NDArray.empty(DType.F64, 11, k);
                for (long i = 0; i < 11; i++) for (long j = 0; j < k; j++) a.set((double) (i + j), i, j);
                NDArray x = NDArray.empty(DType.F64, k, 5);
                for (long j = 0; j < k; j++) for (long l = 0; l < 5; l++) x.set((double) (j - l), j, l);
                TiledMatrix product = TiledMatrix.of(tiles, of(tiles, ranks, a), 5);
                NDArray y = product.rangeTiles().allGather(product.forward(of(product.domainTiles(), ranks, x)));
                for (long i = 0; i < 11; i++)
                    for (long l = 0; l < 5; l++) assertThat(y.get(i, l)).isEqualTo(i * s1 - i * k * l + s2 - l * s1);
            });
    }

    @Test
    void eachElementIsBroadcastOnce() {
        Ranks.run(4, ranks -> {
            Tiles tiles = Tiles.of(4, 8, 6);
            TiledMatrix product =
                    TiledMatrix.of(tiles, tiles.space(ranks, DType.F64).random(1), 10);
            DistributedArray x = ((DistributedSpace) product.domain()).random(2);
            DistributedArray y = product.forward(x);
            double[] forward = sent(ranks, () -> product.forward(x, y));
            assertThat(forward[1]).isEqualTo(8 * (8 * 6 + 6 * 10));
            double[] adjoint = sent(ranks, () -> product.adjoint(y, x));
            assertThat(adjoint[1]).isEqualTo(8 * (8 * 6 + 2 * 6 * 10));
        });
    }

    private static double[] sent(Communicator ranks, Runnable work) {
        Traffic before = ranks.traffic();
        work.run();
        Traffic own = ranks.traffic().since(before);
        double[] sums = {own.messages(), own.bytes()};
        ranks.allReduce(sums, 2, ReduceOp.SUM);
        return sums;
    }

    @Test
    void wrongUseIsNamed() {
        Ranks.run(2, ranks -> {
            Tiles tiles = Tiles.of(2, 4, 4);
            DistributedArray flat = DistributedSpace.rows(ranks, 8).zeros();
            assertThatThrownBy(() -> TiledMatrix.of(tiles, flat, 1)).hasMessageContaining("the space of the matrix");
            DistributedArray whole = tiles.space(ranks, DType.I64).zeros();
            assertThatThrownBy(() -> TiledMatrix.of(tiles, whole, 1)).hasMessageContaining("holds I64");
            assertThatThrownBy(() -> new Tiles(4, 4, 3, 1).space(ranks, DType.F64))
                    .hasMessageContaining("has 2 ranks; expected 3 for a grid of 3 x 1");
            assertThatThrownBy(() -> new Tiles(4, 4, 0, 1)).hasMessageContaining("the grid is 0 x 1");
        });
    }
}
