package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchTest {
    @Test
    void everyBenchmarkHasHelp() {
        assertThat(new CommandLine(new Bench()).getSubcommands().values())
                .isNotEmpty()
                .allMatch(benchmark -> benchmark.getCommandSpec().mixinStandardHelpOptions());
    }
}
