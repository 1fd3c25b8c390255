package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Kernel;
import io.penstock.runtime.Device;
import io.penstock.runtime.LedgerSwitch;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls on arrays of a GPU whose kernels spin for 20 ms before they write what is sent, or read what is received into: on in-process
 * ranks, or as ranks of a job of two with {@code penstock.mpi.programs=any}, over staging, device pointers or NCCL, as found. The
 * system property {@code penstock.gpu.rounds} says how often each call is made.
 */
@Tag("gpu")
class GpuRaceTest {
    private static final int ROUNDS = Integer.getInteger("penstock.gpu.rounds", 200);
    private static final double LATE = 0.020;

    @BeforeEach
    void thereIsAGpu() {
        assumeTrue(Device.all().stream().anyMatch(device -> device.name().equals("cuda:0")), "there is no CUDA device");
    }

    private static Device gpu() {
        return Device.named("cuda:0");
    }

    private static final Kernel SPIN = Kernel.of(QueuedCalls::write);

    /** How many spins take a time, in seconds, while all ranks' kernels spin: those of processes take turns on a device. */
    private static long spins(Communicator ranks, Device device, double seconds) {
        Queue queue = device.newQueue();
        long spins = 1_000_000;
        double[] rate = {0};
        try (Scope _ = Scope.open()) {
            NDArray array = NDArray.empty(device, DType.F64, 50);
            for (int round = 0; round < 4; round++) {
                ranks.barrier();
                long start = System.nanoTime();
                queue.during(() -> SPIN.over(50).launch(array.elements(), 0.0, spins));
                queue.await();
                rate[0] = spins / ((System.nanoTime() - start) * 1e-9);
            }
            ranks.allReduce(rate, 1, ReduceOp.MAX);
            return Math.max(1, (long) (rate[0] * seconds));
        }
    }

    @Test
    void noCallReadsWhatIsNotWrittenYetNorWritesWhatIsStillRead() {
        AtomicLong wrong = new AtomicLong();
        Ranks.run(2, ranks -> {
            long spins = spins(ranks, gpu(), LATE);
            wrong.addAndGet(QueuedCalls.wrongValues(ranks, gpu(), ROUNDS, spins));
        });
        assertThat(wrong).hasValue(0);
    }

    @Test
    void withoutTheLedgersWaitsTheSameCallsGoWrong() {
        AtomicLong spins = new AtomicLong();
        Ranks.run(2, ranks -> spins.set(spins(ranks, gpu(), LATE)));
        AtomicLong wrong = new AtomicLong();
        LedgerSwitch.withoutWaits(() ->
                Ranks.run(2, ranks -> wrong.addAndGet(QueuedCalls.wrongValues(ranks, gpu(), 1, spins.get()))));
        assertThat(wrong.get()).isGreaterThan(0);
    }

    /** Otherwise the test above would be about staging in a job whose MPI takes device memory. */
    @Test
    void anMpiThatTakesDeviceMemoryIsGivenIt() {
        Ranks.run(2, ranks -> {});
        assumeTrue(
                Ranks.mpi().map(MpiFacts::gpuAware).orElse(false),
                "the ranks are threads, or their MPI takes no device memory");
        Ranks.run(2, ranks -> {
            try (Scope _ = Scope.open()) {
                CheckedCommunicator mpi = (CheckedCommunicator) ranks;
                NDArray array = NDArray.empty(gpu(), DType.F64, 50);
                assertThat(mpi.reaches(array, null, true)).isTrue();
                assertThat(mpi.reaches(array, Call.broadcast(array, 0), true)).isTrue();
            }
        });
    }

    @Test
    void anUnrelatedKernelRunsOnThroughTheCall() {
        AtomicLong stillRunning = new AtomicLong();
        Ranks.run(2, ranks -> {
            long spins = spins(ranks, gpu(), 0.3);
            try (Scope _ = Scope.open()) {
                NDArray data = NDArray.empty(gpu(), DType.F64, 50);
                NDArray other = NDArray.empty(gpu(), DType.F64, 50);
                Queue queue = gpu().newQueue();
                for (int round = 0; round < 10; round++) {
                    data.fill(ranks.rank() + 1);
                    queue.during(() -> SPIN.over(50).launch(other.elements(), 1.0, spins));
                    ranks.allReduce(data, ReduceOp.SUM);
                    if (other.buffer().isBusy()) stillRunning.incrementAndGet();
                    assertThat(data.get(7)).isEqualTo(3);
                    queue.await();
                }
            }
        });
        // The first rounds may set up what they use, which can take longer than the kernel.
        assertThat(stillRunning.get()).isGreaterThan(5);
    }

    /** With one rank NCCL needs one GPU only; its calls are work of a queue like any other. */
    @Test
    void ncclOfOneRankGivesWhatTheOthersGive() {
        assertThat(NcclLibrary.found().functions())
                .as("%s", NcclLibrary.found())
                .isNotNull();
        Ranks.run(1, ranks -> {
            long spins = spins(ranks, gpu(), LATE);
            try (Communicator nccl = Communicator.of(ranks, gpu())) {
                assertThat(nccl).isInstanceOf(NcclCommunicator.class);
                assertThat(QueuedCalls.wrongValues(nccl, gpu(), ROUNDS, spins)).isZero();
                try (Communicator part = nccl.split(0, 0)) {
                    assertThat(QueuedCalls.wrongValues(part, gpu(), 5, spins)).isZero();
                }
                NDArray complex = NDArray.empty(gpu(), DType.C64, 5);
                complex.fill(2);
                nccl.allReduce(complex, ReduceOp.SUM);
                nccl.allReduce(complex, ReduceOp.PROD);
                assertThat(complex.toHost().getComplex(3).re()).isEqualTo(2);
            }
        });
    }

    /** Two ranks, threads or processes, each with a GPU of its own; every round's values would tell a call that came too early. */
    @Test
    void ncclBetweenTwoGpusWaitsForKernelsOnTheDevice() {
        assumeTrue(
                Device.all().stream()
                                .filter(device -> device.name().startsWith("cuda:"))
                                .count()
                        > 1,
                "there is one GPU only");
        AtomicLong wrong = new AtomicLong();
        Ranks.run(2, ranks -> {
            Device own = Device.named("cuda:" + ranks.rank());
            long spins = spins(ranks, own, LATE);
            try (Communicator nccl = Communicator.of(ranks, own)) {
                assertThat(nccl).isInstanceOf(NcclCommunicator.class);
                wrong.addAndGet(QueuedCalls.wrongValues(nccl, own, ROUNDS, spins));
            }
        });
        assertThat(wrong).hasValue(0);
    }
}
