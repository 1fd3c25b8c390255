package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Mpi;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The job that a launcher started, of which this process is one rank.
 *
 * <p>A rank whose program throws ends the job: the exception goes on to whoever started the program, so that it can say what
 * went wrong, and when the process ends, or after a grace period when it does not, MPI is told to end all ranks. Otherwise MPI
 * is finalised when the process ends.
 */
final class MpiJob {
    private static final String PROGRAMS = "penstock.mpi.programs";
    private static final long FINALIZE_PATIENCE = TimeUnit.SECONDS.toNanos(10);
    private static final long LEAST_REST = 10_000;
    private static final long MOST_REST = 2_000_000;
    /** How long a process that is ended from outside waits to be told why; launchers kill it a second after they have told it to end. */
    private static final long NEWS = 600_000_000L;

    /** Set once, when ranks are first run. */
    private static @Nullable MpiJob running;

    private final MpiWorld world;
    /** The parent of the groups of programs on fewer ranks. */
    private final MpiCommunicator communicator;

    private final int sharers;
    private final MpiWatch watch;
    private final @Nullable JobBoard board;
    private volatile boolean busy;

    private MpiJob(MpiWorld world) {
        this.world = world;
        this.watch = new MpiWatch(world);
        int[] local = local();
        this.sharers = local[1];
        world.sharers(sharers);
        this.communicator = new MpiCommunicator(world);
        this.board = world.size() == 1 ? null : JobMeeting.meet(world, local[0] == world.size(), watch.seat());
    }

    /** The launcher that started this process as one of several ranks, unless ranks are to be threads all the same. */
    static Optional<Launcher> launcher(Map<String, String> environment) {
        String named = environment.getOrDefault(MpiLibrary.VARIABLE, "");
        if (named.equals("none")) return Optional.empty();
        return Launcher.of(environment).filter(launcher -> launcher.size() != 1 || !named.isEmpty());
    }

    /**
     * The job, with MPI initialised.
     *
     * @throws CommunicatorException when there is no library, or it does not belong to the launcher
     */
    static synchronized MpiJob start(Launcher launcher) {
        if (running != null) return running;
        MpiLibrary library = MpiLibrary.find(System.getenv(), launcher.libraries());
        MpiWorld world = new MpiWorld(library);
        if (launcher.size() > 0 && world.size() != launcher.size()) {
            String message = mismatch(launcher, library, world.size());
            library.mpi().mpiFinalize();
            throw new CommunicatorException(message);
        }
        MpiJob job = new MpiJob(world);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("penstock-mpi-end").unstarted(job::processEnds));
        running = job;
        return job;
    }

    private static String mismatch(Launcher launcher, MpiLibrary library, int size) {
        return launcher.name() + " started " + launcher.size() + " ranks, but " + library + " sees a world of " + size
                + ": library and launcher do not belong together; set " + MpiLibrary.VARIABLE
                + " to the libmpi of the launcher, or use the launcher of that library";
    }

    /** What is known of the MPI of this process, once ranks were run. */
    static synchronized Optional<MpiFacts> facts() {
        MpiJob job = running;
        return job == null ? Optional.empty() : Optional.of(MpiFacts.of(job.world, job.watch.seat()));
    }

    int size() {
        return world.size();
    }

    /** How many ranks run on this machine, and how many of them share the cores that this process may use. */
    private int[] local() {
        Mpi mpi = world.mpi();
        long int64 = world.library().abi().types().int64();
        world.check(
                mpi.commSplitType(
                        world.library().abi().commWorld(),
                        world.library().abi().commTypeShared(),
                        0,
                        world.library().abi().infoNull(),
                        world.cell()),
                "MPI_Comm_split_type");
        long local = world.handle();
        world.check(mpi.commSize(local, world.cell()), "MPI_Comm_size");
        int size = world.number();
        long mine = world.me().scratch(8L * (size + 1));
        HostMemory.ALL.set(JAVA_LONG, mine, allowedCores().hashCode());
        world.check(mpi.allgather(mine, 1, int64, mine + 8, 1, int64, local), "MPI_Allgather");
        int same = 0;
        for (int r = 0; r < size; r++)
            if (HostMemory.ALL.get(JAVA_LONG, mine + 8L * (r + 1)) == HostMemory.ALL.get(JAVA_LONG, mine)) same++;
        return new int[] {size, same};
    }

    /** The cores that the launcher bound this process to. */
    private static String allowedCores() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list"))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether programs may ask for any number of ranks. */
    static boolean takesAnyProgram() {
        return "any".equals(System.getProperty(PROGRAMS));
    }

    /** Runs the program as this process' rank; returns its result, none where the process is beyond {@code ranks}. */
    <T extends @Nullable Object> List<T> call(int ranks, RanksOptions options, RankFunction<T> body) {
        begin(options);
        try {
            List<T> results = new ArrayList<>(1);
            JvmDevice.instance().sharing(sharers, () -> scoped(ranks, body, results));
            return Collections.unmodifiableList(results);
        } finally {
            end();
        }
    }

    private <T extends @Nullable Object> void scoped(int ranks, RankFunction<T> body, List<T> results) {
        try (Scope scope = Scope.open()) {
            try (CheckedCommunicator group = group(ranks)) {
                if (world.me().rank() >= ranks) return;
                T value = Ranks.setting.run(group, body);
                group.finish();
                RankThread.keep(scope, value);
                results.add(value);
            } catch (Throwable e) {
                Failure own = Failure.of(world.me(), e);
                Failure first = world.fail(own);
                throw error(own, first, watch.failed(first));
            }
        }
    }

    /**
     * What the program's caller gets. One rank of a job says all that is known, where the others know that it does.
     *
     * @param own how the program failed here
     * @param told what all ranks have been told
     */
    private CommunicatorException error(Failure own, Failure first, String told) {
        Throwable thrown = Objects.requireNonNull(own.cause());
        boolean echo = first.isEcho(thrown);
        if (echo && first.cause() == null) {
            // One table of where all ranks stand is enough for a job.
            String line = first.message().lines().findFirst().orElse("");
            return new RepeatedFailure(world.me().rank() == 0 ? first.message() : line, null);
        }
        if (own.isToldBy(told))
            return new RepeatedFailure(own.message() + "; another rank failed alike, and says where", thrown);
        CommunicatorException error = new CommunicatorException(first.message(), first.cause());
        if (!echo) error.addSuppressed(thrown);
        return error;
    }

    /** The first ranks of the job; all of them must ask. */
    private CheckedCommunicator group(int ranks) {
        if (ranks != size())
            return (CheckedCommunicator) communicator.split(world.me().rank() < ranks ? 0 : 1, 0);
        return new MpiCommunicator(world);
    }

    private synchronized void begin(RanksOptions options) {
        Failure failure = world.failure();
        if (failure != null)
            throw new CommunicatorException("the ranks of this job have failed before: " + failure.message());
        if (busy)
            throw new IllegalStateException("rank " + world.me().rank()
                    + " runs a program already; under a launcher a process is one rank and runs one at a time");
        busy = true;
        world.me().thread = Thread.currentThread();
        watch.begin(options);
    }

    private synchronized void end() {
        watch.end();
        world.me().thread = null;
        busy = false;
    }

    /** Waits until all processes end, however long another goes on after its program, and leaves it the core meanwhile. */
    private void meet() {
        Mpi mpi = world.mpi();
        long slot = world.slots().take();
        world.check(mpi.ibarrier(world.library().abi().commWorld(), slot), "MPI_Ibarrier");
        for (long rest = LEAST_REST; ; rest = Math.min(2 * rest, MOST_REST)) {
            world.check(mpi.test(slot, MpiSlots.flag(slot), MpiSlots.status(slot)), "MPI_Test");
            if (HostMemory.ALL.get(JAVA_INT, MpiSlots.flag(slot)) != 0) return;
            LockSupport.parkNanos(this, rest);
        }
    }

    /**
     * Ends the process when MPI's own end does not come back: MPICH over UCX and TCP now and then waits for good for ranks that
     * are gone. All processes have come to their end by now, so nothing is lost.
     */
    private void endWithoutMpi() {
        Thread.ofPlatform()
                .daemon()
                .name("penstock-mpi-end")
                .inheritInheritableThreadLocals(false)
                .start(() -> {
                    long end = System.nanoTime() + FINALIZE_PATIENCE;
                    while (end - System.nanoTime() > 0) LockSupport.parkNanos(this, end - System.nanoTime());
                    LastWords.say("rank " + world.me().rank()
                            + ": MPI_Finalize has not come back for 10 s, after all processes had come to it; the process ends"
                            + " without it, with status 1");
                    Runtime.getRuntime().halt(1);
                });
    }

    /** Orderly when no program is running; a program that ends the process, or failed, ends all ranks. */
    private void processEnds() {
        if (!busy && world.failure() == null) {
            watch.seat().leave();
            if (board != null) board.leave();
            meet();
            endWithoutMpi();
            world.mpi().mpiFinalize();
            return;
        }
        if (world.inside() != 0) {
            // A signal, most often the launcher's because another rank ended: MPI may not be called in this state.
            news();
            watch.tell();
            if (world.failure() == null)
                LastWords.say("rank " + world.me().rank() + " was ended from outside in " + RankBoard.call(world.me()));
            return;
        }
        if (world.failure() == null) {
            String ends =
                    "rank " + world.me().rank() + " failed: its process ended within the program, by System.exit or"
                            + " a signal (" + RankBoard.call(world.me(), false) + ")";
            watch.failed(world.fail(new Failure(ends, null)));
            LastWords.say(ends);
        }
        watch.seat().told();
        watch.seat().awaitAllTold(MpiWatch.SETTLE);
        watch.abort();
    }

    /** Waits a little for the board to tell why this process is ended. */
    private void news() {
        long end = System.nanoTime() + NEWS;
        while (world.failure() == null && watch.seat().isConnected() && System.nanoTime() < end)
            LockSupport.parkNanos(this, 10_000_000);
    }
}
