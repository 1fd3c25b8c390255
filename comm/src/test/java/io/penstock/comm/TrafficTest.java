package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each call counts for. */
class TrafficTest {
    private static NDArray zeros(long size) {
        return NDArray.zeros(DType.F64, size);
    }

    @Test
    void eachCallCountsOnceWithTheBytesThatLeaveTheRank() {
        Ranks.run(3, this::eachCallCounts);
    }

    /** To be called by three ranks. */
    void eachCallCounts(Communicator ranks) {
        int me = ranks.rank();
        boolean root = me == 1;
        List<NDArray> three = List.of(zeros(1), zeros(2), zeros(3));
        List<NDArray> equal = List.of(zeros(4), zeros(4), zeros(4));
        List<NDArray> mine = List.of(zeros(me + 1), zeros(me + 1), zeros(me + 1));
        counts(ranks, 1, 0, ranks::barrier);
        counts(ranks, 1, root ? 40 : 0, () -> ranks.broadcast(zeros(5), 1));
        counts(ranks, 1, 40, () -> ranks.allReduce(zeros(5), ReduceOp.SUM));
        counts(ranks, 1, 16, () -> ranks.allReduce(new double[3], 2, ReduceOp.SUM));
        counts(ranks, 1, 40, () -> ranks.reduce(zeros(5), ReduceOp.SUM, 1));
        counts(ranks, 1, 48, () -> ranks.reduceScatter(three, zeros(me + 1), ReduceOp.SUM));
        counts(ranks, 1, 8L * (me + 1), () -> ranks.allGather(zeros(me + 1), three));
        counts(ranks, 1, root ? 0 : 32, () -> ranks.gather(zeros(4), equal, 1));
        counts(ranks, 1, root ? 64 : 0, () -> ranks.scatter(equal, zeros(4), 1));
        counts(ranks, 1, 8L * (6 - (me + 1)), () -> ranks.allToAll(three, mine));
        counts(ranks, 1, 24, () -> ranks.sendReceive(zeros(3), (me + 1) % 3, zeros(3), (me + 2) % 3, 0));
        counts(ranks, 1, 0, () -> ranks.ibarrier().await());
        counts(ranks, 1, 40, () -> ranks.iallReduce(zeros(5), ReduceOp.SUM).await());
    }

    @Test
    void whatASplitGroupSendsCountsInTheWholeToo() {
        Ranks.run(4, this::splitCounts);
    }

    /** To be called by four ranks. */
    void splitCounts(Communicator ranks) {
        Communicator half = ranks.split(ranks.rank() % 2, 0);
        Communicator quarter = half.split(half.rank(), 0);
        Traffic before = ranks.traffic();
        half.allReduce(zeros(2), ReduceOp.SUM);
        quarter.broadcast(zeros(1), 0);
        assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(2, 24));
        assertThat(half.traffic()).isEqualTo(new Traffic(3, 24));
        assertThat(quarter.traffic()).isEqualTo(new Traffic(1, 8));
    }

    @Test
    void allSumsOfOneGroupTravelTogether() {
        Ranks.run(3, ranks -> {
            assertThat(ranks.reductions()).isSameAs(ranks.reductions());
            Communicator same = ranks.split(0, 0);
            assertThat(same.reductions()).isNotEqualTo(ranks.reductions());
            Reductions sums = new Reductions(3);
            for (int slot = 0; slot < 3; slot++) sums.add(slot, slot + 1, 0, false, ranks.reductions());
            counts(ranks, 1, 24, sums::reduce);
            for (int slot = 0; slot < 3; slot++) assertThat(sums.re(slot)).isEqualTo(3 * (slot + 1));
        });
    }

    private static void counts(Communicator ranks, long messages, long bytes, Runnable call) {
        Traffic before = ranks.traffic();
        call.run();
        assertThat(ranks.traffic().since(before)).isEqualTo(new Traffic(messages, bytes));
    }
}
