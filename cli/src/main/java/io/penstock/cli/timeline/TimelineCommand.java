package io.penstock.cli.timeline;

import io.penstock.cli.plot.Timeline;
import io.penstock.cli.plot.TimelineFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws a trace that {@code --trace} has written. */
@Command(
        name = "timeline",
        description =
                "Draws a trace (see --trace) as a picture: a lane for each queue and thread, work, waits and for what.",
        mixinStandardHelpOptions = true)
public final class TimelineCommand implements Callable<Integer> {
    /** What is left free before the first work and after the last, of the time between. */
    private static final double MARGIN = 0.01;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The trace.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(names = "--out", description = "The picture (default: FILE with .png in place of its ending).")
    private @Nullable Path out;

    @Option(names = "--from", description = "Where the picture begins, in milliseconds (default: at the first work).")
    private @Nullable Double from;

    @Option(names = "--to", description = "Where it ends, in milliseconds (default: at the end of the last work).")
    private @Nullable Double to;

    @Option(names = "--width", defaultValue = "1200", description = "Its width in points (default ${DEFAULT-VALUE}).")
    private int width;

    /** For picocli. */
    public TimelineCommand() {}

    @Override
    public Integer call() throws IOException {
        Timeline timeline = TraceReader.read(file);
        if (timeline.lanes().isEmpty()) throw new IllegalArgumentException(file + " tells of no work");
        double margin = Math.max(1e-9, MARGIN * (timeline.end() - timeline.begin()));
        double begin = from != null ? from * 1e-3 : timeline.begin() - margin;
        double end = to != null ? to * 1e-3 : timeline.end() + margin;
        if (!(begin < end))
            throw new ParameterException(
                    spec.commandLine(),
                    "the picture would begin at " + begin * 1e3 + " ms and end at " + end * 1e3
                            + " ms; expected --from before --to, or within the trace, which ends at "
                            + timeline.end() * 1e3 + " ms");
        Path picture = out != null ? out : picture(file);
        new TimelineFigure(String.valueOf(file.getFileName()), timeline, begin, end, width).save(picture);
        Timeline shown = timeline.between(begin, end);
        long boxes =
                shown.lanes().stream().mapToLong(lane -> lane.boxes().size()).sum();
        spec.commandLine()
                .getOut()
                .printf(
                        "%s: %d lanes, %d boxes, %d waits, drawn to %s%n",
                        file, shown.lanes().size(), boxes, shown.arrows().size(), picture);
        return 0;
    }

    private static Path picture(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return file.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".png");
    }
}
