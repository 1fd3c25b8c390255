package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An MPI library over UCX takes the JVM's signals, unless something is done about it. */
class MpiSignalsTest {
    private static final String LIBRARY = "libmpich.so.12";
    /** How UCX says that a signal came to it. */
    private static final String TAKEN = "Caught signal 11";

    @BeforeAll
    static void hasUcx() {
        boolean found = MpiLauncher.installed().stream()
                        .anyMatch(launcher -> launcher.library().equals(LIBRARY))
                && Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/libucs.so.0"));
        assumeTrue(found, "no MPICH over UCX is installed");
    }

    private static Outcome run(Map<String, String> environment, String how) {
        return MpiLauncher.alone(
                environment,
                List.of(
                        "-XX:ErrorFile=/dev/null",
                        "-XX:-CreateCoredumpOnCrash",
                        NullChecks.class.getName(),
                        LIBRARY,
                        how));
    }

    /**
     * UCX takes the signal of the first null check, and sends it again once it has printed it. Of a signal that was sent, the JVM reads
     * the sender's user and process where a fault has its address: it ends, unless the sender is root and its number below 4,096, which
     * looks like an access by way of null.
     */
    @Test
    void theLibraryAsItIsEndsTheJvmAtANullCheck() {
        Outcome outcome = run(Map.of(), "bare");
        while (process(outcome) < 4096) {
            MpiLauncher.run(List.of("sh", "-c", "while [ $(sh -c 'echo $$') -lt 4096 ]; do :; done"), Map.of());
            outcome = run(Map.of(), "bare");
        }
        assertThat(outcome.output())
                .contains(TAKEN)
                .contains("SIGSEGV")
                .contains("sent by kill")
                .doesNotContain("ALIVE");
        assertThat(outcome.status()).isNotZero();
    }

    private static long process(Outcome outcome) {
        return outcome.output()
                .lines()
                .filter(line -> line.startsWith("PROCESS "))
                .mapToLong(line -> Long.parseLong(line.substring("PROCESS ".length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void loadedByThisModuleItDoesNot() {
        assertThat(run(Map.of(), "cured").output()).contains("ALIVE after 200").doesNotContain(TAKEN);
    }

    @Test
    void signalsThatItWasToldToTakeAreTakenBack() {
        Map<String, String> told = Map.of("UCX_ERROR_SIGNALS", "SIGILL,SIGSEGV,SIGBUS,SIGFPE");
        assertThat(run(told, "cured").output()).contains("ALIVE after 200").doesNotContain(TAKEN);
    }
}
