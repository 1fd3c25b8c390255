package io.penstock.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinesTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private List<String> lines(long steps, long done) {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try (Lines lines = new Lines("CGLS", steps, out)) {
            for (long step = 1; step <= done; step++) lines.step(step, "residual " + step);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aLineForAboutEachTenthAndOneForTheLastStep() {
        List<String> lines = lines(1000, 1000);
        assertThat(lines).hasSize(11);
        assertThat(lines.getFirst()).matches("CGLS: 1 of 1000, \\d+\\.\\d s, residual 1");
        assertThat(lines.getLast()).matches("CGLS: 1000 of 1000, \\d+\\.\\d s, residual 1000");
    }

    @Test
    void aJobThatEndsEarlySaysWhere() {
        assertThat(lines(1000, 123).getLast()).contains("123 of 1000");
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("100 of 1000");
    }

    @Test
    void aShortJobHasALineForEachStep() {
        assertThat(lines(3, 3)).hasSize(3);
    }

    @Test
    void aJobThatNeverStepsSaysNothing() {
        assertThat(lines(3, 0)).isEmpty();
    }
}
