package io.penstock.cli.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.NDArray;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import io.penstock.comm.RanksOptions;
import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import io.penstock.testing.Seeded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hundred runs in which a random rank throws, stands still, is killed or is stopped at a random moment: all others end and know
 * why, no process is left, and a run that goes on from what was saved, on as many ranks or
 * on one more, finds what one finds that nothing happened to.
 */
class ChaosTest {
    private static final int ON_THREADS = 176;
    private static final int ON_PROCESSES = 12;

    private static final Trouble NONE = new Trouble(-1, Trouble.Kind.THROW, 0);
    private static final RanksOptions IMPATIENT = RanksOptions.defaults().withDeadline(Duration.ofMillis(100));

    private final String mark = UUID.randomUUID().toString();

    /** In memory where that can be: each run writes a hundred files, and forces them to the disk. */
    @TempDir(factory = InMemory.class)
    private Path root;

    private final AtomicInteger runs = new AtomicInteger();

    private Path folder() {
        return root.resolve("run-" + runs.incrementAndGet());
    }

    @Test
    void threads() {
        NDArray[] whole = new NDArray[6];
        for (int n = 2; n < whole.length; n++) whole[n] = solution(n, folder());
        Seeded.cases(ON_THREADS, random -> {
            int n = random.nextInt(2, 6);
            // Most runs end by an exception: one that stands still takes the deadline.
            Trouble.Kind[] kinds = {random.nextInt(6) == 0 ? Trouble.Kind.STALL : Trouble.Kind.THROW};
            Trouble trouble = Trouble.random(random, n, kinds, 40_000);
            int every = random.nextInt(1, 4);
            Path folder = folder();
            Queue<Throwable> told = new ConcurrentLinkedQueue<>();
            boolean[] struck = {false};
            try {
                Ranks.run(n, IMPATIENT, ranks -> {
                    try {
                        TroubledProgram.run(ranks, folder, every, trouble);
                    } catch (CommunicatorException e) {
                        told.add(e);
                        throw e;
                    }
                });
            } catch (CommunicatorException e) {
                struck[0] = true;
                assertThat(e.getMessage()).contains(cause(trouble));
                assertThat(e.getMessage()).contains("call ");
            }
            if (struck[0]) {
                assertThat(told).hasSize(n - 1);
                assertThat(told).allMatch(e -> String.valueOf(e.getMessage()).contains(cause(trouble)));
            }
            assertThat(solution(n, folder).toDoubles()).isEqualTo(whole[n].toDoubles());
        });
    }

    /** What the others must be told, at least. */
    private static String cause(Trouble trouble) {
        return switch (trouble.kind()) {
            case THROW -> "rank " + trouble.rank() + " failed: java.lang.IllegalStateException: " + Trouble.WORDS;
            case STALL -> "rank " + trouble.rank() + ": stands still";
            case KILL -> "rank " + trouble.rank() + " has died";
            case STOP -> "rank " + trouble.rank() + " does not answer";
        };
    }

    private static NDArray solution(int ranks, Path folder) {
        return Ranks.call(ranks, group -> TroubledProgram.run(group, folder, 5, NONE))
                .getFirst();
    }

    @Test
    void processes() {
        NDArray two = solution(2, folder());
        NDArray three = solution(3, folder());
        // Most of the time they wait, so that several jobs at once take little longer than one.
        List<CompletableFuture<?>> series = new ArrayList<>();
        for (MpiLauncher launcher : MpiLauncher.installed()) {
            // Open MPI's launcher takes long to end.
            int together = isOpenMpi(launcher) ? 3 : 2;
            for (int first = 0; first < together; first++) {
                int k = first;
                series.add(CompletableFuture.runAsync(
                        () -> processes(launcher, k, together, two, three),
                        job -> Thread.ofPlatform().start(job)));
            }
        }
        CompletableFuture.allOf(series.toArray(CompletableFuture<?>[]::new)).join();
    }

    /** Every so many-th of the runs, from a first one on. */
    private void processes(MpiLauncher launcher, int first, int every, NDArray two, NDArray three) {
        MpiLauncher patient = patient(launcher);
        AtomicInteger number = new AtomicInteger();
        Seeded.cases(ON_PROCESSES, random -> {
            if (number.getAndIncrement() % every != first) return;
            int n = random.nextInt(2, 4);
            Trouble trouble = Trouble.random(random, n, Trouble.Kind.values(), 600_000);
            Path folder = folder();
            Outcome outcome = patient.run(n, Map.of(), command(folder, random.nextInt(1, 4), trouble));
            assertThat(outcome.status()).as(outcome.output()).isNotZero();
            // MPICH's launcher ends all of a job whose rank was killed, and says so itself, where they took longer to
            // say it.
            boolean ended =
                    trouble.kind() == Trouble.Kind.KILL && outcome.output().contains("Killed (signal 9)");
            if (!ended) expectAllTold(launcher, n, trouble, outcome.output());
            int resumed = random.nextBoolean() ? n : n + 1;
            NDArray found = solution(resumed, folder);
            // Of two numbers there is one sum; of three MPI may add the last two first.
            if (n == 2 && resumed == 2) assertThat(found.toDoubles()).isEqualTo(two.toDoubles());
            else assertThat(found.toDoubles()).containsExactly(three.toDoubles(), within(1e-9 * three.norm()));
        });
    }

    /**
     * MPICH's launcher kills the others as soon as one has ended, unless it is told to let them end by themselves, and also then when one
     * was killed; so each starts as {@code penstock} starts it. Open MPI's gives them a second, which is little for Java on a busy machine,
     * and waits that long itself.
     */
    private static MpiLauncher patient(MpiLauncher launcher) {
        List<String> patience = isOpenMpi(launcher)
                ? List.of("--mca", "odls_base_sigkill_timeout", "5")
                : List.of("-disable-auto-cleanup");
        List<String> command = new ArrayList<>(launcher.command());
        command.addAll(1, patience);
        String outlive =
                "\"$0\" \"$@\" || { status=$?; [ $status -le 128 ] || { sleep 8; kill -$((status - 128)) $$; }; exit $status; }";
        List<String> before = isOpenMpi(launcher) ? List.of() : List.of("/bin/sh", "-c", outlive);
        return new MpiLauncher(launcher.name(), command, before, launcher.library());
    }

    private static boolean isOpenMpi(MpiLauncher launcher) {
        return launcher.name().equals("Open MPI");
    }

    private List<String> command(Path folder, int every, Trouble trouble) {
        return List.of(
                "-Dpenstock.comm.deadline=2",
                "-Dpenstock.test.job=" + mark,
                TroubledProgram.class.getName(),
                folder.toString(),
                String.valueOf(every),
                trouble.text());
    }

    /** Each rank that is left says why it ends, unless the one that it must hear it from is the one that is gone. */
    private static void expectAllTold(MpiLauncher launcher, int ranks, Trouble trouble, String output) {
        for (int r = 0; r < ranks; r++) {
            if (r == trouble.rank()) continue;
            String why = trouble.kind() == Trouble.Kind.STALL
                    ? "rank " + trouble.rank() + " stands still"
                    : trouble.kind() == Trouble.Kind.STOP && trouble.rank() == 0
                            ? "rank 0 does not answer"
                            : cause(trouble);
            Pattern line = Pattern.compile("rank " + r + " ends in (call \\d+|before).*" + Pattern.quote(why));
            boolean said = output.lines().anyMatch(text -> line.matcher(text).find());
            // A rank that was not within MPI throws, and its uncaught exception is printed.
            long thrown = output.lines()
                    .filter(text -> text.contains("CommunicatorException") && text.contains(why))
                    .count();
            long own = trouble.kind() == Trouble.Kind.THROW ? 1 : 0;
            assertThat(said || thrown > own)
                    .as("rank %d of %d after %s with %s:%n%s", r, ranks, trouble, launcher, output)
                    .isTrue();
        }
    }

    @AfterEach
    void noProcessIsLeft() throws InterruptedException {
        for (int look = 0; look < 100 && left() > 0; look++) Thread.sleep(100);
        assertThat(left()).as("processes of the jobs").isZero();
    }

    private long left() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(mark))
                .count();
    }
}
