package io.penstock.bench;

import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.Wavelets;
import io.penstock.solver.Cgls;
import io.penstock.solver.CglsIteration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Post-stack modelling and its inversion by CGLS, per apply and per iteration, on in-process ranks. */
@Command(
        name = "poststack",
        description = "Post-stack modelling and CGLS iterations, milliseconds each.",
        mixinStandardHelpOptions = true)
final class PoststackBench implements Runnable {
    @Option(names = "--samples", defaultValue = "550", description = "Time samples (default ${DEFAULT-VALUE}).")
    private long samples;

    @Option(
            names = "--traces",
            split = ",",
            defaultValue = "800,8000",
            description = "Traces (default ${DEFAULT-VALUE}).")
    private List<Long> traces = List.of();

    @Option(names = "--ranks", split = ",", defaultValue = "1,2", description = "Ranks (default ${DEFAULT-VALUE}).")
    private List<Integer> rankCounts = List.of();

    @Option(
            names = "--iterations",
            defaultValue = "50",
            description = "CGLS iterations timed (default ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(names = "--rounds", defaultValue = "5", description = "Times each is repeated (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public void run() {
        System.out.printf(
                Locale.ROOT,
                "%-44s %12s %12s %16s   median (least) of %d, ms%n",
                "",
                "forward",
                "adjoint",
                "CGLS iteration",
                rounds);
        for (long n : traces)
            for (int ranks : rankCounts) for (boolean timeFirst : List.of(true, false)) row(n, ranks, timeFirst);
    }

    private void row(long n, int ranks, boolean timeFirst) {
        double[][] times = Ranks.call(ranks, communicator -> {
                    DistributedSpace space = timeFirst
                            ? DistributedSpace.split(communicator, 1, samples, n)
                            : DistributedSpace.rows(communicator, n, samples);
                    return measure(space, timeFirst ? 0 : 1);
                })
                .getFirst();
        System.out.printf(
                Locale.ROOT,
                "%-44s %s %s %s%n",
                "f64 " + samples + " x " + n + (timeFirst ? " time first" : " trace first") + ", ranks=" + ranks,
                cell(times[0]),
                cell(times[1]),
                cell(times[2]));
    }

    private double[][] measure(DistributedSpace space, int timeAxis) {
        LinearOperator<DistributedArray, DistributedArray> operator = PoststackModelling.along(
                        timeAxis, Wavelets.ricker(15, 0.004, 41))
                .on(space);
        DistributedArray x = space.random(1);
        DistributedArray y = operator.forward(x);
        double[][] times = new double[3][rounds];
        for (int round = -2; round < rounds; round++) {
            int slot = Math.max(round, 0);
            space.ranks().barrier();
            times[0][slot] = Ratio.time(() -> operator.forward(x, y), 20);
            space.ranks().barrier();
            times[1][slot] = Ratio.time(() -> operator.adjoint(y, x), 20);
            CglsIteration<DistributedArray, DistributedArray> cgls =
                    Cgls.of(operator, y).iterations(iterations + 1).begin();
            space.ranks().barrier();
            times[2][slot] = Ratio.time(cgls::step, iterations);
        }
        return times;
    }

    private static String cell(double[] seconds) {
        double least = java.util.Arrays.stream(seconds).min().orElseThrow();
        return String.format(Locale.ROOT, "%6.2f (%5.2f)", Ratio.median(seconds) * 1e3, least * 1e3);
    }
}
