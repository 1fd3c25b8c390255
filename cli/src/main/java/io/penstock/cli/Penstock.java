package io.penstock.cli;

import io.penstock.cli.doctor.Doctor;
import io.penstock.cli.kernel.CacheCommand;
import io.penstock.cli.kernel.KernelCommand;
import io.penstock.cli.poststack.PoststackCommand;
import io.penstock.cli.timeline.TimelineCommand;
import io.penstock.cli.verify.Verify;
import io.penstock.comm.Ranks;
import io.penstock.foreign.Libc;
import io.penstock.runtime.Trace;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code penstock}. Its exit status is 0 for success, 1 for a failure and 2 for a wrong use. */
@Command(
        name = "penstock",
        description = "Distributed matrix-free operators and iterative solvers on the JVM.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PoststackCommand.class,
            Verify.class,
            KernelCommand.class,
            TimelineCommand.class,
            CacheCommand.class,
            Doctor.class,
            CommandLine.HelpCommand.class
        })
public final class Penstock implements Runnable {
    private static final int HELP_WIDTH = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Show where in the program a failure arose.")
    private boolean debug;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            scope = CommandLine.ScopeType.INHERIT,
            description =
                    "Write what runs where, and what waits for what, to a file for penstock timeline or Perfetto; "
                            + "of several processes, each to a file with its rank before the ending.")
    private @Nullable Path trace;

    private Penstock() {}

    /** Runs the program and ends the process with its exit status. */
    public static void main(String[] args) {
        takeBackStandardError();
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        int status = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(status);
    }

    /**
     * Runs the program within this process.
     *
     * @param out where results go
     * @param err where messages about failures go
     * @return the exit status
     */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = commandLine(out, err);
        try {
            return line.execute(args);
        } catch (ExceptionInInitializerError e) {
            // A class has refused a system property when it was loaded.
            if (e.getCause() instanceof IllegalArgumentException refused) return Failures.failed(refused, line, false);
            throw e;
        }
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Penstock program = new Penstock();
        CommandLine line = new CommandLine(program);
        ServiceLoader.load(AddedCommand.class).forEach(line::addSubcommand);
        return line.setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_WIDTH)
                .setExecutionStrategy(program::execute)
                .setParameterExceptionHandler(Failures::wrongUse)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> Failures.failed(failure, command, program.debug));
    }

    private int execute(CommandLine.ParseResult parsed) {
        if (trace == null) return new CommandLine.RunLast().execute(parsed);
        try (Trace _ = Trace.to(ofRank(trace, Ranks.launchedRank()))) {
            return new CommandLine.RunLast().execute(parsed);
        } catch (UncheckedIOException e) {
            throw new CommandLine.ExecutionException(parsed.commandSpec().commandLine(), "the trace failed", e);
        }
    }

    /** Where a process writes its trace: {@code trace-3.json} for {@code trace.json} when it is rank 3 of several processes. */
    static Path ofRank(Path file, OptionalInt rank) {
        if (rank.isEmpty()) return file;
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        return file.resolveSibling(stem + "-" + rank.getAsInt() + name.substring(stem.length()));
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given; see penstock --help");
    }

    /** The launcher keeps standard error away from the JVM's start and leaves it at another descriptor. */
    private static void takeBackStandardError() {
        @Nullable Integer kept = Integer.getInteger("penstock.stderr");
        if (kept != null) Libc.dup2(kept, 2);
    }
}
