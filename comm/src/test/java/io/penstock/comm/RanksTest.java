package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How ranks start, end and fail together. */
class RanksTest {
    @Test
    void everyRankRunsOnItsOwnThread() {
        List<String> names = Ranks.call(
                5,
                ranks -> ranks.rank() + "/" + ranks.size() + " "
                        + Thread.currentThread().getName());
        assertThat(names).containsExactly("0/5 rank-0", "1/5 rank-1", "2/5 rank-2", "3/5 rank-3", "4/5 rank-4");
    }

    @Test
    void theArgumentsSayHowManyRanks() {
        for (String[] args : new String[][] {{}, {"--ranks", "1"}, {"--lines", "3"}})
            Ranks.run(args, ranks -> assertThat(ranks.size()).isEqualTo(1));
        for (String[] args : new String[][] {{"--lines", "3", "--ranks", "4"}, {"--ranks=4"}})
            Ranks.run(args, ranks -> assertThat(ranks.size()).isEqualTo(4));
        for (String[] args : new String[][] {{"--ranks"}, {"--ranks", "0"}, {"--ranks", "two"}, {"--ranks=-1"}})
            assertThatThrownBy(() -> Ranks.run(args, ranks -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--ranks is");
    }

    @Test
    void aReturnedArrayOutlivesItsRankAndTheOthersDoNot() {
        long before = Device.jvm().memoryUse().live();
        List<NDArray> freed = new ArrayList<>();
        List<List<NDArray>> results = Ranks.call(2, ranks -> {
            if (ranks.rank() == 0) freed.add(NDArray.of(1, 2, 3));
            return List.of(NDArray.of(ranks.rank()), NDArray.of(7));
        });
        assertThat(results.get(1).get(0).get(0)).isEqualTo(1);
        assertThatThrownBy(() -> freed.get(0).get(0)).isInstanceOf(IllegalStateException.class);
        results.forEach(arrays -> arrays.forEach(NDArray::close));
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void returnedArraysInContainersOutliveTheirRank() {
        Map<String, NDArray> map =
                Ranks.call(1, ranks -> Map.of("x", NDArray.of(1))).getFirst();
        Optional<NDArray> perhaps =
                Ranks.call(1, ranks -> Optional.of(NDArray.of(2))).getFirst();
        NDArray[][] nested =
                Ranks.call(1, ranks -> new NDArray[][] {{NDArray.of(3)}, {}}).getFirst();
        try (NDArray x = map.values().iterator().next();
                NDArray y = perhaps.orElseThrow();
                NDArray z = nested[0][0]) {
            assertThat(x.get(0) + y.get(0) + z.get(0)).isEqualTo(6);
        }
    }

    @Test
    void anExceptionEndsAllRanksAndNamesItsRank() {
        IllegalStateException boom = new IllegalStateException("boom");
        List<Throwable> others = java.util.Collections.synchronizedList(new ArrayList<>());
        assertThatThrownBy(() -> Ranks.run(4, ranks -> {
                    if (ranks.rank() == 2) throw boom;
                    try {
                        ranks.barrier();
                    } catch (CommunicatorException e) {
                        others.add(e);
                        throw e;
                    }
                }))
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("rank 2")
                .hasMessageContaining("boom")
                .hasCause(boom)
                .hasNoSuppressedExceptions();
        assertThat(others)
                .hasSize(3)
                .allSatisfy(e -> assertThat(e).hasMessageContaining("rank 2").hasCause(boom));
    }

    @Test
    void ranksThatDisagreeAreAllToldWhoCalledWhat() {
        assertThatThrownBy(() -> Ranks.run(3, ranks -> {
                    NDArray data = NDArray.zeros(DType.F64, ranks.rank() == 1 ? 5 : 4);
                    ranks.allReduce(data, ReduceOp.SUM);
                }))
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("disagree about the number of elements of collective 1")
                .hasMessageContaining("rank 0: allReduce(SUM, 4 x F64)")
                .hasMessageContaining("rank 1: allReduce(SUM, 5 x F64)");
    }

    @Test
    void aDeadlineSaysWhereEachRankStands() {
        assertThatThrownBy(() -> Ranks.run(2, RanksOptions.defaults().withDeadline(Duration.ofMillis(100)), ranks -> {
                    if (ranks.rank() == 0) ranks.barrier();
                    else Thread.sleep(60_000);
                }))
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("waited 0.1 s for rank 1")
                .hasMessageContaining("rank 0: waits for rank 1; call 1 barrier()")
                .hasMessageContaining("rank 1: stands still; before its first call");
    }

    @Test
    void sumsAndMessagesArrive() {
        for (int n = 1; n <= 16; n++) {
            int size = n;
            Ranks.run(n, ranks -> {
                double[] values = {ranks.rank(), 1};
                for (int i = 0; i < 100; i++) {
                    values[0] = ranks.rank();
                    values[1] = 1;
                    ranks.allReduce(values, 2, ReduceOp.SUM);
                    assertThat(values).containsExactly(size * (size - 1) / 2.0, size);
                }
                NDArray large = NDArray.full(ranks.rank() + 1, DType.F64, 20_000);
                ranks.allReduce(large, ReduceOp.SUM);
                assertThat(large.get(19_999)).isEqualTo(size * (size + 1) / 2.0);
                NDArray mine = NDArray.of(ranks.rank());
                NDArray theirs = NDArray.of(-1);
                int next = (ranks.rank() + 1) % size;
                int previous = (ranks.rank() + size - 1) % size;
                List<Request> requests = List.of(ranks.isend(mine, next, 3), ranks.ireceive(theirs, previous, 3));
                Request.awaitAll(requests);
                assertThat(theirs.get(0)).isEqualTo(previous);
                try (Communicator half = ranks.split(ranks.rank() % 2, -ranks.rank())) {
                    values[0] = 1;
                    half.allReduce(values, 1, ReduceOp.SUM);
                    assertThat(values[0]).isEqualTo(half.size());
                }
            });
        }
    }

    @Test
    void whatIsRefusedIsRefusedBeforeAnythingIsSent() {
        for (int n = 1; n <= 3; n++) Ranks.run(n, Refusals::check);
    }

    @Test
    void whatIsBeingReceivedIsReadOnceItIsThere() {
        for (int n = 1; n <= 3; n++) Ranks.run(n, Touches::check);
    }

    @Test
    void whoReadsWhatNobodyWillSendIsTold() {
        assertThatThrownBy(() -> Ranks.run(2, ranks -> {
                    NDArray data = NDArray.zeros(DType.F64, 3);
                    ranks.ireceive(data, 1 - ranks.rank(), 2);
                    data.get(0);
                }))
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("all ranks wait for each other")
                .hasMessageContaining("receive(3 x F64 from rank 1, tag 2)");
    }
}
