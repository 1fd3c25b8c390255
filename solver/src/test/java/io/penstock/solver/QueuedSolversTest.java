package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.Wavelets;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inversions whose vector operations run on queues beside the solver end with the same bits. */
@Timeout(60)
class QueuedSolversTest {
    private static double[] distributed(int ranks, boolean queued) {
        ConcurrentHashMap<Integer, double[]> found = new ConcurrentHashMap<>();
        Ranks.run(ranks, communicator -> {
            Consumer<Communicator> solve = c -> found.put(c.rank(), invert(c));
            if (queued) Device.jvm().newQueue().during(() -> solve.accept(communicator));
            else solve.accept(communicator);
        });
        return found.getOrDefault(0, new double[0]);
    }

    private static double[] invert(Communicator ranks) {
        DistributedSpace space = DistributedSpace.rows(ranks, 13, 60);
        DistributedArray model = space.fromFunction(at -> 8 + Math.sin(0.1 * at[1] + 0.05 * at[0]));
        var modelling =
                PoststackModelling.along(1, Wavelets.ricker(15, 0.004, 11)).on(space);
        Solution<DistributedArray> solution = Cgls.of(modelling, modelling.forward(model))
                .damping(0.01)
                .iterations(20)
                .solve();
        return solution.x().allGather().toDoubles();
    }

    @Tag("host")
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void distributedInversionsEndWithTheSameBits(int ranks) {
        double[] expected = distributed(ranks, false);
        for (int i = 0; i < 5; i++) assertThat(distributed(ranks, true)).isEqualTo(expected);
    }

    @Test
    void twoInversionsOnTwoQueuesDoNotDisturbEachOther() throws InterruptedException {
        double[] expected = local(3);
        double[][] found = new double[2][];
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int self = t;
            Queue queue = Device.jvm().newQueue();
            threads[t] = Thread.ofPlatform().start(() -> queue.during(() -> found[self] = local(3)));
        }
        for (Thread thread : threads) thread.join();
        assertThat(found[0]).isEqualTo(expected);
        assertThat(found[1]).isEqualTo(expected);
    }

    private static double[] local(long seed) {
        NDArray model = NDArray.random(seed, DType.F64, 13, 60);
        var modelling =
                PoststackModelling.along(1, Wavelets.ricker(15, 0.004, 11)).on(model.space());
        return Cgls.of(modelling, modelling.forward(model))
                .damping(0.01)
                .iterations(20)
                .solve()
                .x()
                .toDoubles();
    }
}
