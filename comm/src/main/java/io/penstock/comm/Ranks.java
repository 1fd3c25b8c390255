package io.penstock.comm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs one program on several ranks: threads of this JVM, or, where a launcher such as {@code mpirun} started several
 * processes, one rank in each of them, which talk by MPI. The program is the same.
 *
 * <p>MPI is found by the environment variable {@code PENSTOCK_MPI} (the path of libmpi; {@code none} keeps ranks to threads),
 * or else by the launcher and the usual names.
 *
 * <p>Under a launcher a program must ask for as many ranks as were started. For suites of many small programs the system
 * property {@code penstock.mpi.programs=any} lifts that: a program that asks for fewer ranks runs on the first ones, and the
 * others pass it by; all pass by one that asks for more; one whose values {@link #call} is to return runs on threads of each process.
 *
 * <p>In-process ranks are named {@code rank-0} and so on, that share its cores evenly. Each runs in a
 * {@link io.penstock.runtime.Scope} of its own, which frees the rank's arrays when its program ends.
 *
 * <p>A rank that throws ends all of them: the others get a {@link CommunicatorException} with the first exception as its cause
 * at their next call of a communicator, or at once where they wait in one. When all have ended, the method called here throws a
 * {@link CommunicatorException} that names the rank, with the first exception as its cause and those of other ranks, where
 * they are more than the echo of the first and do not read like it, as suppressed ones. Interrupting the calling thread ends all ranks in the same way.
 *
 * <p>Under a launcher the method called here throws on the rank that failed, with a trace where that one failed first, and all processes of the job are ended once that
 * one ends, or five seconds later.
 */
public final class Ranks {
    private Ranks() {}

    /**
     * How many ranks the launcher started that this process belongs to; empty when ranks are threads of this process.
     *
     * @throws CommunicatorException when the launcher's MPI cannot be used
     */
    public static OptionalInt launched() {
        Optional<Launcher> launcher = MpiJob.launcher(System.getenv());
        if (launcher.isEmpty()) return OptionalInt.empty();
        int size = launcher.get().size();
        return OptionalInt.of(size > 0 ? size : MpiJob.start(launcher.get()).size());
    }

    /** Which rank of those that a launcher started this process is; empty when ranks are threads of this process. */
    public static OptionalInt launchedRank() {
        Optional<Launcher> launcher = MpiJob.launcher(System.getenv());
        return launcher.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(launcher.get().rank());
    }

    /** What is known of the MPI that this process uses; empty when it has run no ranks of a job yet. */
    public static Optional<MpiFacts> mpi() {
        return MpiJob.facts();
    }

    /**
     * Runs a program on {@code ranks} ranks; returns once it has ended on all ranks of this process.
     *
     * @throws IllegalArgumentException when a launcher started another number of ranks
     * @throws CommunicatorException when a rank failed, or the ranks could not work together
     */
    public static void run(int ranks, RankProgram body) {
        run(ranks, RanksOptions.defaults(), body);
    }

    /** Like {@link #run(int, RankProgram)}, with options. */
    public static void run(int ranks, RanksOptions options, RankProgram body) {
        Objects.requireNonNull(body, "body is null");
        start(ranks, options, communicator -> {
            body.run(communicator);
            return true;
        });
    }

    /**
     * Runs a program on as many ranks as its arguments ask for with {@code --ranks N}; when they do not, on those that a
     * launcher started, or one.
     *
     * @throws IllegalArgumentException when {@code --ranks} is not followed by a number above zero, or by another number than
     *     a launcher started
     * @throws CommunicatorException when a rank failed, or the ranks could not work together
     */
    public static void run(String[] args, RankProgram body) {
        run(ranksIn(args), body);
    }

    /**
     * Computes a value on each of {@code ranks} ranks.
     *
     * <p>A result that owns memory, such as an array or a solver's solution, outlives the rank's scope and is the caller's to close;
     * so do such things in an {@link Iterable}, a {@link java.util.Map}, an {@link java.util.Optional} or an array of objects.
     * Arrays reachable from a result in any other way are freed.
     *
     * @return the results of this process' ranks, in their order: of all of them where they are threads, of one under a launcher
     * @throws IllegalArgumentException when a launcher started another number of ranks
     * @throws CommunicatorException when a rank failed, or the ranks could not work together
     */
    public static <T extends @Nullable Object> List<T> call(int ranks, RankFunction<T> body) {
        return call(ranks, RanksOptions.defaults(), body);
    }

    /** Like {@link #call(int, RankFunction)}, with options. */
    public static <T extends @Nullable Object> List<T> call(int ranks, RanksOptions options, RankFunction<T> body) {
        Objects.requireNonNull(body, "body is null");
        return MpiJob.takesAnyProgram() ? threads(ranks, options, body) : start(ranks, options, body);
    }

    /** How a program is run by a rank. */
    interface Setting {
        <T extends @Nullable Object> T run(Communicator ranks, RankFunction<T> body) throws Exception;
    }

    /** Tests put another in its place, to have all programs run on another kind of communicator. */
    static Setting setting = new Setting() {
        @Override
        public <T extends @Nullable Object> T run(Communicator ranks, RankFunction<T> body) throws Exception {
            return body.call(ranks);
        }
    };

    private static <T extends @Nullable Object> List<T> start(int ranks, RanksOptions options, RankFunction<T> body) {
        if (ranks < 1) throw new IllegalArgumentException("ranks is " + ranks + "; expected 1 or more");
        Objects.requireNonNull(options, "options is null");
        Optional<Launcher> launcher = MpiJob.launcher(System.getenv());
        return launcher.isPresent() ? processes(launcher.get(), ranks, options, body) : threads(ranks, options, body);
    }

    private static <T extends @Nullable Object> List<T> processes(
            Launcher launcher, int ranks, RanksOptions options, RankFunction<T> body) {
        MpiJob job = MpiJob.start(launcher);
        if (ranks > job.size() && MpiJob.takesAnyProgram()) return List.of();
        if (ranks != job.size() && !MpiJob.takesAnyProgram())
            throw new IllegalArgumentException(
                    "ranks is " + ranks + ", but " + launcher.name() + " started " + job.size()
                            + "; ask for as many or leave it to the launcher, or set " + MpiLibrary.VARIABLE
                            + "=none for threads within each process");
        return job.call(ranks, options, body);
    }

    private static <T extends @Nullable Object> List<T> threads(int ranks, RanksOptions options, RankFunction<T> body) {
        World world = new World(ranks, options);
        InProcessGroup group = new InProcessGroup(world);
        List<RankThread<T>> threads = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(ranks);
        for (int r = 0; r < ranks; r++) threads.add(new RankThread<>(group, world.rank(r), body, running));
        for (RankThread<T> thread : threads) thread.start();
        new RankThreads(world, running, threads).join();
        List<T> results = new ArrayList<>();
        for (RankThread<T> thread : threads) results.add(thread.result());
        return Collections.unmodifiableList(results);
    }

    private static int ranksIn(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.startsWith("--ranks=")) return number(arg.substring("--ranks=".length()));
            if (arg.equals("--ranks")) return number(i + 1 < args.length ? args[i + 1] : "");
        }
        return launched().orElse(1);
    }

    private static int number(String text) {
        try {
            int ranks = Integer.parseInt(text);
            if (ranks >= 1) return ranks;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--ranks is '" + text + "'; expected a number above zero", e);
        }
        throw new IllegalArgumentException("--ranks is " + text + "; expected a number above zero");
    }
}
