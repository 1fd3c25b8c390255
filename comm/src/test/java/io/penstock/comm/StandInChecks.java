package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Libc;
import io.penstock.runtime.Device;
import io.penstock.runtime.LedgerSwitch;
import io.penstock.runtime.Scope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The programs that processes with a stand-in for CUDA's driver run in tests; the first argument says which. */
final class StandInChecks {
    private StandInChecks() {}

    /** Runs a check on all ranks; rank 0 says so when it has passed. */
    public static void main(String[] args) {
        switch (args[0]) {
            case "failures" -> failures();
            case "unordered" -> unordered();
            default -> check(args);
        }
    }

    private static void check(String[] args) {
        Ranks.run(args, ranks -> {
            switch (args[0]) {
                case "handed" -> mpi(ranks, true);
                case "staged" -> mpi(ranks, false);
                case "nccl" -> nccl(ranks);
                case "dies" -> fails(ranks, () -> Runtime.getRuntime().halt(137));
                case "hangs" -> fails(ranks, () -> LockSupport.parkNanos(60_000_000_000L));
                default -> throw new IllegalArgumentException("no check is called " + args[0]);
            }
            ranks.barrier();
            if (ranks.rank() == 0) System.out.println("PASSED " + args[0] + " on " + ranks.name());
        });
    }

    /** The races that are checked would show: without the ledger's waits the same calls go wrong. */
    private static void unordered() {
        LedgerSwitch.withoutWaits(() -> {
            List<Integer> wrong = Ranks.call(2, ranks -> {
                Device device = Device.named("cuda:" + ranks.rank());
                return QueuedCalls.wrongValues(Communicator.of(ranks, device), device, 1, 200_000);
            });
            assertThat(wrong).allSatisfy(values -> assertThat(values).isGreaterThan(100));
        });
        System.out.println("PASSED unordered");
    }

    /** Ranks that are threads, and fail in every way: all end with the cause, and soon. */
    private static void failures() {
        assertThatThrownBy(() -> Ranks.run(
                        3,
                        ranks -> fails(ranks, () -> {
                            throw new IllegalStateException("boom");
                        })))
                .hasMessageContaining("rank 1 failed: java.lang.IllegalStateException: boom");
        RanksOptions hasty = RanksOptions.defaults().withDeadline(Duration.ofSeconds(2));
        assertThatThrownBy(() ->
                        Ranks.run(2, hasty, ranks -> fails(ranks, () -> LockSupport.parkNanos(20_000_000_000L))))
                .hasMessageContaining(
                        "rank 0 waited 2.0 s for other ranks in allReduce(SUM, 100000 x F64) on its device");
        Libc.setenv("STANDIN_NCCL_FAIL", "2", 1);
        assertThatThrownBy(() -> Ranks.run(2, ranks -> fails(ranks, () -> {})))
                .hasMessageContaining(" of the in-process group of 2 ranks: remote process exited");
        Libc.setenv("STANDIN_NCCL_FAIL", "0", 1);
        nccl(1);
        System.out.println("PASSED failures");
    }

    private static void nccl(int ranks) {
        Ranks.run(ranks, StandInChecks::nccl);
    }

    /** Rank 1 fails where the others wait on their devices for it. */
    private static void fails(Communicator ranks, Runnable failure) {
        Device device = Device.named("cuda:" + ranks.rank());
        Communicator nccl = Communicator.of(ranks, device);
        NDArray data = NDArray.full(1, DType.F64, 100_000).to(device);
        nccl.allReduce(data, ReduceOp.SUM);
        assertThat(data.get(99_999)).isEqualTo(ranks.size());
        if (ranks.rank() == 1) failure.run();
        nccl.allReduce(data, ReduceOp.SUM);
        data.get(0);
    }

    /** Each rank has a device of its own. */
    private static void nccl(Communicator ranks) {
        Device device = Device.named("cuda:" + ranks.rank());
        try (Communicator nccl = Communicator.of(ranks, device)) {
            assertThat(nccl).isInstanceOf(NcclCommunicator.class);
            assertThat(nccl.isQueued(NDArray.empty(device, DType.F32, 1))).isTrue();
            assertThat(QueuedCalls.wrongValues(nccl, device, 1, 10_000)).isZero();
            new Program(nccl, nccl.rank(), 4711, 40, device).run();
            try (Communicator half = nccl.split(nccl.rank() % 2, -nccl.rank())) {
                assertThat(half).isInstanceOf(NcclCommunicator.class);
                new Program(half, nccl.rank(), 815 + nccl.rank() % 2, 10, device).run();
                new Program(nccl, nccl.rank(), 42, 5, device).run();
            }
        }
    }

    /** Late kernels and calls on device memory that MPI is handed, or not. */
    private static void mpi(Communicator ranks, boolean handed) {
        Device device = Device.named("cuda:0");
        try (Scope _ = Scope.open()) {
            NDArray array = NDArray.empty(device, DType.F64, 50);
            assertThat(((CheckedCommunicator) ranks).reaches(array, null, true)).isEqualTo(handed);
        }
        assertThat(QueuedCalls.wrongValues(ranks, device, 1, 10_000)).isZero();
        if (!handed) PiecesChecks.pieces(ranks, device, 1);
    }
}
