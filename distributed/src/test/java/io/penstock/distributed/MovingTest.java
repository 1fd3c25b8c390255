package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MovingTest {
    @Test
    void redistributesBetweenAnyLayoutsAndSendsOnlyWhatMoves() {
        Seeded.cases(150, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray whole = Cases.numbers(random, Cases.dtype(random), shape);
            Layout from = Cases.layout(random, size, shape);
            Layout to = Cases.layout(random, size, shape);
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, from, whole.dtype());
                DistributedArray x = DistributedArray.ofGlobal(space, whole);
                Traffic before = ranks.traffic();
                DistributedArray y = x.redistribute(to);
                Traffic sent = ranks.traffic().since(before);
                Cases.assertEqual(y.local(), Redistribution.part(whole, to, ranks.rank()));
                boolean silent = from.equals(to) || from.isReplicated() || size == 1;
                assertThat(sent.messages()).isEqualTo(silent ? 0 : 1);
                assertThat(sent.bytes())
                        .isEqualTo(
                                silent
                                        ? 0
                                        : moving(from, to, ranks.rank())
                                                * whole.dtype().bytes());
                y.local().scale(2);
                Cases.assertEqual(x.local(), Redistribution.part(whole, from, ranks.rank()));
            });
        });
    }

    /** How many elements of a rank must go elsewhere, counted one by one. */
    private static long moving(Layout from, Layout to, int rank) {
        if (to.isReplicated()) return from.localSize(rank);
        long[] index = new long[from.ndim()];
        long moving = 0;
        for (long i = 0; i < from.size(); i++) {
            if (from.owner(index[from.axis()]) == rank && to.owner(index[to.axis()]) != rank) moving++;
            for (int k = index.length - 1; k >= 0 && ++index[k] == from.dim(k); k--) index[k] = 0;
        }
        return moving;
    }

    @Test
    void redistributesTheKnownCase() {
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, 8, 9);
            DistributedArray a = space.fromFunction(at -> 10.0 * at[0] + at[1]);
            DistributedArray b = a.redistribute(1);
            assertThat(b.local().shape()).containsExactly(8, 3);
            for (long i = 0; i < 8; i++)
                for (long j = 0; j < 3; j++)
                    assertThat(b.local().get(i, j)).isEqualTo(10.0 * i + 3.0 * ranks.rank() + j);
            Cases.assertEqual(b.allGather(), a.allGather());
        });
    }

    @Test
    void gathersAndScatters() {
        Seeded.cases(80, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray whole = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            int root = random.nextInt(size);
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, whole.dtype());
                boolean here = ranks.rank() == root;
                DistributedArray x = DistributedArray.scatter(space, here ? whole : null, root);
                Cases.assertEqual(x.local(), Redistribution.part(whole, layout, ranks.rank()));
                Cases.assertEqual(x.allGather(), whole);
                Optional<NDArray> gathered = x.gather(root);
                assertThat(gathered.isPresent()).isEqualTo(here);
                gathered.ifPresent(got -> Cases.assertEqual(got, whole));
            });
        });
    }

    @Test
    void readsAndWritesSingleElements() {
        Seeded.cases(60, random -> {
            int size = Cases.ranks(random);
            long[] shape = random.longs(1 + random.nextInt(3), 1, 6).toArray();
            NDArray whole = Cases.numbers(random, DType.C128, shape);
            Layout layout = Cases.layout(random, size, shape);
            long[] index = Arrays.stream(shape).map(random::nextLong).toArray();
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, DType.C128), whole);
                assertThat(x.getComplex(index)).isEqualTo(whole.getComplex(index));
                Traffic before = ranks.traffic();
                x.set(new Complex(-0.5, 99), index);
                assertThat(ranks.traffic()).isEqualTo(before);
                assertThat(x.getComplex(index)).isEqualTo(new Complex(-0.5, 99));
                x.set(whole.getComplex(index), index);
                Cases.assertEqual(x.local(), Redistribution.part(whole, layout, ranks.rank()));
            });
        });
    }

    @Test
    void reshapesCutsAlongAnyAxis() {
        Ranks.run(3, ranks -> {
            DistributedArray x =
                    DistributedSpace.split(ranks, 1, 4, 6, 5).fromFunction(at -> 100.0 * at[0] + 10.0 * at[1] + at[2]);
            Traffic before = ranks.traffic();
            DistributedArray y = x.reshape(4, 30);
            DistributedArray z = x.reshape(2, 2, 6, 5);
            assertThat(ranks.traffic()).isEqualTo(before);
            Cases.assertEqual(y.allGather(), x.allGather().reshape(4, 30));
            Cases.assertEqual(z.allGather(), x.allGather().reshape(2, 2, 6, 5));
            assertThatThrownBy(x::ravel).hasMessageContaining("redistribute");
            Cases.assertEqual(
                    x.redistribute(0).ravel().allGather(), x.allGather().reshape(120));
        });
    }

    @Test
    void surroundsBlocksWithGhostCells() {
        Seeded.cases(60, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray whole = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.blocks(random, size, random.nextInt(shape.length), shape);
            long before = random.nextInt(4);
            long after = random.nextInt(4);
            Ranks.run(size, ranks -> {
                DistributedArray x =
                        DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, whole.dtype()), whole);
                int me = ranks.rank();
                boolean none = layout.block(me) == 0;
                long from = Math.max(0, layout.start(me) - (none ? 0 : before));
                long to = Math.min(layout.dim(layout.axis()), layout.end(me) + (none ? 0 : after));
                Cases.assertEqual(x.withGhostCells(before, after), whole.slice(layout.axis(), from, to));
            });
        });
    }

    @Test
    void comparesReplicas() {
        Ranks.run(4, ranks -> {
            DistributedArray x = DistributedSpace.replicated(ranks, 3, 5).random(7);
            Traffic before = ranks.traffic();
            x.checkReplicas();
            assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(1, 32));
            if (ranks.rank() >= 2) x.local().set(0.25, 2, 1);
            assertThatThrownBy(x::checkReplicas)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("rank 2 has another element at index (2, 1) than rank 0");
            x.broadcast(1);
            x.checkReplicas();
            assertThat(x.get(2, 1)).isNotEqualTo(0.25);
            assertThatThrownBy(() -> DistributedSpace.rows(ranks, 3).zeros().checkReplicas())
                    .hasMessageContaining("expected a replicated one");
        });
    }

    private static int half(Communicator ranks) {
        return ranks.rank() / 2;
    }

    @Test
    void worksWithinGroupsOfRanks() {
        Ranks.run(4, ranks -> {
            Communicator half = ranks.split(half(ranks), 0);
            DistributedSpace space = DistributedSpace.rows(half, 5);
            DistributedArray x = space.fromFunction(at -> at[0] + 1.0 + 10.0 * half(ranks));
            double expected = ranks.rank() < 2 ? 55 : 11 * 11 + 12 * 12 + 13 * 13 + 14 * 14 + 15 * 15;
            assertThat(x.dot(x).value()).isEqualTo(expected);
            DistributedArray y = x.redistribute(space.layout().asReplicated());
            assertThat(y.dot(y).value()).isEqualTo(expected);
        });
    }

    @Test
    void refusesWhatDoesNotFit() {
        Ranks.run(2, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 4, 3).zeros();
            assertThatThrownBy(() -> x.redistribute(Layout.rows(2, 3, 4)))
                    .hasMessageContaining("expected shape (4, 3)");
            assertThatThrownBy(() -> x.redistribute(Layout.rows(3, 4, 3))).hasMessageContaining("3 ranks; expected 2");
            assertThatThrownBy(() -> x.get(4, 0)).hasMessageContaining("index 4 along axis 0");
            assertThatThrownBy(() -> x.get(-1, 0)).hasMessageContaining("index -1 along axis 0");
            assertThatThrownBy(() -> x.get(1)).hasMessageContaining("expected 2 numbers for shape (4, 3)");
            assertThatThrownBy(() -> x.set(Complex.I, 0, 0)).hasMessageContaining("expected a real number");
            assertThatThrownBy(() -> DistributedArray.ofGlobal(x.space(), NDArray.of(1, 2)))
                    .hasMessageContaining("whole lies in");
        });
    }

    @Test
    void randomElementsDoNotDependOnTheLayout() {
        Seeded.cases(40, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            DType dtype = Cases.oneOf(random, DType.F32, DType.F64, DType.C64, DType.C128);
            Layout layout = Cases.layout(random, size, shape);
            NDArray whole = NDArray.random(3, dtype, shape);
            Ranks.run(
                    size,
                    ranks -> Cases.assertEqual(
                            new DistributedSpace(ranks, layout, dtype).random(3).local(),
                            Redistribution.part(whole, layout, ranks.rank())));
        });
    }
}
