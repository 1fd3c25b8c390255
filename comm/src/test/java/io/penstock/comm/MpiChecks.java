package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** The programs that the processes of an MPI job run in tests; the first argument says which. */
final class MpiChecks {
    private MpiChecks() {}

    /** Runs a check on all ranks; rank 0 says so when it has passed. */
    public static void main(String[] args) {
        switch (args[0]) {
            case "swallow" -> swallow(args);
            case "alone" -> Ranks.run(args, MpiChecks::alone);
            default -> check(args);
        }
    }

    private static void check(String[] args) {
        Ranks.run(args, ranks -> {
            switch (args[0]) {
                case "programs" -> programs(ranks, Integer.parseInt(args[1]));
                case "all" -> all(ranks, Integer.parseInt(args[1]));
                case "disagree" -> disagree(ranks);
                case "throw" -> fails(ranks);
                case "alike" -> throw new IllegalArgumentException("rows is -1");
                case "exit" -> exit(ranks);
                case "kill" -> kill(ranks);
                case "hang" -> hang(ranks);
                case "truncate" -> truncate(ranks);
                default -> throw new IllegalArgumentException("no check is called " + args[0]);
            }
            ranks.barrier();
            if (ranks.rank() == 0)
                System.out.println("PASSED " + args[0] + " on " + ranks.name() + " by "
                        + Ranks.mpi().orElseThrow().abi());
        });
    }

    private static void all(Communicator ranks, int cases) throws Exception {
        Touches.check(ranks);
        programs(ranks, cases);
        groups(ranks, cases / 4);
        sameBits(ranks);
        notANumber(ranks);
        refusals(ranks);
        assertThat(QueuedCalls.wrongValues(ranks, 1)).isZero();
        if (ranks.size() == 3) {
            new TrafficTest().eachCallCounts(ranks);
            standsStill(ranks);
        }
        if (ranks.size() == 4) new TrafficTest().splitCounts(ranks);
    }

    private static void programs(Communicator ranks, int cases) {
        SplittableRandom random = new SplittableRandom(20261130);
        long before = Device.jvm().memoryUse().live();
        for (int i = 0; i < cases; i++) {
            long seed = random.nextLong();
            try (Scope _ = Scope.open()) {
                new Program(ranks, ranks.rank(), seed, 40).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("case " + i + " with seed " + seed + " failed on rank " + ranks.rank(), e);
            }
        }
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    private static void groups(Communicator all, int cases) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < cases; i++) {
            long seed = random.nextLong();
            SplittableRandom same = new SplittableRandom(seed);
            List<Communicator> groups = new ArrayList<>();
            for (int k = 0; k < 3; k++) {
                int colours = 1 + same.nextInt(3);
                groups.add((k == 2 ? groups.get(0) : all).split(all.rank() % colours, -all.rank()));
            }
            for (int round = 0; round < 3; round++)
                for (Communicator group : groups) new Program(group, all.rank(), seed + round * 3L, 8).run();
            groups.forEach(Communicator::close);
        }
    }

    /** Sums that rounding makes depend on their order, over lengths for which libraries choose different algorithms. */
    private static void sameBits(Communicator ranks) {
        SplittableRandom random = new SplittableRandom(ranks.rank());
        long most = Math.min(Mpi.mostInt(), Long.getLong("penstock.mpi.most", Integer.MAX_VALUE));
        for (int size : new int[] {1, 3, 100, 5_000, 200_003}) {
            if (size / most > 10_000) continue; // that many messages take too long
            NDArray data = NDArray.random(random.nextLong(), DType.F64, size).multiply(1e3);
            ranks.allReduce(data, ReduceOp.SUM);
            NDArray first = data.copy();
            ranks.broadcast(first, 0);
            assertThat(data.toDoubles())
                    .as("%d sums on rank %d", size, ranks.rank())
                    .isEqualTo(first.toDoubles());
        }
    }

    private static void notANumber(Communicator ranks) {
        for (int victim = 0; victim < ranks.size(); victim++) {
            NDArray data =
                    NDArray.of(ranks.rank() == victim ? Double.NaN : ranks.rank(), ranks.rank() == victim ? -0.0 : 0.0);
            NDArray largest = data.copy();
            ranks.allReduce(data, ReduceOp.MIN);
            ranks.iallReduce(largest, ReduceOp.MAX).await();
            assertThat(data.get(0)).isNaN();
            assertThat(largest.get(0)).isNaN();
            assertThat(1 / data.get(1)).isEqualTo(Double.NEGATIVE_INFINITY);
        }
    }

    private static void refusals(Communicator ranks) {
        Refusals.check(ranks);
        NDArray data = NDArray.of(1);
        assertThatThrownBy(() -> ranks.broadcast(data, ranks.size())).hasMessageContaining("root is " + ranks.size());
        assertThatThrownBy(() -> ranks.allReduce(NDArray.zeros(DType.C64, 1), ReduceOp.MIN))
                .hasMessageContaining("op is MIN for elements of C64");
        List<NDArray> into = new ArrayList<>();
        for (int r = 0; r < ranks.size(); r++) into.add(NDArray.zeros(DType.F64, 2));
        assertThatThrownBy(() -> ranks.allGather(data, into))
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("gives itself another number of elements");
        Communicator same = ranks.split(0, 0);
        Request barrier = same.ibarrier();
        assertThatThrownBy(same::close).hasMessageContaining("without awaiting what it had begun: barrier()");
        barrier.await();
        assertThatThrownBy(same::barrier).hasMessageContaining("was closed on rank " + ranks.rank());
        assertThatThrownBy(() -> Ranks.run(ranks.size() + 1, _ -> {})).hasMessageContaining("started " + ranks.size());
        assertThatThrownBy(() -> Ranks.run(ranks.size(), _ -> {})).hasMessageContaining("runs a program already");
        assertThat(Ranks.launched()).hasValue(ranks.size());
    }

    /** From half of the deadline on ranks that wait ask after the others, and judge none before all of it has passed. */
    private static void standsStill(Communicator ranks) {
        double deadline = Double.parseDouble(System.getProperty("penstock.comm.deadline", "0"));
        ranks.barrier();
        if (ranks.rank() == 1) LockSupport.parkNanos((long) (0.75e9 * deadline));
        ranks.barrier();
    }

    private static void disagree(Communicator ranks) {
        NDArray data = NDArray.zeros(DType.F64, ranks.rank() == 1 ? 5 : 4);
        ranks.allReduce(data, ReduceOp.SUM);
    }

    private static void fails(Communicator ranks) {
        ranks.barrier();
        if (ranks.rank() == 1) throw new IllegalStateException("boom");
        ranks.receive(NDArray.of(1), 1, 0);
    }

    /** A program that catches what Ranks throws and goes on must not keep the others waiting. */
    private static void swallow(String[] args) {
        try {
            Ranks.run(args, MpiChecks::fails);
        } catch (CommunicatorException e) {
            LockSupport.parkNanos(60_000_000_000L);
        }
    }

    private static void exit(Communicator ranks) {
        ranks.barrier();
        if (ranks.rank() == 1) System.exit(0);
        ranks.barrier();
    }

    private static void kill(Communicator ranks) {
        ranks.barrier();
        if (ranks.rank() == 1) Runtime.getRuntime().halt(137);
        ranks.allReduce(new double[1], 1, ReduceOp.SUM);
    }

    private static void hang(Communicator ranks) {
        ranks.barrier();
        if (ranks.rank() == 1) LockSupport.parkNanos(60_000_000_000L);
        ranks.allReduce(new double[3], 3, ReduceOp.SUM);
    }

    private static void alone(Communicator ranks) {
        if (ranks.rank() == 0) ranks.allReduce(NDArray.zeros(DType.F64, 2), ReduceOp.SUM);
    }

    private static void truncate(Communicator ranks) {
        if (ranks.rank() == 0) ranks.send(NDArray.zeros(DType.F64, 3), 1, 4);
        if (ranks.rank() == 1) ranks.receive(NDArray.zeros(DType.F64, 2), 0, 4);
    }
}
