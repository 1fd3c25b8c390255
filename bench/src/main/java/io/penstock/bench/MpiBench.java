package io.penstock.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.cli.doctor.MpiTimes;
import io.penstock.comm.Communicator;
import io.penstock.comm.MpiFacts;
import io.penstock.comm.Ranks;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Messages and reductions against C, by the same library in the same processes, turn and turn about. */
@Command(
        name = "mpi",
        description = "Messages and reductions against C by the same library: mpirun -n 2 ./penstock bench mpi",
        mixinStandardHelpOptions = true)
final class MpiBench implements Callable<Integer> {
    private static final int TURNS = 101;
    /** Enough calls for the compiler to be done. */
    private static final int WARM_UP = 60;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private record Case(String name, boolean reduces, long bytes, int rounds) {}

    private static final List<Case> CASES = List.of(
            new Case("ping-pong 8 B", false, 8, 500),
            new Case("ping-pong 4 MB", false, 4 << 20, 4),
            new Case("all-reduce 8 B", true, 8, 500),
            new Case("all-reduce 8 MB", true, 8 << 20, 2));

    @Override
    public Integer call() {
        OptionalInt size = Ranks.launched();
        if (size.isEmpty() || size.getAsInt() < 2)
            throw new ParameterException(
                    spec.commandLine(), "two ranks are needed; start it as mpirun -n 2 ./penstock bench mpi");
        Ranks.run(size.getAsInt(), this::measure);
        return 0;
    }

    private void measure(Communicator ranks) throws IOException {
        MpiFacts facts = Ranks.mpi().orElseThrow();
        PrintWriter out = spec.commandLine().getOut();
        boolean tells = ranks.rank() == 0;
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup c = SymbolLookup.libraryLookup(compile(ranks, facts), arena);
            if (tells) {
                out.println(facts.library().lines().findFirst().orElse("") + ", " + ranks.size() + " ranks");
                out.println("median, and least, of " + TURNS + " turns each; us");
                out.printf("%-16s %10s %10s %7s %10s %10s %7s%n", "", "penstock", "C", "ratio", "least", "C", "ratio");
            }
            for (Case each : CASES) {
                double[] ours = new double[TURNS];
                double[] theirs = new double[TURNS];
                int warmUp = each.bytes == 8 ? WARM_UP : 3;
                for (int turn = -warmUp; turn < TURNS; turn++) {
                    double our = each.reduces
                            ? MpiTimes.allReduce(ranks, each.bytes, each.rounds)
                            : MpiTimes.pingPong(ranks, each.bytes, each.rounds);
                    double their = inC(c, each);
                    if (turn < 0) continue;
                    ours[turn] = our;
                    theirs[turn] = their;
                }
                if (tells)
                    out.printf(
                            Locale.ROOT,
                            "%-16s %10.3f %10.3f %7.3f %10.3f %10.3f %7.3f%n",
                            each.name,
                            median(ours) * 1e6,
                            median(theirs) * 1e6,
                            median(ours) / median(theirs),
                            ours[0] * 1e6,
                            theirs[0] * 1e6,
                            ours[0] / theirs[0]);
            }
            out.flush();
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static double inC(SymbolLookup library, Case each) {
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow(each.reduces ? "penstock_all_reduce" : "penstock_ping_pong"),
                        FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_INT));
        try {
            return (double) handle.invokeExact(each.bytes, each.rounds);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The C program as a library, built by each rank for itself with the compiler of its MPI. */
    private static Path compile(Communicator ranks, MpiFacts facts) throws IOException {
        Path folder = Files.createTempDirectory("penstock-bench-mpi-" + ranks.rank());
        Path source = folder.resolve("mpi.c");
        try (InputStream in =
                Objects.requireNonNull(MpiBench.class.getResourceAsStream("mpi.c"), () -> "mpi.c is missing")) {
            Files.copy(in, source);
        }
        Path library = folder.resolve("mpi.so");
        boolean open = facts.abi().contains("Open MPI");
        for (String compiler : List.of(open ? "mpicc.openmpi" : "mpicc.mpich", "mpicc"))
            try {
                Process process = new ProcessBuilder(
                                compiler, "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                        .inheritIO()
                        .start();
                if (process.waitFor() == 0) return library;
            } catch (IOException e) {
                // The next name.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the C program was built", e);
            }
        throw new IOException("no compiler of this MPI (" + facts.abi()
                + ") builds the C program; install its development package, such as libopenmpi-dev or libmpich-dev");
    }
}
