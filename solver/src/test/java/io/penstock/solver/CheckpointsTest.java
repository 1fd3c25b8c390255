package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.Identity;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("threads") // ranks of processes have no folder in common here; the chaos test has jobs of processes
class CheckpointsTest {
    private static final int ROWS = 11;
    private static final int COLUMNS = 6;
    private static final int ITERATIONS = 9;

    @TempDir
    private Path folder;

    /** The solvers that have checkpoints, on one problem each. */
    enum Method {
        CG {
            @Override
            Iteration<DistributedArray> begin(Communicator ranks, Checkpoints files, boolean resumes) {
                Cg<DistributedArray> cg = cg(ranks).checkpoints(files, 2);
                Optional<CgIteration<DistributedArray>> saved = resumes ? cg.resume(files) : Optional.empty();
                return saved.orElseGet(cg::begin);
            }
        },
        FUSED {
            @Override
            Iteration<DistributedArray> begin(Communicator ranks, Checkpoints files, boolean resumes) {
                FusedCg<DistributedArray> cg = cg(ranks).checkpoints(files, 2).fused();
                Optional<FusedCgIteration<DistributedArray>> saved = resumes ? cg.resume(files) : Optional.empty();
                return saved.orElseGet(cg::begin);
            }
        },
        CGLS {
            @Override
            Iteration<DistributedArray> begin(Communicator ranks, Checkpoints files, boolean resumes) {
                DistributedSpace space = space(ranks);
                LinearOperator<DistributedArray, DistributedArray> laplacian = Laplacian.of(space);
                StackedVerticalStack<DistributedArray> stack =
                        StackedVerticalStack.of(laplacian, laplacian.scaled(0.3));
                StackedArray data = StackedArray.of(space.random(1), space.random(2));
                Cgls<DistributedArray, StackedArray> cgls =
                        Cgls.of(stack, data).damping(0.2).iterations(ITERATIONS).checkpoints(files, 2);
                Optional<CglsIteration<DistributedArray, StackedArray>> saved =
                        resumes ? cgls.resume(files) : Optional.empty();
                return saved.orElseGet(cgls::begin);
            }
        };

        abstract Iteration<DistributedArray> begin(Communicator ranks, Checkpoints files, boolean resumes);
    }

    private static DistributedSpace space(Communicator ranks) {
        return new DistributedSpace(ranks, Layout.split(ranks.size(), 1, COLUMNS, ROWS), DType.F64);
    }

    private static Cg<DistributedArray> cg(Communicator ranks) {
        DistributedSpace space = space(ranks);
        return Cg.of(
                        NormalEquations.of(Laplacian.of(space), space.random(5))
                                .regularized(Identity.of(space), 0.3)
                                .operator(),
                        space.random(5))
                .start(space.random(6))
                .iterations(ITERATIONS);
    }

    /** The whole solution, from the first iteration or the newest checkpoint, after at most {@code steps} steps. */
    private NDArray solve(Method method, int size, boolean resumes, int steps) {
        return Ranks.call(size, ranks -> {
                    Iteration<DistributedArray> iteration = method.begin(ranks, Checkpoints.in(folder, ranks), resumes);
                    for (int s = 0; s < steps && iteration.step(); s++) {}
                    return iteration.x().allGather();
                })
                .getFirst();
    }

    private NDArray uninterrupted(Method method, int size) throws IOException {
        NDArray whole = solve(method, size, false, ITERATIONS);
        clear();
        return whole;
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList())
                if (!file.equals(folder)) Files.delete(file);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSolverGoesOnWithTheSameBits(Method method) throws IOException {
        for (int size : new int[] {1, 3, 4, 13}) {
            NDArray whole = uninterrupted(method, size);
            solve(method, size, false, 5);
            assertThat(solve(method, size, true, ITERATIONS).toDoubles()).isEqualTo(whole.toDoubles());
            // All is done: the last state is the solution.
            assertThat(solve(method, size, true, 0).toDoubles()).isEqualTo(whole.toDoubles());
            clear();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherNumberOfRanksGoesOnWithTheSameNumbers(Method method) throws IOException {
        NDArray whole = uninterrupted(method, 3);
        for (int size : new int[] {1, 2, 5, 12}) {
            solve(method, 3, false, 5);
            // Not a digit is lost on the way into another layout: at the checkpoint, after four iterations, nothing
            // differs.
            assertThat(solve(method, size, true, 0).toDoubles())
                    .isEqualTo(solve(method, 3, true, 0).toDoubles());
            double[] found = solve(method, size, true, ITERATIONS).toDoubles();
            assertThat(found).containsExactly(whole.toDoubles(), within(1e-9 * whole.norm()));
            clear();
        }
    }

    @Test
    void oneProcessNeedsNoRanks() {
        Dense a = Dense.diagonal(1, 2, 3, 4, 5, 6);
        NDArray y = NDArray.of(1, 2, 3, 4, 5, 6.5);
        Checkpoints files = Checkpoints.in(folder.resolve("deep/er"));
        Cg<NDArray> cg = Cg.of(a, y).iterations(6).checkpoints(files, 3);
        assertThat(cg.resume(files)).isEmpty();
        Solution<NDArray> whole = Cg.of(a, y).iterations(6).solve();
        CgIteration<NDArray> part = cg.begin();
        for (int i = 0; i < 4; i++) part.step();
        CgIteration<NDArray> resumed = cg.resume(files).orElseThrow();
        assertThat(resumed.iterations()).isEqualTo(3);
        Solution<NDArray> found = resumed.run();
        assertThat(found.x().toDoubles()).isEqualTo(whole.x().toDoubles());
        assertThat(found.history()).isEqualTo(whole.history());
    }

    @Test
    void savingSendsThreeSmallReductions() {
        Ranks.run(3, ranks -> {
            Iteration<DistributedArray> iteration =
                    cg(ranks).checkpoints(Checkpoints.in(folder, ranks), 2).begin();
            Traffic start = ranks.traffic();
            iteration.step();
            Traffic plain = ranks.traffic().since(start);
            Traffic before = ranks.traffic();
            iteration.step();
            Traffic saving = ranks.traffic().since(before);
            assertThat(saving.messages() - plain.messages()).isEqualTo(3);
            assertThat(saving.bytes() - plain.bytes()).isEqualTo(8 * (2 + 3 * 3 + 1));
        });
    }

    @Test
    void damageIsNoticedAndTheGenerationBeforeIsUsed() throws IOException {
        NDArray whole = uninterrupted(Method.CG, 3);
        Seeded.cases(25, random -> {
            try {
                solve(Method.CG, 3, false, 7);
                Path newest = newest();
                List<Path> files = parts(newest);
                Path victim =
                        random.nextInt(4) == 0 ? folder.resolve("checkpoint") : files.get(random.nextInt(files.size()));
                damage(victim, random.nextInt(1 << 20), random.nextInt(3));
                assertThat(solve(Method.CG, 3, true, ITERATIONS).toDoubles()).isEqualTo(whole.toDoubles());
                clear();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void damage(Path file, int place, int how) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        switch (how) {
            case 0 -> Files.delete(file);
            case 1 -> Files.write(file, java.util.Arrays.copyOf(bytes, place % bytes.length));
            default -> {
                bytes[place % bytes.length] ^= 0x10;
                Files.write(file, bytes);
            }
        }
    }

    private Path newest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Manifest.numberOf(file) >= 0)
                    .max((a, b) -> Long.compare(Manifest.numberOf(a), Manifest.numberOf(b)))
                    .orElseThrow();
        }
    }

    private static List<Path> parts(Path generation) throws IOException {
        try (Stream<Path> files = Files.list(generation)) {
            return files.sorted().toList();
        }
    }

    /** What resuming tells a user, if anything. */
    private List<String> told(int size) {
        List<String> told = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger("io.penstock.solver");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                told.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            solve(Method.CG, size, true, 0);
        } finally {
            log.removeHandler(handler);
        }
        return told;
    }

    @Test
    void aGenerationThatWasNotCompletedIsToldOnce() throws IOException {
        Files.createDirectories(Manifest.generation(folder, 1));
        assertThat(told(3))
                .containsExactly("generation 1 of the checkpoint in " + folder
                        + " was not completed, as by a job that ended while it was written; there is none before it");
        solve(Method.CG, 3, false, 7);
        assertThat(told(3)).isEmpty();
        long newest = Manifest.numberOf(newest());
        Files.createDirectories(Manifest.generation(folder, newest + 1));
        assertThat(told(2)).hasSize(1).first().asString().contains("going on from generation " + newest);
    }

    @Test
    void whenNothingIsWholeEveryRankIsTold() throws IOException {
        solve(Method.CG, 3, false, 7);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(file -> file.endsWith("rank-1")).toList()) damage(file, 100, 2);
        }
        assertThatThrownBy(() -> solve(Method.CG, 3, true, 0))
                .isInstanceOf(CommunicatorException.class)
                .hasCauseInstanceOf(CheckpointException.class)
                .hasMessageContaining("the checkpoint in " + folder + " cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"solver", "shape", "damping"})
    void aCheckpointOfAnotherProblemIsRefused(String difference) {
        NDArray y = NDArray.of(1, 2, 3, 4);
        Checkpoints files = Checkpoints.in(folder);
        Cgls.of(Dense.diagonal(1, 2, 3, 4), y)
                .checkpoints(files, 1)
                .iterations(2)
                .solve();
        assertThatThrownBy(() -> {
                    switch (difference) {
                        case "solver" -> Cg.of(Dense.diagonal(1, 2, 3, 4), y).resume(files);
                        case "shape" ->
                            Cgls.of(Dense.diagonal(1, 2), NDArray.of(1, 2)).resume(files);
                        default ->
                            Cgls.of(Dense.diagonal(1, 2, 3, 4), y).damping(2).resume(files);
                    }
                })
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void aFolderThatCannotBeWrittenIsAnErrorOnAllRanks() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Ranks.run(2, ranks -> {
                    assertThatThrownBy(() -> cg(ranks)
                                    .checkpoints(Checkpoints.in(file, ranks), 1)
                                    .solve())
                            .isInstanceOf(CheckpointException.class)
                            .hasMessageContaining("cannot be written");
                    throw new IllegalStateException("both were told");
                }))
                .hasMessageContaining("both were told");
    }

    @Test
    void onlyTwoGenerationsAreKept() throws IOException {
        solve(Method.CG, 2, false, ITERATIONS);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("checkpoint", "checkpoint.previous", "generation-4", "generation-5");
        }
    }
}
