package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link PublishOrder} by jcstress, which makes threads meet many thousand times in every way that it knows. */
@Timeout(120)
class PublishOrderTest {
    @Test
    void ofTwoPiecesInConflictOneWaitsForTheOther(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main"));
        command.addAll(List.of("-t", PublishOrder.class.getName(), "-c", "2", "-sc", "false", "-af", "NONE"));
        command.addAll(List.of("-f", "1", "-fsm", "1", "-iters", "1", "-time", "2000", "-jvmArgs", "-Xmx512m"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("1 planned; 1 passed, 0 failed, 0 soft errs, 0 hard errs");
    }
}
