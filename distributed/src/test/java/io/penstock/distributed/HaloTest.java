package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class HaloTest {
    /** What rank {@code r} should hold after an exchange: rows of an array that every rank can make for itself. */
    private static NDArray rows(DistributedSpace space, long from, long to) {
        return whole(space).slice(space.layout().axis(), from, to).copy();
    }

    private static NDArray whole(DistributedSpace space) {
        return NDArray.random(5, space.dtype(), space.layout().dims());
    }

    private static DistributedArray array(DistributedSpace space) {
        int me = space.ranks().rank();
        return DistributedArray.ofLocal(
                space, rows(space, space.layout().start(me), space.layout().end(me)));
    }

    private static void assertSame(NDArray got, NDArray expected) {
        assertThat(got.space()).isEqualTo(expected.space());
        NDArray difference = got.copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isZero();
    }

    @Test
    void neighboursRowsArriveInOneMessageEach() {
        for (int axis = 0; axis < 3; axis++) {
            int cut = axis;
            Ranks.run(3, ranks -> {
                DistributedSpace space = DistributedSpace.split(ranks, cut, 7, 8, 9);
                long[] plane = space.layout().dims();
                plane[cut] = 1;
                long rowBytes = 8 * ArraySpace.of(plane).size();
                Halo halo = Halo.of(space, 2, 1);
                DistributedArray x = array(space);
                Traffic before = ranks.traffic();
                halo.exchange(x);
                Traffic sent = ranks.traffic().since(before);
                long start = space.layout().start(ranks.rank());
                long end = space.layout().end(ranks.rank());
                long n = space.layout().dim(cut);
                assertSame(halo.before(), rows(space, Math.max(0, start - 2), start));
                assertSame(halo.after(), rows(space, end, Math.min(n, end + 1)));
                assertThat(sent)
                        .isEqualTo(
                                switch (ranks.rank()) {
                                    case 0 -> new Traffic(1, 2 * rowBytes);
                                    case 1 -> new Traffic(2, 3 * rowBytes);
                                    default -> new Traffic(1, rowBytes);
                                });
            });
        }
    }

    @Test
    void rowsComeFromSeveralRanksWhereBlocksAreShort() {
        Ranks.run(5, ranks -> {
            Layout layout = Layout.blocks(0, new long[] {1, 0, 2, 1, 3}, 7, 2);
            DistributedSpace space = new DistributedSpace(ranks, layout, DType.C64);
            Halo halo = Halo.of(space, 3, 4);
            Traffic before = ranks.traffic();
            halo.exchange(array(space));
            long[] from = {0, 1, 0, 0, 1};
            long[] to = {5, 1, 7, 7, 7};
            int me = ranks.rank();
            assertSame(halo.before(), rows(space, from[me], layout.start(me)));
            assertSame(halo.after(), rows(space, layout.end(me), to[me]));
            long[] messages = {2, 0, 3, 3, 3};
            assertThat(ranks.traffic().since(before).messages()).isEqualTo(messages[me]);
        });
    }

    @Test
    void anyLayoutAndAnyRanges() {
        Seeded.cases(60, random -> {
            int size = RankCounts.any(random, 8);
            int axis = random.nextInt(0, 2);
            long[] blocks = random.longs(size, 0, 4).toArray();
            long n = java.util.Arrays.stream(blocks).sum();
            long[] shape = axis == 0 ? new long[] {n, 3} : new long[] {2, n};
            Layout layout = Layout.blocks(axis, blocks, shape);
            long[] from = new long[size];
            long[] to = new long[size];
            for (int r = 0; r < size; r++) {
                from[r] = random.nextLong(0, layout.start(r) + 1);
                to[r] = random.nextLong(layout.end(r), n + 1);
            }
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, DType.F32);
                Halo halo = Halo.of(space, from, to);
                int me = ranks.rank();
                for (int round = 0; round < 2; round++) {
                    halo.start(array(space));
                    halo.finish();
                    assertSame(halo.before(), rows(space, from[me], layout.start(me)));
                    assertSame(halo.after(), rows(space, layout.end(me), to[me]));
                }
            });
        });
    }

    @Test
    void wrongUseIsNamed() {
        Ranks.run(2, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, 4, 2);
            assertThatThrownBy(() -> Halo.of(space, -1, 0))
                    .hasMessage("the halo's widths are -1 and 0; expected 0 or more");
            assertThatThrownBy(() -> Halo.of(DistributedSpace.replicated(ranks, 4), 1, 1))
                    .hasMessageContaining("replicated ones have no halo");
            assertThatThrownBy(() -> Halo.of(space, new long[] {0, 3}, new long[] {2, 4}))
                    .hasMessage(
                            "rank 1 needs rows 3 to 4; expected a range that covers its block, 2 to 4, within 0 to 4");
            Halo halo = Halo.of(space, 1, 1);
            assertThatThrownBy(
                            () -> halo.start(DistributedSpace.rows(ranks, 2, 4).zeros()))
                    .isInstanceOf(IllegalArgumentException.class);
            halo.start(array(space));
            assertThatThrownBy(() -> halo.start(array(space))).isInstanceOf(IllegalStateException.class);
            halo.finish();
        });
    }
}
