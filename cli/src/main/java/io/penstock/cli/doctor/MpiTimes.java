package io.penstock.cli.doctor;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;

/** How long ranks take to exchange arrays; called by all of them. */
public final class MpiTimes {
    private MpiTimes() {}

    /** The mean time, in seconds, of a message one way between ranks 0 and 1, measured there and back. */
    public static double pingPong(Communicator ranks, long bytes, int rounds) {
        try (NDArray data = NDArray.zeros(DType.F64, Math.max(1, bytes / 8))) {
            ranks.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < rounds; i++) {
                if (ranks.rank() == 0) {
                    ranks.send(data, 1, 0);
                    ranks.receive(data, 1, 0);
                } else if (ranks.rank() == 1) {
                    ranks.receive(data, 0, 0);
                    ranks.send(data, 0, 0);
                }
            }
            return (System.nanoTime() - start) * 1e-9 / (2.0 * rounds);
        }
    }

    /** The mean time, in seconds, of the sum of an array over all ranks; of a {@code double[]} for a single number. */
    public static double allReduce(Communicator ranks, long bytes, int rounds) {
        try (NDArray data = NDArray.zeros(DType.F64, Math.max(1, bytes / 8))) {
            double[] one = {0};
            ranks.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < rounds; i++)
                if (bytes == 8) ranks.allReduce(one, 1, ReduceOp.SUM);
                else ranks.allReduce(data, ReduceOp.SUM);
            return (System.nanoTime() - start) * 1e-9 / rounds;
        }
    }
}
