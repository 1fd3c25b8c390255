package io.penstock.bench.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
class ScalingBenchTest {
    private static String run(String... more) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            List<String> args = Stream.concat(Stream.of("--device=jvm", "--reduced", "--rounds=1"), Stream.of(more))
                    .toList();
            assertThat(new CommandLine(new ScalingBench()).execute(args.toArray(String[]::new)))
                    .isZero();
        } finally {
            System.setOut(out);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyCaseGivesTheSameOnOneRankAndOnSeveral() {
        String said = run("--ranks=1,3");
        assertThat(said).contains("1 device(s), shared by ranks");
        for (String name : List.of("poststack", "regularised", "laplacian", "summa", "mdc"))
            assertThat(said)
                    .containsPattern("\n" + name + " .* 1 +[0-9.]+ +1.00 +[0-9.]+ +1.00\n +3 +[0-9.]+ +[0-9.]+");
    }

    @Test
    void aStepIsTraced(@TempDir Path folder) {
        Path trace = folder.resolve("step.json");
        run("--only=laplacian", "--iteration=" + trace);
        assertThat(trace).isNotEmptyFile().content().contains("send", "receive", "rank-1");
    }
}
