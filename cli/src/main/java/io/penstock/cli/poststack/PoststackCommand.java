package io.penstock.cli.poststack;

import io.penstock.comm.OnHang;
import io.penstock.comm.Ranks;
import io.penstock.comm.RanksOptions;
import io.penstock.distributed.RankDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code poststack}: makes seismic data of a section and inverts them for impedance in three ways. */
@Command(
        name = "poststack",
        description = {
            "Invert a post-stack seismic section for acoustic impedance.",
            "Makes data of the section with a wavelet, smooths it into a background, and inverts from there in three"
                    + " ways: by CGLS, by CG on normal equations with a Laplacian, and by CGLS on the stack of both."
        },
        sortOptions = false,
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class PoststackCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "FILE.npz",
            description = "The archive with the section, of shape (samples, traces), and perhaps the distances x of its"
                    + " traces. Without it a layered, faulted section is made.")
    private @Nullable Path data;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "model",
            description = "The section's name in the file.")
    private String name = "model";

    @Option(
            names = "--log",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Invert for the logarithm of what the file holds, or for its values themselves.")
    private boolean log = true;

    @Option(
            names = "--every",
            paramLabel = "K",
            defaultValue = "3",
            description = "Keep every K-th trace of the data, as the usual tutorial of this section does.")
    private int every;

    @Option(names = "--traces", paramLabel = "N", defaultValue = "267", description = "Traces of a made section.")
    private int traces;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "400", description = "Samples of a made section.")
    private int samples;

    @Option(
            names = "--lines",
            paramLabel = "N",
            defaultValue = "1",
            description = "Repeat the section into a cube of N lines.")
    private int lines;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Ranks that share the work (default: as many as mpirun started, or 1).")
    private @Nullable Integer ranks;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "jvm",
            description =
                    "Where the ranks work: jvm, a device such as cuda:0, or a driver such as cuda, whose devices the"
                            + " ranks of each machine take in turn.")
    private String device = "jvm";

    @Option(names = "--wavelet", paramLabel = "KIND", defaultValue = "ricker", description = "ricker or ormsby.")
    private WaveletKind wavelet = WaveletKind.RICKER;

    @Option(
            names = "--frequency",
            paramLabel = "HZ",
            split = ",",
            description =
                    "The peak frequency of the ricker (default: 15), or the four corners of the ormsby, separated by"
                            + " commas (default: 5,10,30,40).",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
    private @Nullable List<Double> frequencies;

    @Option(names = "--dt", paramLabel = "S", defaultValue = "0.004", description = "Seconds between samples.")
    private double dt;

    @Option(names = "--length", paramLabel = "N", defaultValue = "41", description = "Samples of the wavelet, odd.")
    private int length;

    @Option(
            names = "--noise",
            paramLabel = "R",
            defaultValue = "0",
            description = "Standard deviation of the noise, relative to the data's root mean square.")
    private double noise;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides noise and made section.")
    private long seed;

    @Option(
            names = "--smooth-samples",
            paramLabel = "N",
            defaultValue = "20",
            description = "Length of the box that smooths the background along the samples.")
    private int smoothSamples;

    @Option(
            names = "--smooth-traces",
            paramLabel = "N",
            defaultValue = "30",
            description = "Length of the box that smooths the background along the traces that are kept.")
    private int smoothTraces;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "100",
            description = "Iterations of each inversion.")
    private int iterations;

    @Option(
            names = "--weight",
            paramLabel = "E",
            defaultValue = "10",
            description = "Weight of the Laplacian: minimises |y - A x|^2 + E^2 |L x|^2.")
    private double weight;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "penstock-out",
            description = "Where arrays, pictures and summary.json go.")
    private Path out = Path.of("penstock-out");

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description =
                    "Save in DIR how far the solvers have come, so that a job that ended before its time can go on.")
    private @Nullable Path checkpoint;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            defaultValue = "10",
            description = "Save after every N iterations.")
    private int checkpointEvery;

    @Option(
            names = "--resume",
            description =
                    "Go on from what --checkpoint saved, on any number of ranks; the same bits on the same number.")
    private boolean resume;

    @Option(
            names = "--deadline",
            paramLabel = "S",
            description = "Seconds that a rank may wait for others of which none is at work (default: 10).")
    private @Nullable Double deadline;

    @Option(
            names = "--on-hang",
            paramLabel = "WHAT",
            defaultValue = "end",
            description = "When ranks wait beyond the deadline: end, saying where each of them stands, or dump the"
                    + " stacks of their threads before that.")
    private OnHang onHang = OnHang.END;

    /** Runs the job. */
    @Override
    public Integer call() throws Exception {
        new Job(
                        configuration(),
                        restart(),
                        options(),
                        out,
                        quiet,
                        spec.commandLine().getOut())
                .run();
        return 0;
    }

    private Restart restart() {
        return checked(() -> new Restart(checkpoint, checkpointEvery, resume));
    }

    private RanksOptions options() {
        RanksOptions options = RanksOptions.defaults().withOnHang(onHang);
        Double seconds = deadline;
        if (seconds == null) return options;
        return checked(() -> {
            if (!(seconds > 0 && seconds <= 1e9))
                throw new IllegalArgumentException(
                        "--deadline is " + seconds + "; expected more than 0 and at most 1e9 seconds");
            return options.withDeadline(Duration.ofNanos((long) (seconds * 1e9)));
        });
    }

    private <T> T checked(Supplier<T> option) {
        try {
            return option.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Configuration configuration() {
        checked(() -> RankDevice.named(device));
        List<Double> corners = wavelet == WaveletKind.RICKER ? List.of(15.0) : List.of(5.0, 10.0, 30.0, 40.0);
        return checked(() -> new Configuration(
                data,
                name,
                log,
                every,
                traces,
                samples,
                lines,
                ranks == null ? Ranks.launched().orElse(1) : ranks,
                device,
                wavelet,
                frequencies == null ? corners : frequencies,
                dt,
                length,
                noise,
                seed,
                smoothSamples,
                smoothTraces,
                iterations,
                weight));
    }
}
