package io.penstock.bench;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.MpiFacts;
import io.penstock.comm.Ranks;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemorySize;
import io.penstock.runtime.Scope;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A device's array from rank 0 to rank 1: in pieces, as messages go, against copied whole, sent, and copied whole again. */
@Command(
        name = "staging",
        description =
                "Arrays on devices by MPI, in pieces against whole: mpirun -n 2 ./penstock bench staging --device cuda",
        mixinStandardHelpOptions = true)
final class StagingBench implements Callable<Integer> {
    private static final int TURNS = 9;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "cuda:0",
            description = "Default: ${DEFAULT-VALUE}.")
    private String device = "";

    @Option(names = "--size", paramLabel = "SIZE", defaultValue = "256m", description = "Default: ${DEFAULT-VALUE}.")
    private String size = "";

    @Override
    public Integer call() {
        OptionalInt ranks = Ranks.launched();
        if (ranks.isEmpty() || ranks.getAsInt() != 2)
            throw new ParameterException(
                    spec.commandLine(), "two ranks are needed; start it as mpirun -n 2 ./penstock bench staging");
        long elements = Math.max(1, MemorySize.parse("--size", size) / 8);
        Ranks.run(2, group -> measure(group, elements));
        return 0;
    }

    private void measure(Communicator ranks, long elements) {
        Device where = Device.named(device);
        MpiFacts facts = Ranks.mpi().orElseThrow();
        PrintWriter out = spec.commandLine().getOut();
        boolean tells = ranks.rank() == 0;
        if (tells) {
            out.println(facts.library().lines().findFirst().orElse("") + "; device memory is "
                    + (facts.gpuAware() ? "handed to MPI, not staged" : "staged"));
            out.println(where.name() + ", " + 8 * elements / 1_000_000 + " MB one way, median of " + TURNS
                    + " turns each; pieces of " + Long.getLong("penstock.mpi.piece", 4 << 20) / 1024 + " KiB");
            out.printf("%-34s %10s %10s%n", "", "ms", "GB/s");
        }
        try (Scope _ = Scope.open()) {
            NDArray data = NDArray.full(ranks.rank(), DType.F64, elements).to(where);
            NDArray pinned = NDArray.empty(where, MemoryKind.PINNED, DType.F64, elements);
            pinned.set(data);
            Runnable[] ways = {
                () -> pieces(ranks, data),
                () -> whole(ranks, data, pinned),
                () -> pieces(ranks, pinned),
                () -> copies(ranks, data, pinned),
                () -> ranks.broadcast(data, 0)
            };
            double[][] times = new double[ways.length][TURNS];
            for (int turn = -2; turn < TURNS; turn++)
                for (int way = 0; way < ways.length; way++) {
                    double time = seconds(ranks, ways[way], data, pinned);
                    if (turn >= 0) times[way][turn] = time;
                }
            if (data.get(elements - 1) != 0) throw new IllegalStateException("what came is not what was sent");
            String[] names = {
                "send, in pieces", "send, copied whole", "send, from pinned memory", "the two copies alone", "broadcast"
            };
            if (tells) for (int way = 0; way < ways.length; way++) tell(out, names[way], times[way], elements);
            if (tells)
                out.printf(Locale.ROOT, "pieces take %.3f of the time of whole%n", median(times[0]) / median(times[1]));
        }
        out.flush();
    }

    private static void tell(PrintWriter out, String name, double[] times, long elements) {
        double time = median(times);
        out.printf(Locale.ROOT, "%-34s %10.3f %10.3f%n", name, time * 1e3, 8e-9 * elements / time);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** From when both ranks are there to when both are done. */
    private static double seconds(Communicator ranks, Runnable way, NDArray data, NDArray pinned) {
        data.buffer().await(data.region(), true);
        pinned.buffer().await(pinned.region(), true);
        ranks.barrier();
        long begin = System.nanoTime();
        way.run();
        data.buffer().await(data.region(), true);
        ranks.barrier();
        return (System.nanoTime() - begin) * 1e-9;
    }

    private static void pieces(Communicator ranks, NDArray array) {
        if (ranks.rank() == 0) ranks.send(array, 1, 0);
        else ranks.receive(array, 0, 0);
    }

    private static void whole(Communicator ranks, NDArray data, NDArray pinned) {
        if (ranks.rank() == 0) pinned.set(data);
        pieces(ranks, pinned);
        if (ranks.rank() == 1) data.set(pinned);
    }

    /** One after the other, as they come when an array is copied whole. */
    private static void copies(Communicator ranks, NDArray data, NDArray pinned) {
        if (ranks.rank() == 0) pinned.set(data);
        pinned.buffer().await(pinned.region(), true);
        ranks.barrier();
        if (ranks.rank() == 1) data.set(pinned);
    }
}
