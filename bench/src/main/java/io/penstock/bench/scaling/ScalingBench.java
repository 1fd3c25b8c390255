package io.penstock.bench.scaling;

import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.RanksOptions;
import io.penstock.comm.ReduceOp;
import io.penstock.distributed.RankDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.runtime.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Strong and weak scaling of distributed operators and solvers, a device a rank: ranks are threads of one process, or those that a
 * launcher started. Smaller groups are split off, so one run compares all.
 */
@Command(
        name = "scaling",
        description = {
            "Strong and weak scaling from one device to several: post-stack CGLS, Laplacian, matrix product, MDC.",
            "Strong: the time on one device over N times the time on N, for the same problem. Weak: the time on one device over"
                    + " the time on N, for N times the work."
        },
        mixinStandardHelpOptions = true)
public final class ScalingBench implements Runnable {
    /** Ranks of small groups work while the others wait for them. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final double TOLERANCE = 1e-3;

    @Option(
            names = "--device",
            description =
                    "The driver whose devices the ranks take in turn, or one device that they share (default: cuda where"
                            + " there is one, else opencl, else jvm).")
    private @Nullable String name;

    @Option(
            names = "--ranks",
            split = ",",
            description =
                    "Numbers of ranks (default: 1 and as many as mpirun started, else 1 and as many as there are devices,"
                            + " at least 2).")
    private @Nullable List<Integer> rankCounts;

    @Option(names = "--rounds", defaultValue = "5", description = "Timed rounds, of which the median counts.")
    private int rounds;

    @Option(names = "--reduced", description = "Small problems, as for machines without GPUs.")
    private boolean reduced;

    @Option(names = "--only", defaultValue = "", description = "Only cases whose name begins so.")
    private String only = "";

    @Option(
            names = "--iteration",
            paramLabel = "FILE",
            description =
                    "Trace one step of each case's largest run to FILE, which penstock timeline draws; with --only, of that.")
    private @Nullable Path traced;

    /** For picocli. */
    public ScalingBench() {}

    @Override
    public void run() {
        String devices = name != null ? name : bestDriver();
        int most = Ranks.launched().orElse(Math.max(2, RankDevice.named(devices).size()));
        TreeSet<Integer> counts = new TreeSet<>(rankCounts != null ? rankCounts : List.of(1, most));
        counts.add(1);
        RanksOptions options = RanksOptions.defaults().withDeadline(PATIENCE).withLimit(PATIENCE);
        Ranks.run(Ranks.launched().orElse(counts.last()), options, ranks -> {
            Device device = RankDevice.of(ranks, devices);
            if (ranks.rank() == 0)
                System.out.printf(
                        Locale.ROOT,
                        "%s: %s%n%-14s %-34s %6s %11s %11s %11s %11s%n",
                        devices,
                        RankDevice.named(devices).size() + " device(s)"
                                + (counts.last() > RankDevice.named(devices).size() ? ", shared by ranks" : ""),
                        "",
                        "",
                        "ranks",
                        "strong ms",
                        "efficiency",
                        "weak ms",
                        "efficiency");
            List<Group> groups =
                    counts.stream().map(n -> Group.of(ranks, device, n)).toList();
            for (ScalingCase each : cases()) compare(each, ranks, device, groups);
            groups.reversed().forEach(Group::close);
        });
    }

    private static String bestDriver() {
        return Stream.of("cuda", "opencl")
                .filter(driver ->
                        Device.all().stream().anyMatch(device -> device.name().startsWith(driver + ":")))
                .findFirst()
                .orElse("jvm");
    }

    private List<ScalingCase> cases() {
        ScalingSizes sizes = reduced ? ScalingSizes.REDUCED : ScalingSizes.FULL;
        return Stream.of(
                        new PoststackCase("poststack", sizes.lines().small(), false),
                        new PoststackCase("poststack", sizes.lines().large(), false),
                        new PoststackCase("regularised", sizes.lines().small(), true),
                        OperatorCase.laplacian(sizes.edge()),
                        OperatorCase.product(sizes.matrix()),
                        OperatorCase.convolution(sizes))
                .filter(each -> each.name().startsWith(only))
                .toList();
    }

    /**
     * The first ranks, and the others.
     *
     * @param size how many first ranks there are
     * @param half the group of this rank
     * @param members the first ranks as they talk to each other, of which this rank is one if {@code isMember}
     */
    private record Group(int size, boolean isMember, Communicator half, Communicator members) {
        static Group of(Communicator ranks, Device device, int size) {
            boolean isMember = ranks.rank() < size;
            Communicator half = ranks.split(isMember ? 0 : 1, ranks.rank());
            return new Group(size, isMember, half, isMember ? Communicator.of(half, device) : half);
        }

        void close() {
            if (!members.equals(half)) members.close();
            half.close();
        }
    }

    /** Times a case on each number of ranks; the others wait meanwhile. */
    private void compare(ScalingCase each, Communicator ranks, Device device, List<Group> groups) {
        Result one = null;
        for (Group group : groups) {
            int n = group.size;
            if (group.isMember) {
                Path trace = group.equals(groups.getLast()) ? traced : null;
                Result strong = time(each, group.members, device, 1, trace);
                if (one == null) one = strong;
                Result weak = n == 1 ? strong : time(each, group.members, device, n, null);
                if (ranks.rank() == 0) report(each, n, one, strong, weak);
            }
            ranks.barrier();
        }
    }

    private static void report(ScalingCase each, int n, Result one, Result strong, Result weak) {
        System.out.printf(
                Locale.ROOT,
                "%-14s %-34s %6d %11.3f %11.2f %11.3f %11.2f%n",
                n == 1 ? each.name() : "",
                n == 1 ? each.size() : "",
                n,
                strong.seconds * 1e3,
                one.seconds / strong.seconds / n,
                weak.seconds * 1e3,
                one.seconds / weak.seconds);
        if (!(Math.abs(strong.mark - one.mark) <= TOLERANCE * Math.abs(one.mark)))
            throw new IllegalStateException(
                    each.name() + " gives " + strong.mark + " on " + n + " ranks; expected " + one.mark + " as on one");
    }

    /**
     * What was measured.
     *
     * @param seconds the median of the rounds, each as long as its slowest rank
     * @param mark a number of the result
     */
    private record Result(double seconds, double mark) {}

    private Result time(ScalingCase each, Communicator ranks, Device device, int times, @Nullable Path trace) {
        try (Scope _ = Scope.open();
                ScalingCase.Step step = each.begin(ranks, device, times)) {
            for (int i = 0; i < 2; i++) step.run();
            double[] seconds = new double[rounds];
            for (int i = 0; i < rounds; i++) seconds[i] = round(step, ranks, device);
            if (trace != null) traced(step, ranks, device, trace);
            Arrays.sort(seconds);
            return new Result(seconds[rounds / 2], step.mark());
        }
    }

    private static double round(ScalingCase.Step step, Communicator ranks, Device device) {
        device.queue().await();
        ranks.barrier();
        long start = System.nanoTime();
        step.run();
        device.queue().await();
        double[] seconds = {(System.nanoTime() - start) * 1e-9};
        ranks.allReduce(seconds, 1, ReduceOp.MAX);
        return seconds[0];
    }

    private static void traced(ScalingCase.Step step, Communicator ranks, Device device, Path file) {
        device.queue().await();
        ranks.barrier();
        Trace trace = ranks.rank() == 0 ? Trace.to(file) : null;
        ranks.barrier();
        step.run();
        device.queue().await();
        ranks.barrier();
        if (trace != null) trace.close();
    }
}
