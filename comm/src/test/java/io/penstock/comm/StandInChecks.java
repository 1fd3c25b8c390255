package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;

/** The programs that processes with a stand-in for CUDA's driver run in tests; the first argument says which. */
final class StandInChecks {
    private StandInChecks() {}

    /** Runs a check on all ranks; rank 0 says so when it has passed. */
    public static void main(String[] args) {
        Ranks.run(args, ranks -> {
            switch (args[0]) {
                case "handed" -> mpi(ranks, true);
                case "staged" -> mpi(ranks, false);
                default -> throw new IllegalArgumentException("no check is called " + args[0]);
            }
            ranks.barrier();
            if (ranks.rank() == 0) System.out.println("PASSED " + args[0] + " on " + ranks.name());
        });
    }

    /** Late kernels and calls on device memory that MPI is handed, or not. */
    private static void mpi(Communicator ranks, boolean handed) {
        Device device = Device.named("cuda:0");
        try (Scope _ = Scope.open()) {
            NDArray array = NDArray.empty(device, DType.F64, 50);
            assertThat(((CheckedCommunicator) ranks).reaches(array, null, true)).isEqualTo(handed);
        }
        assertThat(QueuedCalls.wrongValues(ranks, device, 2)).isZero();
        assertThat(QueuedCalls.wrongValues(ranks, device, 1, 20_000)).isZero();
    }
}
