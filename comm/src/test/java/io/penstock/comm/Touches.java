package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/** What is being received is read once it is there, by whichever thread, also where the process has no queues. */
final class Touches {
    private static final int SIZE = 1000;

    private Touches() {}

    /** To be called by all ranks of a group. */
    static void check(Communicator ranks) throws InterruptedException, ExecutionException {
        ToDoubleFunction<NDArray> get = array -> array.get(5);
        ToDoubleFunction<NDArray> map = array -> array.add(1).get(5) - 1;
        ToDoubleFunction<NDArray> sum = array -> array.sum().get() / SIZE;
        ToDoubleFunction<NDArray> inPlace = array -> {
            array.addInPlace(1);
            return array.get(5) - 1;
        };
        for (var read : List.of(get, map, sum, inPlace)) {
            byTheRank(ranks, read);
            byAnotherThread(ranks, read);
        }
    }

    private static void byTheRank(Communicator ranks, ToDoubleFunction<NDArray> read) {
        int previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
        NDArray array = NDArray.full(-1, DType.F64, SIZE);
        Request incoming = ranks.ireceive(array, previous, 1);
        Request outgoing =
                ranks.isend(NDArray.full(ranks.rank(), DType.F64, SIZE), (ranks.rank() + 1) % ranks.size(), 1);
        assertThat(read.applyAsDouble(array)).isEqualTo(previous);
        incoming.await();
        outgoing.await();
    }

    private static void byAnotherThread(Communicator ranks, ToDoubleFunction<NDArray> read)
            throws InterruptedException, ExecutionException {
        int previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
        NDArray array = NDArray.full(-1, DType.F64, SIZE);
        Request incoming = ranks.ireceive(array, previous, 1);
        FutureTask<Double> result = new FutureTask<>(() -> read.applyAsDouble(array));
        Thread reader = Thread.ofPlatform().start(result);
        // It waits for the message, or has read what was there before.
        while (reader.isAlive() && reader.getState() != Thread.State.WAITING) LockSupport.parkNanos(100_000);
        Request outgoing =
                ranks.isend(NDArray.full(ranks.rank(), DType.F64, SIZE), (ranks.rank() + 1) % ranks.size(), 1);
        incoming.await();
        outgoing.await();
        assertThat(result.get()).isEqualTo(previous);
    }
}
