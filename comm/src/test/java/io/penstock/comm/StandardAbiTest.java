package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs by the standard ABI of MPI 5.0. No package here has a library with it, so one is compiled that is MPICH behind the standard's
 * constants.
 */
class StandardAbiTest {
    @TempDir
    private static Path folder;

    private static MpiLauncher launcher() {
        return MpiLauncher.installed().stream()
                .filter(each -> each.name().equals("MPICH"))
                .findFirst()
                .orElseThrow();
    }

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        assumeTrue(MpiLauncher.installed().stream().anyMatch(each -> each.name().equals("MPICH")), "no MPICH");
        Path source = folder.resolve("standard.c");
        try (InputStream in =
                Objects.requireNonNull(StandardAbiTest.class.getResourceAsStream("standard.c"), "standard.c")) {
            Files.copy(in, source);
        }
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O1", "-o", library().toString(), source.toString(), "-ldl")
                    .inheritIO()
                    .start();
            assertThat(compiler.waitFor()).isZero();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler: " + e.getMessage());
        }
    }

    private static Path library() {
        return folder.resolve("libmpi_abi.so.0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void ranksRunAllPrograms(int ranks) {
        Map<String, String> environment = Map.of(MpiLibrary.VARIABLE, library().toString());
        Outcome outcome = launcher().run(ranks, environment, List.of(MpiChecks.class.getName(), "all", "3"));
        assertThat(outcome.output()).contains("PASSED all on MPI group of " + ranks + " ranks by MPI standard ABI");
        assertThat(outcome.status()).as(outcome.output()).isZero();
    }

    @Test
    void aMistakeIsToldInTheWordsOfMpi() {
        Map<String, String> environment = Map.of(MpiLibrary.VARIABLE, library().toString());
        Outcome outcome = launcher().run(2, environment, List.of(MpiChecks.class.getName(), "truncate"));
        assertThat(outcome.output()).containsIgnoringCase("message truncated");
        assertThat(outcome.status()).isNotZero();
    }
}
