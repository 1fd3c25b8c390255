package io.penstock.bench;

import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.ReduceOp;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.FirstDerivative;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.solver.Cg;
import io.penstock.solver.CgIteration;
import io.penstock.solver.Cgls;
import io.penstock.solver.CglsIteration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is sent per apply and per iteration, beside the count that the mathematics needs. */
@Command(
        name = "traffic",
        description = "Messages and bytes per rank, of operators and of solver iterations.",
        mixinStandardHelpOptions = true)
final class TrafficBench implements Runnable {
    private static final long ROWS = 64;
    private static final long COLUMNS = 100;

    @Option(names = "--ranks", split = ",", defaultValue = "1,2,4", description = "Ranks (default ${DEFAULT-VALUE}).")
    private List<Integer> rankCounts = List.of();

    @Override
    public void run() {
        System.out.printf(
                Locale.ROOT,
                "%-34s %8s %24s %24s%n",
                "",
                "ranks",
                "messages (needed)",
                "bytes (needed)   of the busiest rank");
        for (int ranks : rankCounts) Ranks.run(ranks, this::rows);
    }

    private void rows(Communicator ranks) {
        DistributedSpace space = DistributedSpace.rows(ranks, ROWS, COLUMNS);
        DistributedArray x = space.random(1);
        DistributedArray y = space.random(2);
        long neighbours = Math.min(2, ranks.size() - 1);
        long halo = neighbours * COLUMNS * Double.BYTES;
        LinearOperator<DistributedArray, DistributedArray> derivative = FirstDerivative.of(space, 0);
        LinearOperator<DistributedArray, DistributedArray> laplacian = Laplacian.of(space);
        row(ranks, "x += a y", () -> x.axpy(1, y), 0, 0);
        row(ranks, "dot", () -> x.dot(y), 1, 8);
        row(ranks, "norm", x::norm, 1, 8);
        row(ranks, "first derivative, forward", () -> derivative.forward(x, y), neighbours, halo);
        row(ranks, "first derivative, adjoint", () -> derivative.adjoint(x, y), neighbours, halo);
        row(ranks, "Laplacian, forward", () -> laplacian.forward(x, y), neighbours, halo);
        // CG: p.Ap, then r.r; CGLS: q.q, then s.s with r.r, which travel together.
        CgIteration<DistributedArray> cg =
                Cg.of(diagonal(space), x).iterations(100).begin();
        row(ranks, "CG iteration (diagonal)", cg::step, 2, 16);
        CglsIteration<DistributedArray, DistributedArray> cgls =
                Cgls.of(derivative, x).iterations(100).begin();
        row(ranks, "CGLS iteration (first derivative)", cgls::step, 2 + 2 * neighbours, 24 + 2 * halo);
    }

    private static LinearOperator<DistributedArray, DistributedArray> diagonal(DistributedSpace space) {
        BiConsumer<DistributedArray, DistributedArray> twice = (from, to) -> to.axpby(2, from, 0);
        return LinearOperator.of(space, space, twice, twice);
    }

    private static void row(Communicator ranks, String what, Runnable work, long messages, long bytes) {
        Traffic before = ranks.traffic();
        work.run();
        Traffic sent = ranks.traffic().since(before);
        double[] most = {(double) sent.messages(), (double) sent.bytes()};
        ranks.allReduce(most, 2, ReduceOp.MAX);
        if (ranks.rank() == 0)
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %8d %14.0f (%d) %18.0f (%d)%n",
                    what,
                    ranks.size(),
                    most[0],
                    messages,
                    most[1],
                    bytes);
    }
}
