package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import io.penstock.testing.StandInLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs whose processes have a stand-in for CUDA's driver. Its device memory is the host's, so every MPI can be handed it. */
class StandInDevicesTest {
    private static String driver = "";
    private static String nccl = "";
    private static String folder = "";

    @BeforeAll
    static void compile(@TempDir Path where) throws IOException, InterruptedException {
        driver = StandInLibrary.compile("driver", where).toString();
        nccl = StandInLibrary.compile("nccl", where).toString();
        folder = where.toString();
    }

    static List<MpiLauncher> launchers() {
        return MpiLauncher.installed();
    }

    private static List<String> java(String... words) {
        List<String> java = new ArrayList<>(List.of("-Dpenstock.cuda=" + driver, "-Dpenstock.nvrtc=" + driver));
        java.addAll(List.of(words));
        return java;
    }

    /** What the stand-in compiles is of use to this test only. */
    private static Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PENSTOCK_CACHE",
                "off",
                "STANDIN_DEVICES",
                "4",
                "STANDIN_DRIVER",
                driver,
                "STANDIN_NCCL_FOLDER",
                folder,
                "PENSTOCK_NCCL",
                nccl));
        for (int i = 0; i < more.length; i += 2) environment.put(more[i], more[i + 1]);
        return environment;
    }

    private static void passed(Outcome outcome, String check) {
        assertThat(outcome.output()).contains("PASSED " + check);
        assertThat(outcome.status()).as(outcome.output()).isZero();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("launchers")
    void anMpiThatTakesDeviceMemoryIsHandedIt(MpiLauncher launcher) {
        Map<String, String> environment = environment("PENSTOCK_MPI_GPU", "aware", "STANDIN_DELAY", "20000");
        List<String> java = java("-Dpenstock.mpi.piece=48", StandInChecks.class.getName(), "handed");
        passed(launcher.run(2, environment, java), "handed");
    }

    /** The family of MPICH fails on memory without a handle; Open MPI is told to take none. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("launchers")
    void whatIsNotHandedIsStagedInPieces(MpiLauncher launcher) {
        String takes = launcher.name().equals("MPICH") ? "aware" : "staged";
        List<String> java = java(
                "-Dpenstock.cuda.exportable=false", "-Dpenstock.mpi.piece=48", StandInChecks.class.getName(), "staged");
        passed(launcher.run(2, environment("PENSTOCK_MPI_GPU", takes), java), "staged");
    }

    @Test
    void callsBetweenDevicesOfThreadsGoByNccl() {
        Map<String, String> environment = environment("STANDIN_DELAY", "20000");
        passed(MpiLauncher.alone(environment, java(StandInChecks.class.getName(), "nccl", "--ranks", "3")), "nccl");
    }

    @Test
    void missingWaitsOfNcclAreNoticed() {
        Map<String, String> environment = environment("STANDIN_DELAY", "20000");
        passed(MpiLauncher.alone(environment, java(StandInChecks.class.getName(), "unordered")), "unordered");
    }

    @Test
    void threadsThatFailWhileOthersWaitOnTheirDevicesEndAll() {
        passed(MpiLauncher.alone(environment(), java(StandInChecks.class.getName(), "failures")), "failures");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("launchers")
    void callsBetweenDevicesOfProcessesGoByNccl(MpiLauncher launcher) {
        passed(launcher.run(2, environment(), java(StandInChecks.class.getName(), "nccl")), "nccl");
    }

    @Test
    void aProcessThatStandsStillWhileOthersWaitOnTheirDevicesEndsAll() {
        assumeTrue(!launchers().isEmpty(), "no MPI is installed; ./penstock test as root installs Debian's");
        MpiLauncher launcher = launchers().getFirst();
        List<String> java = java("-Dpenstock.comm.deadline=1", StandInChecks.class.getName(), "hangs");
        Outcome outcome = launcher.run(2, environment(), java);
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output())
                .containsPattern("rank 0 waited [1-9]\\d*\\.\\d s in call 5 allReduce\\(SUM, 100000 x F64\\)")
                .contains("rank 0: waits for other ranks in allReduce(SUM, 100000 x F64) on its device");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("launchers")
    void aProcessThatDiesWhileOthersWaitOnTheirDevicesEndsAll(MpiLauncher launcher) {
        Outcome outcome = launcher.run(2, environment(), java(StandInChecks.class.getName(), "dies"));
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.seconds()).isLessThan(60);
        if (launcher.name().equals("Open MPI")) assertThat(outcome.output()).contains("rank 1 has died");
    }
}
