package io.penstock.bench;

import io.penstock.bench.copy.CopyBench;
import io.penstock.bench.gpu.GpuBench;
import io.penstock.bench.scaling.ScalingBench;
import io.penstock.cli.AddedCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmarks: {@code penstock bench NAME}. */
@Command(
        name = "bench",
        description = "Measures Penstock against peers and physical limits in the same run.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "NAME",
        subcommands = {
            CopyBench.class,
            DenseBench.class,
            GpuBench.class,
            KernelBench.class,
            LaunchBench.class,
            MapBench.class,
            MpiBench.class,
            NcclBench.class,
            OverheadBench.class,
            PoststackBench.class,
            ScalingBench.class,
            StagingBench.class,
            TrafficBench.class
        })
public final class Bench implements AddedCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** For the service loader. */
    public Bench() {}

    /** Without a name there is nothing to measure. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no benchmark named; see penstock bench --help");
    }
}
