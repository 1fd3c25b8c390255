package io.penstock.cli.poststack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.cli.json.Json;
import io.penstock.testing.Oracle;
import io.penstock.testing.Oracle.Case;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The real section, against the peer's recorded run of the same job. */
class RecordedPoststackTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @ParameterizedTest
    @CsvSource({"0, 1, cgls, 50, 0", "0, 3, cgls, 50, 0", "1, 2, regularized, 30, 0.5"})
    void dataBackgroundAndHistoryAreThePeers(int number, int ranks, String inversion, int iterations, double weight)
            throws Exception {
        Case c = Oracle.recorded().family("mpi_app_poststack").get(number);
        Path data = Objects.requireNonNull(
                        Objects.requireNonNull(c.archive().getParent()).getParent())
                .resolve("data/avo/poststack_model.npz");
        Assumptions.assumeTrue(Files.exists(data), "no section beside the recorded results");
        StringWriter said = new StringWriter();
        int status = new CommandLine(new PoststackCommand())
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(
                        "--data=" + data,
                        "--every=20",
                        "--smooth-traces=5",
                        "--iterations=" + iterations,
                        "--weight=" + weight,
                        "--ranks=" + ranks,
                        "--quiet",
                        "--out=" + out);
        assertThat(status).as("%s", said).isZero();
        try (Npz recorded = Npz.open(c.archive())) {
            assertThat(NDArray.load(out.resolve("data.npy")).toDoubles())
                    .containsExactly(recorded.get(c.key("y")).toDoubles(), within(1e-13));
            assertThat(NDArray.load(out.resolve("background.npy")).toDoubles())
                    .containsExactly(recorded.get(c.key("mback")).toDoubles(), within(1e-13));
            assertThat(NDArray.load(out.resolve(inversion + ".npy")).toDoubles())
                    .containsExactly(recorded.get(c.key("out_x")).toDoubles(), within(1e-9));
            JsonNode history = Json.read(out.resolve("summary.json"))
                    .path("inversions")
                    .path(inversion)
                    .path("history");
            double[] costs = recorded.get(c.key("out_cost")).toDoubles();
            assertThat(history).hasSize(costs.length);
            for (int i = 0; i < costs.length; i++)
                assertThat(history.get(i).asDouble()).isCloseTo(costs[i], within(1e-10 * costs[i]));
        }
    }
}
