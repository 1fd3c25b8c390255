package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.FailureSite;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.ir.KernelCode;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelSourceTest {
    private static List<String> samples() {
        return Arrays.stream(Samples.class.getDeclaredMethods())
                .filter(m -> m.getParameterCount() > 0 && m.getParameterTypes()[0] == WorkItem.class)
                .map(Method::getName)
                .sorted()
                .toList();
    }

    /** Compiles to PTX; the compiler's complaints, empty if there are none. */
    private static String nvcc(Path folder, String name, String text) throws Exception {
        Path source = Files.writeString(folder.resolve(name + ".cu"), text);
        Process compiler = new ProcessBuilder(
                        "nvcc",
                        "-ptx",
                        "-arch=sm_90",
                        "-fmad=false",
                        "-o",
                        folder.resolve(name + ".ptx").toString(),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        String complaints =
                new String(compiler.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(compiler.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return compiler.exitValue() == 0 ? "" : complaints + text;
    }

    private static boolean hasNvcc() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nvcc")));
    }

    /** Several kernels as one program: each in its own namespace, what they have in common once. */
    private static String together(List<KernelSource> sources) {
        StringBuilder all = new StringBuilder();
        for (int k = 0; k < sources.size(); k++) {
            String text = sources.get(k).text();
            int common = text.indexOf("INLINE void item(");
            if (k == 0) all.append(text, 0, common);
            all.append("namespace n")
                    .append(k)
                    .append(" {\n")
                    .append(text.substring(common))
                    .append("}\n");
        }
        return all.toString();
    }

    @Test
    void cudaCompilesAllSamplesAndRandomKernels(@TempDir Path folder) throws Exception {
        assumeTrue(hasNvcc(), "nvcc is not on the path: the generated CUDA sources are not compiled");
        List<KernelSource> checked = samples().stream()
                .map(name -> KernelSource.of(Dialect.CUDA, Samples.code(name), true))
                .toList();
        assertThat(nvcc(folder, "checked", together(checked))).isEmpty();
        try (URLClassLoader loader = RandomKernels.compile(folder, new SplittableRandom(3), 20)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            List<KernelSource> random = java.util.stream.IntStream.range(0, 20)
                    .mapToObj(k -> KernelSource.of(Dialect.CUDA, Samples.code(owner, "k" + k), k % 2 == 0))
                    .toList();
            assertThat(nvcc(folder, "random", together(random))).isEmpty();
        }
    }

    @Test
    void checksAreWrittenWhereAskedAndNameTheirSites() {
        KernelCode code = Samples.code("copyColumn");
        KernelSource checked = KernelSource.of(Dialect.OPENCL, code, true);
        assertThat(checked.sites()).extracting(FailureSite::array).containsExactly(1, 0);
        assertThat(checked.text())
                .contains("fail(failure, 0, x, y, z, v3, v4, 0)", "__kernel void Samples_copyColumn(");
        KernelSource unchecked = KernelSource.of(Dialect.OPENCL, code, false);
        assertThat(unchecked.sites()).isEmpty();
        assertThat(unchecked.text()).doesNotContain("fail(failure, 0");
    }

    @Test
    void integerDivisionsAreCheckedUnlessTheDivisorIsAConstant() {
        KernelSource flattened = KernelSource.of(Dialect.CUDA, Samples.code("flattened"), false);
        assertThat(flattened.sites()).extracting(FailureSite::array).containsExactly(-1, -1);
        assertThat(KernelSource.of(Dialect.CUDA, Samples.code("nested"), false).sites())
                .isEmpty();
    }
}
