package io.penstock.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.cli.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** All recorded cases of PyLops and PyLops-MPI that lie beside the repository. */
class OracleTest {
    /** How many of the recorded cases Penstock covers today; this number only grows. */
    private static final int COVERED = 549;

    @Test
    void noRecordedCaseFails() {
        Path oracle = oracle();
        assumeTrue(Files.isRegularFile(oracle.resolve("index.json")), "no recorded cases beside the repository");
        Program program = Program.run("verify", oracle.toString());
        List<String> lines = program.out().lines().toList();
        assertThat(lines.stream().filter(line -> line.startsWith("FAILED"))).isEmpty();
        assertThat(program.status()).isZero();
        Matcher summary =
                Pattern.compile("(\\d+) passed, 0 failed, (\\d+) not covered").matcher(lines.getLast());
        assertThat(summary.matches()).as(lines.getLast()).isTrue();
        assertThat(Integer.parseInt(summary.group(1))).isGreaterThanOrEqualTo(COVERED);
    }

    private static Path oracle() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("shared/oracle"))) folder = folder.getParent();
        return folder == null ? Path.of("none") : folder.resolve("shared/oracle");
    }
}
