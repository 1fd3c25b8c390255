package io.penstock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Program;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class DoctorTest {
    @Test
    void tellsWhatItFoundAndWhyNot() {
        Program program = Program.run("doctor");
        assertThat(program.status()).isZero();
        assertThat(program.err()).isEmpty();
        assertThat(program.out())
                .contains("JVM", "Memory", "Devices", "Launcher", "MPI", "CUDA", "NCCL", "OpenCL")
                .contains("  + jvm")
                .contains(Runtime.version().toString());
    }

    @Test
    void theSameAsJson() {
        JsonNode findings = new ObjectMapper()
                .readTree(Program.run("doctor", "--json").out())
                .path("findings");
        assertThat(findings.size()).isGreaterThan(15);
        for (JsonNode finding : findings) {
            assertThat(finding.path("name").asString()).isNotEmpty();
            assertThat(finding.path("found").isBoolean()).isTrue();
            assertThat(finding.path("detail").asString()).isNotEmpty();
        }
    }

    @Test
    void launchersAreKnownByTheEnvironment() {
        List<Finding> none = Launchers.examine(Map.of("HOME", "/"));
        assertThat(none).hasSize(1).noneMatch(Finding::found);
        assertThat(none.getFirst().detail()).contains("OMPI_COMM_WORLD_RANK");
        List<Finding> open = Launchers.examine(Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "4"));
        assertThat(open).hasSize(1).allMatch(Finding::found);
        assertThat(open.getFirst().detail()).startsWith("rank 1, size 4");
    }
}
