package io.penstock.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.operator.Laplacian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the programs in docs/examples compile as they stand, run, and find what they should. */
class ExamplesTest {
    private static final Path EXAMPLES =
            Path.of("").toAbsolutePath().getParent().resolve("docs/examples");

    @TempDir
    private Path folder;

    private NDArray run(String name) throws Exception {
        ByteArrayOutputStream problems = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        problems,
                        problems,
                        "-Xlint:all",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        EXAMPLES.resolve(name + ".java").toString());
        assertThat(problems.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(status).isZero();
        Path file = folder.resolve(name + ".npy");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[] {
                file.toString(), folder.resolve(name + ".json").toString()
            });
        }
        return NDArray.load(file);
    }

    @Test
    void deblurFindsTheSpikes() throws Exception {
        NDArray found = run("Deblur");
        assertThat(found.abs().argMax()).isEqualTo(90);
        assertThat(found.get(90)).isNegative();
        assertThat(found.slice(0, 0, 80).argMax()).isEqualTo(40);
        assertThat(found.slice(0, 100, 200).argMax()).isEqualTo(50);
    }

    @Test
    void smoothIsCloseToTheModel() throws Exception {
        NDArray found = run("Smooth");
        assertThat(found.shape()).containsExactly(50, 40);
        assertThat(found.slice(0, 30, 40).slice(1, 22, 32).mean().get()).isCloseTo(2, within(0.02));
        assertThat(found.slice(0, 5, 15).slice(1, 5, 35).mean().get()).isCloseTo(1, within(0.02));
    }

    @Test
    void heatFollowsTheLaplacian() throws Exception {
        NDArray found = run("Heat");
        NDArray now = NDArray.zeros(DType.F64, 60, 90);
        now.slice(0, 20, 40).slice(1, 30, 60).fill(1);
        var laplacian = Laplacian.of(ArraySpace.of(60, 90)); // zero at the edge
        for (int k = 0; k < 100; k++) now = now.add(laplacian.forward(now).multiply(0.2));
        assertThat(found.allClose(now, 1e-12, 1e-14)).isTrue();
        assertThat(found.max().get()).isLessThan(1);
    }

    @Test
    void twoDevicesDoTheSameAsOne() throws Exception {
        NDArray found = run("TwoDevices");
        NDArray now = NDArray.zeros(DType.F32, 2048, 2048);
        now.slice(0, 923, 1024).slice(1, 300, 600).fill(1);
        var laplacian = Laplacian.of(ArraySpace.of(DType.F32, 2048, 2048));
        for (int k = 0; k < 10; k++) now = now.add(laplacian.forward(now).multiply(0.2));
        assertThat(found.allClose(now, 1e-5, 1e-6)).isTrue();
    }

    @Test
    void restartFindsWhatWasLookedFor() throws Exception {
        NDArray found = run("Restart");
        NDArray wanted = ArraySpace.of(60, 40).random(7);
        assertThat(found.subtract(wanted).norm()).isLessThan(1e-8 * wanted.norm());
    }

    @Test
    void firstStepsShowsEveryExample() throws IOException {
        String text = Files.readString(EXAMPLES.resolveSibling("first-steps.md"));
        try (Stream<Path> files = Files.list(EXAMPLES).filter(Files::isRegularFile)) {
            assertThat(files)
                    .hasSize(5)
                    .allSatisfy(file -> assertThat(text).contains("(examples/" + file.getFileName() + ")"));
        }
    }

    @Test
    void theGalleryShowsEveryKernelAsItIsCompiled() throws IOException {
        String text = Files.readString(EXAMPLES.resolveSibling("gallery.md"));
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.list(EXAMPLES.resolve("gallery"))) {
            List<Path> kernels = files.toList();
            assertThat(kernels)
                    .hasSize(12)
                    .allSatisfy(file -> assertThat(text).contains("(examples/gallery/" + file.getFileName() + ")"));
            for (Path kernel : kernels) sources.append(flat(Files.readString(kernel)));
        }
        List<String> shown = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(found -> flat(found.group(1)))
                .toList();
        assertThat(shown).hasSize(12).allSatisfy(code -> assertThat(sources).contains(code));
    }

    /** Without what separates words. */
    private static String flat(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
