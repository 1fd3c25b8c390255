package io.penstock.cli.poststack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.cli.json.Json;
import io.penstock.runtime.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

class PoststackCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static final List<String> SMALL = List.of(
            "--traces=12", "--samples=60", "--smooth-traces=4", "--smooth-samples=8", "--iterations=10", "--quiet");

    private final StringWriter said = new StringWriter();

    private int run(String... args) {
        PrintWriter writer = new PrintWriter(said);
        return new CommandLine(new PoststackCommand())
                .setOut(writer)
                .setErr(writer)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
    }

    /** Runs the job on a small section that it makes itself. */
    private JsonNode small(String out, String... more) throws IOException {
        List<String> args = new ArrayList<>(SMALL);
        args.add("--out=" + folder.resolve(out));
        args.addAll(List.of(more));
        assertThat(run(args.toArray(String[]::new))).as("%s", said).isZero();
        return Json.read(folder.resolve(out).resolve("summary.json"));
    }

    private static double[] history(JsonNode summary, String inversion) {
        JsonNode history = summary.path("inversions").path(inversion).path("history");
        double[] values = new double[history.size()];
        for (int i = 0; i < values.length; i++) values[i] = history.get(i).asDouble();
        return values;
    }

    @Test
    void aJobThatEndedEarlyGoesOnWhereItWas() throws IOException {
        String checkpoint = "--checkpoint=" + folder.resolve("saved");
        JsonNode whole = small("whole", "--ranks=3");
        List<String> part = new ArrayList<>(SMALL);
        part.set(part.indexOf("--iterations=10"), "--iterations=7");
        part.addAll(List.of("--ranks=3", "--out=" + folder.resolve("part"), checkpoint, "--checkpoint-every=3"));
        assertThat(run(part.toArray(String[]::new))).as("%s", said).isZero();
        JsonNode resumed = small("resumed", "--ranks=3", checkpoint, "--resume");
        for (String inversion : List.of("cgls", "normal", "regularized"))
            assertThat(history(resumed, inversion)).isEqualTo(history(whole, inversion));
        assertThat(Files.mismatch(folder.resolve("whole/cgls.npy"), folder.resolve("resumed/cgls.npy")))
                .isEqualTo(-1);
        assertThat(run(
                        "--traces=12",
                        "--samples=60",
                        "--noise=0.1",
                        "--quiet",
                        "--out=" + folder,
                        checkpoint,
                        "--resume"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("are of another job");
        assertThat(run("--resume")).isEqualTo(2);
        assertThat(said.toString()).contains("--resume needs the folder");
        assertThat(run("--deadline=0")).isEqualTo(2);
        assertThat(run("--on-hang=pray")).isEqualTo(2);
    }

    @Test
    void writesEverything() throws IOException {
        JsonNode summary = small("all", "--noise=0.05");
        Path out = folder.resolve("all");
        for (String name : List.of("model", "background", "data", "cgls", "normal", "regularized"))
            assertThat(NDArray.load(out.resolve(name + ".npy")).shape()).containsExactly(12, 60);
        for (String name : List.of("cgls", "normal", "regularized"))
            assertThat(NDArray.load(out.resolve("residual_" + name + ".npy")).shape())
                    .containsExactly(12, 60);
        assertThat(javax.imageio.ImageIO.read(out.resolve("sections.png").toFile())
                        .getWidth())
                .isGreaterThan(500);
        assertThat(Files.size(out.resolve("convergence.png"))).isGreaterThan(1000);
        assertThat(summary.path("backgroundRelativeModelError").asDouble()).isBetween(0.001, 0.5);
        for (String name : List.of("cgls", "normal", "regularized")) {
            JsonNode inversion = summary.path("inversions").path(name);
            assertThat(inversion.path("iterations").asInt()).isEqualTo(10);
            assertThat(inversion.path("history")).hasSize(11);
            assertThat(inversion.path("secondsPerIteration").asDouble()).isPositive();
            assertThat(inversion.path("messages").asLong()).isEqualTo(20);
            assertThat(inversion.path("bytes").asLong()).isPositive();
            assertThat(inversion.path("relativeModelError").asDouble()).isBetween(0.0, 1.0);
        }
        assertThat(said.toString()).contains("CGLS", "model error", "summary.json");
    }

    @Test
    void residualAndErrorsAreThoseOfTheFiles() throws IOException {
        JsonNode summary = small("errors");
        Path out = folder.resolve("errors");
        NDArray model = NDArray.load(out.resolve("model.npy"));
        NDArray found = NDArray.load(out.resolve("cgls.npy"));
        found.axpy(-1, model);
        JsonNode cgls = summary.path("inversions").path("cgls");
        assertThat(cgls.path("relativeModelError").asDouble()).isCloseTo(found.norm() / model.norm(), within(1e-12));
        assertThat(cgls.path("residualNorm").asDouble())
                .isCloseTo(NDArray.load(out.resolve("residual_cgls.npy")).norm(), within(1e-12));
        assertThat(summary.path("regularizedDifference").asDouble()).isLessThan(1e-6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "3", "7", "15"})
    void ranksDoNotChangeTheHistory(String ranks) throws IOException {
        JsonNode one = small("one");
        JsonNode many = small("many", "--ranks=" + ranks);
        for (String name : List.of("cgls", "normal", "regularized")) {
            double[] expected = history(one, name);
            assertThat(history(many, name)).containsExactly(expected, within(1e-9 * expected[0]));
        }
    }

    @Test
    void devicesFindWhatTheJvmFinds() throws IOException {
        assumeTrue(Device.all().stream().anyMatch(device -> device.name().startsWith("opencl:")), "no OpenCL device");
        JsonNode here = small("here", "--ranks=2");
        JsonNode there = small("there", "--ranks=2", "--device=opencl");
        for (String name : List.of("cgls", "normal", "regularized")) {
            double[] expected = history(here, name);
            assertThat(history(there, name)).containsExactly(expected, within(1e-9 * expected[0]));
            JsonNode sent = there.path("inversions").path(name);
            assertThat(sent.path("messages"))
                    .isEqualTo(here.path("inversions").path(name).path("messages"));
            assertThat(sent.path("bytes"))
                    .isEqualTo(here.path("inversions").path(name).path("bytes"));
        }
    }

    @Test
    void aCubeOfEqualLinesIsInvertedLikeItsSection() throws IOException {
        JsonNode section = small("section");
        JsonNode cube = small("cube", "--lines=4", "--ranks=3");
        assertThat(NDArray.load(folder.resolve("cube").resolve("cgls.npy")).shape())
                .containsExactly(4, 12, 60);
        double[] expected = history(section, "cgls");
        double[] got = history(cube, "cgls");
        for (int i = 0; i < got.length; i++) assertThat(got[i]).isCloseTo(2 * expected[i], within(1e-9 * expected[0]));
    }

    @Test
    void readsASectionFromAFile() throws IOException {
        NDArray stored = NDArray.empty(DType.F32, 50, 10);
        for (int i = 0; i < 50; i++) for (int j = 0; j < 10; j++) stored.set(2 + Math.sin(0.5 * i + 0.1 * j), i, j);
        Path file = folder.resolve("data.npz");
        Npz.write(file, Map.of("impedance", stored, "x", NDArray.of(0, 10, 20)), true);
        small("read", "--data=" + file, "--name=impedance", "--every=2");
        assertThat(said.toString())
                .contains(file + ": 5 of 10 traces used (--every 2), of 50 samples each")
                .contains(file + ": x lies in ")
                .contains("expected, one real number for each of 10 traces");
        NDArray model = NDArray.load(folder.resolve("read").resolve("model.npy"));
        assertThat(model.shape()).containsExactly(5, 50);
        assertThat(model.get(3, 7)).isEqualTo(Math.log(stored.get(7, 6)));
        small("plain", "--data=" + file, "--name=impedance", "--every=1", "--no-log");
        NDArray plain = NDArray.load(folder.resolve("plain").resolve("model.npy"));
        assertThat(plain.get(3, 7)).isEqualTo(stored.get(7, 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ranks=0 | --ranks is 0; expected 1 or more",
                "--iterations=-1 | --iterations is -1",
                "--length=40 | --length is 40; expected an odd number",
                "--dt=0 | --dt is 0.0",
                "--noise=-1 | --noise is -1.0",
                "--dt=0.1 | --frequency is [15.0]; expected less than 5.0 Hz, the most that samples 0.1 s apart (--dt) can carry",
                "--frequency=5,10 | --frequency has 2 values; expected 1 for the wavelet ricker",
                "--wavelet=klauder | klauder",
                "--ranks=two | two",
                "--device=turbo | turbo",
                "--turbo | --turbo"
            })
    void aWrongOptionIsNamedWithStatusTwo(String option, String message) {
        assertThat(run(option)).isEqualTo(2);
        assertThat(said.toString()).contains(message);
    }

    @Test
    void dataThatCannotBeUsedAreNamedWithStatusOne() throws IOException {
        assertThat(run("--data=" + folder.resolve("absent.npz"))).isEqualTo(1);
        assertThat(said.toString()).contains("absent.npz");
        Path file = folder.resolve("data.npz");
        NDArray negative = NDArray.full(1, DType.F64, 6, 4);
        negative.set(-2, 3, 3);
        Npz.write(file, Map.of("model", negative, "flat", NDArray.of(1, 2)), false);
        assertThat(run("--data=" + file, "--out=" + folder.resolve("no"))).isEqualTo(1);
        assertThat(said.toString()).contains("-2.0 at sample 3 of trace 3").contains("--no-log");
        assertThat(run("--data=" + file, "--name=flat")).isEqualTo(1);
        assertThat(said.toString()).contains("expected a real array of two dimensions");
        assertThat(run("--data=" + file, "--name=nothing")).isEqualTo(1);
        assertThat(said.toString()).contains("nothing");
        assertThat(folder.resolve("no")).doesNotExist();
        assertThat(run("--out=" + file)).isEqualTo(1);
        assertThat(said.toString()).contains("--out is " + file + ", which is a file; expected a folder");
        assertThat(run("--out=/proc/no")).isEqualTo(1);
        assertThat(said.toString()).contains("--out is /proc/no, a folder that cannot be created");
    }
}
