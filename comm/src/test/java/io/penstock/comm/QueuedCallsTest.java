package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.NDArray;
import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.LedgerSwitch;
import io.penstock.runtime.Queue;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A communicator's calls are accesses in the ledger: they wait for kernels, and kernels wait for them. */
class QueuedCallsTest {
    private static int wrongValues(int ranks, int rounds) {
        return Ranks.call(ranks, group -> QueuedCalls.wrongValues(group, rounds)).stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void everyCallWaitsForKernelsAndIsWaitedFor(int ranks) {
        assertThat(wrongValues(ranks, 2)).isZero();
    }

    /** Arrays in the memory of a device, which no communicator here reaches: they are staged. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyCallStagesWhatLiesOnADevice(int ranks) {
        Device device = Device.all().stream()
                .filter(other -> !other.equals(Device.jvm()))
                .findFirst()
                .orElse(null);
        assumeTrue(device != null, "no device but the JVM; ./penstock test as root installs PoCL");
        assertThat(Ranks.call(ranks, group -> QueuedCalls.wrongValues(group, device, 2)))
                .containsOnly(0);
        assertThat(Ranks.call(ranks, group -> QueuedCalls.wrongValues(group, device, 1, 20_000)))
                .containsOnly(0);
    }

    @Test
    void missingWaitsAreNoticed() {
        LedgerSwitch.withoutWaits(() -> assertThat(wrongValues(2, 1)).isGreaterThan(100));
    }

    @Test
    void onlyWhatIsInConflictIsWaitedFor() {
        Queue queue = Device.jvm().newQueue();
        CountDownLatch go = new CountDownLatch(1);
        Ranks.run(2, ranks -> {
            NDArray data = NDArray.of(1, 2, 3, 4);
            NDArray other = NDArray.of(0);
            if (ranks.rank() == 0) {
                // Work on another array, on the other half of this one, and work that only reads what is only sent.
                List<Access> accesses = List.of(
                        Access.write(other.buffer()),
                        new Access(data.buffer(), data.slice(0, 2, 4).region(), true),
                        new Access(data.buffer(), data.slice(0, 0, 2).region(), false));
                queue.submit(accesses, () -> await(go));
            }
            NDArray half = data.slice(0, 0, 2);
            if (ranks.rank() == 0) {
                ranks.send(half, 1, 0);
                Request request = ranks.isend(half, 1, 1);
                request.await();
            } else {
                ranks.receive(half, 0, 0);
                ranks.ireceive(half, 0, 1).await();
            }
            ranks.barrier();
            go.countDown();
        });
        queue.await();
    }

    @Test
    void aFailedKernelFailsTheCallThatNeedsItsResult() {
        Queue queue = Device.jvm().newQueue();
        assertThatThrownBy(() -> Ranks.run(2, ranks -> {
                    NDArray data = NDArray.of(1);
                    if (ranks.rank() == 1)
                        queue.submit(List.of(Access.write(data.buffer())), () -> {
                            throw new IllegalStateException("boom");
                        });
                    if (ranks.rank() == 1) ranks.iallReduce(data, ReduceOp.SUM).await();
                    else ranks.allReduce(data, ReduceOp.SUM);
                }))
                .hasMessageContaining("rank 1 failed: java.lang.IllegalStateException: boom");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
