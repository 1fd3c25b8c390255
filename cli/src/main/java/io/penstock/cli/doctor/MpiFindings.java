package io.penstock.cli.doctor;

import io.penstock.comm.Communicator;
import io.penstock.comm.MpiFacts;
import io.penstock.comm.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the job that this process belongs to can do, found by trying: the library and how fast its ranks talk. */
final class MpiFindings {
    private static final String GROUP = "MPI of this job";
    private static final int WARM = 2_000;

    private MpiFindings() {}

    /** Called by every process of the job; the findings are those of rank 0, elsewhere there are none. */
    static List<Finding> examine() {
        int size = Ranks.launched().orElse(0);
        if (size == 0)
            return List.of(Finding.missing(
                    GROUP, "launcher", "none started this process; try mpirun -n 2 ./penstock doctor --mpi"));
        List<Finding> findings = new ArrayList<>();
        Ranks.run(size, ranks -> {
            List<Finding> speed = speed(ranks);
            if (ranks.rank() != 0) return;
            Ranks.mpi().ifPresent(facts -> findings.addAll(told(facts, ranks)));
            findings.addAll(speed);
        });
        return findings;
    }

    private static List<Finding> told(MpiFacts facts, Communicator ranks) {
        return List.of(
                Finding.found(GROUP, "ranks", String.valueOf(ranks.size())),
                Finding.found(GROUP, "library", facts.library()),
                Finding.found(GROUP, "ABI", facts.abi()),
                Finding.found(GROUP, "threads", facts.threads()),
                new Finding(
                        GROUP,
                        "device memory",
                        facts.gpuAware(),
                        (facts.gpuAware() ? "taken where it lies: " : "staged through pinned memory: ")
                                + facts.gpuReason()),
                new Finding(
                        GROUP,
                        "job board",
                        facts.board(),
                        facts.board()
                                ? "ranks tell each other when one fails or hangs"
                                : "no connection to rank 0's process beside MPI: a rank that hangs is found after"
                                        + " penstock.comm.limit only"));
    }

    private static List<Finding> speed(Communicator ranks) {
        List<Finding> findings = new ArrayList<>();
        if (ranks.size() > 1) {
            MpiTimes.pingPong(ranks, 8, WARM);
            double latency = MpiTimes.pingPong(ranks, 8, WARM);
            findings.add(
                    time("ping-pong 8 B", latency, "one way; 0.2 to 1 us within a machine, 1 to 2 over InfiniBand"));
            MpiTimes.pingPong(ranks, 4 << 20, 5);
            double seconds = MpiTimes.pingPong(ranks, 4 << 20, 20);
            String rate = String.format(
                    Locale.ROOT,
                    "%.1f GB/s; 5 to 15 within a machine, 12 to 50 over InfiniBand",
                    (4 << 20) / seconds * 1e-9);
            findings.add(time("ping-pong 4 MB", seconds, rate));
        }
        MpiTimes.allReduce(ranks, 8, WARM);
        findings.add(time("all-reduce 8 B", MpiTimes.allReduce(ranks, 8, WARM), "a solver does two an iteration"));
        MpiTimes.allReduce(ranks, 8 << 20, 3);
        findings.add(time("all-reduce 8 MB", MpiTimes.allReduce(ranks, 8 << 20, 10), "of a replicated model"));
        return findings;
    }

    private static Finding time(String name, double seconds, String more) {
        return Finding.found(GROUP, name, String.format(Locale.ROOT, "%.2f us (%s)", seconds * 1e6, more));
    }
}
