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

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException, InterruptedException {
        driver = StandInLibrary.compile("driver", folder).toString();
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
        Map<String, String> environment = new HashMap<>(Map.of("PENSTOCK_CACHE", "off"));
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
        passed(launcher.run(2, environment, java(StandInChecks.class.getName(), "handed")), "handed");
    }

    /** The family of MPICH fails on memory without a handle. */
    @Test
    void memoryThatCannotBeSharedIsStagedForMpich() {
        MpiLauncher mpich = launchers().stream()
                .filter(launcher -> launcher.name().equals("MPICH"))
                .findFirst()
                .orElse(null);
        assumeTrue(mpich != null, "MPICH is not installed; ./penstock test as root installs Debian's");
        List<String> java = java("-Dpenstock.cuda.exportable=false", StandInChecks.class.getName(), "staged");
        passed(mpich.run(2, environment("PENSTOCK_MPI_GPU", "aware"), java), "staged");
    }
}
