package io.penstock.cli.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import io.penstock.testing.RankCounts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tests of distributed arrays, operators and solvers, and the program, as jobs of 1, 2, 3, 4 and 7 processes with each MPI; the system
 * property {@code penstock.test.suite.ranks} says of how many instead. Tests that run on any number of ranks run on as many as the
 * job has, with fewer random cases than on threads. One that needs fewer runs on the first ones, one that needs more on none.
 */
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("launchers")
class MpiSuiteTest {
    private static final List<String> MODULES = List.of("distributed", "operator", "solver");

    private static final List<String> TESTS = List.of(
            "io.penstock.distributed.StatisticsTest",
            "io.penstock.distributed.HaloTest",
            "io.penstock.distributed.ArithmeticTest",
            "io.penstock.distributed.MovingTest",
            "io.penstock.distributed.RecordedValuesTest",
            "io.penstock.operator.DerivativesTest",
            "io.penstock.operator.DistributedStencilTest",
            "io.penstock.operator.ConvolutionTest",
            "io.penstock.operator.DistributedOperatorsTest",
            "io.penstock.operator.StacksTest",
            "io.penstock.operator.StencilOracleTest",
            "io.penstock.operator.TiledMatrixTest",
            "io.penstock.operator.MultidimensionalConvolutionTest",
            "io.penstock.solver.DistributedSolversTest",
            "io.penstock.solver.QueuedSolversTest");

    private final MpiLauncher launcher;

    @TempDir
    private Path folder;

    MpiSuiteTest(MpiLauncher launcher) {
        this.launcher = launcher;
    }

    static List<MpiLauncher> launchers() {
        return MpiLauncher.installed();
    }

    @BeforeAll
    static void isInstalled() {
        assumeTrue(!launchers().isEmpty(), "no MPI is installed; ./penstock test as root installs Debian's");
    }

    @Test
    void theDistributedTestsPassOnProcesses() {
        Path root = Path.of("..").toAbsolutePath().normalize();
        List<String> folders = MODULES.stream()
                .map(module -> root.resolve(module).resolve("target/test-classes"))
                .peek(path -> assumeTrue(Files.isDirectory(path), "the tests of all modules must have been compiled"))
                .map(Path::toString)
                .toList();
        for (String ranks :
                System.getProperty("penstock.test.suite.ranks", "1,2,3,4,7").split(",")) {
            List<String> java = new ArrayList<>(List.of(
                    "-cp",
                    MpiLauncher.classPath() + File.pathSeparator + String.join(File.pathSeparator, folders),
                    "-D" + RankCounts.JOB + "=" + ranks,
                    "-Dpenstock.mpi.programs=any",
                    "-Dpenstock.comm.deadline=60",
                    Suite.class.getName()));
            java.addAll(TESTS);
            Outcome outcome = launcher.run(Integer.parseInt(ranks), environment(ranks), java);
            assertThat(outcome.status()).as(outcome.output()).isZero();
            assertThat(outcome.output().lines().filter(line -> line.matches("PASSED \\d\\d+ tests")))
                    .hasSize(Integer.parseInt(ranks));
        }
    }

    /** A job of one rank is one only where a library is named. */
    private Map<String, String> environment(String ranks) {
        return ranks.equals("1") ? Map.of("PENSTOCK_MPI", launcher.library()) : Map.of();
    }

    @Test
    void theProgramFindsTheSameAsOnThreads() throws IOException {
        List<String> arguments =
                List.of("poststack", "--traces=40", "--samples=50", "--iterations=4", "--ranks=4", "--out");
        JsonNode threads = summary(folder.resolve("threads"), arguments, 0);
        JsonNode processes = summary(folder.resolve("processes"), arguments, 4);
        assertThat(processes.at("/configuration/ranks").asInt()).isEqualTo(4);
        assertThat(threads.at("/configuration/ranks").asInt()).isEqualTo(4);
        for (String inversion : List.of("cgls", "normal", "regularized")) {
            JsonNode expected = threads.at("/inversions/" + inversion);
            JsonNode found = processes.at("/inversions/" + inversion);
            assertThat(expected.isMissingNode()).as(inversion).isFalse();
            double norm = expected.get("residualNorm").asDouble();
            assertThat(found.get("residualNorm").asDouble()).isCloseTo(norm, within(1e-10 * norm));
            assertThat(found.get("messages")).as("messages sent").isEqualTo(expected.get("messages"));
            assertThat(found.get("bytes")).as("bytes sent").isEqualTo(expected.get("bytes"));
            double error = expected.get("relativeModelError").asDouble();
            assertThat(found.get("relativeModelError").asDouble()).isCloseTo(error, within(1e-10 * error));
        }
        assertThat(Files.mismatch(folder.resolve("threads/model.npy"), folder.resolve("processes/model.npy")))
                .isEqualTo(-1);
        try (var files = Files.list(folder.resolve("processes"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
        }
    }

    /** Runs the program, as a process of its own or on ranks, and reads what it found. */
    private JsonNode summary(Path out, List<String> arguments, int ranks) {
        List<String> java = new ArrayList<>(List.of("io.penstock.cli.Penstock"));
        java.addAll(arguments);
        java.add(out.toString());
        Outcome outcome = ranks == 0 ? MpiLauncher.alone(Map.of(), java) : launcher.run(ranks, Map.of(), java);
        assertThat(outcome.status()).as(outcome.output()).isZero();
        assertThat(outcome.output().lines().filter(line -> line.startsWith("background")))
                .as("one table")
                .hasSize(1);
        assertThat(outcome.output().lines().filter(line -> line.startsWith("cgls: ")))
                .as("the progress of one rank")
                .hasSize(4);
        return JsonMapper.shared().readTree(out.resolve("summary.json"));
    }

    @Test
    void aFailureIsToldOnOneLineAndEndsTheJob() {
        Outcome outcome = launcher.run(
                2, Map.of(), List.of("io.penstock.cli.Penstock", "poststack", "--ranks=3", "--out", folder + "/none"));
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output())
                .contains("penstock: ")
                .contains("ranks is 3")
                .contains("started 2");
    }
}
