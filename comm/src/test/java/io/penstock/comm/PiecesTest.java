package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Device;
import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Arrays that MPI cannot reach, and others, in pieces of 48 bytes between processes. */
class PiecesTest {
    private static String device = "";

    @BeforeAll
    static void thereIsADeviceAndAnMpi() {
        assumeTrue(
                !MpiLauncher.installed().isEmpty(), "no MPI is installed; ./penstock test as root installs Debian's");
        Device other = Device.all().stream()
                .filter(each -> !each.equals(Device.jvm()))
                .findFirst()
                .orElse(null);
        assumeTrue(other != null, "no device but the JVM; ./penstock test as root installs PoCL");
        device = other.name();
    }

    private static Outcome run(MpiLauncher launcher, String check) {
        List<String> java = List.of(
                "-Dpenstock.mpi.piece=48", "-Dpenstock.comm.deadline=60", PiecesChecks.class.getName(), check, device);
        return launcher.run(2, Map.of(), java);
    }

    @Test
    void bothEndsCutAlikeWhereverTheirArraysLie() {
        for (MpiLauncher launcher : MpiLauncher.installed()) {
            Outcome outcome = run(launcher, "pieces");
            assertThat(outcome.output()).contains("PASSED pieces");
            assertThat(outcome.status()).as(outcome.output()).isZero();
        }
    }

    @Test
    void aRankThatDiesAmongPiecesEndsTheOther() {
        Outcome outcome = run(MpiLauncher.installed().getFirst(), "dies");
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output()).contains("rank 1 has died").contains("receive(100000 x F64 from rank 1, tag 0)");
    }

    @Test
    void whatIsNeverComputedIsNotSent() {
        Outcome outcome = run(MpiLauncher.installed().getLast(), "fails");
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output()).contains("rank 1 failed: java.lang.IllegalStateException: boom");
    }
}
