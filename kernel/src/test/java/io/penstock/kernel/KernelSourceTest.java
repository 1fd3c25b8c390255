package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.FailureSite;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.testing.Nvcc;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelSourceTest {
    private static List<String> samples() {
        return kernels(Samples.class);
    }

    private static List<String> kernels(Class<?> owner) {
        return Arrays.stream(owner.getDeclaredMethods())
                .filter(m -> m.getParameterCount() > 0 && m.getParameterTypes()[0] == WorkItem.class)
                .map(Method::getName)
                .sorted()
                .toList();
    }

    @Test
    void cudaCompilesAllSamplesAndRandomKernels(@TempDir Path folder) throws Exception {
        assumeTrue(Nvcc.isInstalled(), "nvcc is not on the path: the generated CUDA sources are not compiled");
        List<KernelSource> checked = samples().stream()
                .map(Samples::code)
                .map(code -> KernelSource.of(Dialect.CUDA, code, Variant.checked(code)))
                .toList();
        assertThat(Nvcc.complaints(folder, "checked", KernelSource.program(checked)))
                .isEmpty();
        List<KernelSource> groups = Stream.of(GroupKernels.class, CaseKernels.class)
                .flatMap(owner -> kernels(owner).stream().map(name -> Samples.code(owner, name)))
                .map(code -> KernelSource.of(Dialect.CUDA, code, Variant.checked(code)))
                .toList();
        assertThat(Nvcc.complaints(folder, "groups", KernelSource.program(groups)))
                .isEmpty();
        try (URLClassLoader loader = RandomKernels.compile(folder, new SplittableRandom(3), 20)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            List<KernelSource> random = java.util.stream.IntStream.range(0, 20)
                    .mapToObj(k -> Samples.code(owner, "k" + k))
                    .map(code -> KernelSource.of(Dialect.CUDA, code, Variant.unchecked(code)))
                    .toList();
            assertThat(Nvcc.complaints(folder, "random", KernelSource.program(random)))
                    .isEmpty();
        }
    }

    @Test
    void checksAreWrittenWhereAskedAndNameTheirSites() {
        KernelCode code = Samples.code("copyColumn");
        KernelSource checked = KernelSource.of(Dialect.OPENCL, code, Variant.checked(code));
        assertThat(checked.sites()).extracting(FailureSite::array).containsExactly(1, 0);
        assertThat(checked.text())
                .contains("fail(failure, launch, 0, x, y, z, v3, v4, 0)", "__kernel void Samples_copyColumn(");
        KernelSource unchecked = KernelSource.of(Dialect.OPENCL, code, Variant.unchecked(code));
        assertThat(unchecked.sites()).isEmpty();
        assertThat(unchecked.text()).doesNotContain("fail(failure, launch, 0");
    }

    @Test
    void integerDivisionsAreCheckedUnlessTheDivisorIsAConstant() {
        assertThat(uncheckedSites("flattened"))
                .extracting(site -> site.value().operation())
                .containsExactly(Operation.DIV, Operation.REM);
        assertThat(uncheckedSites("nested")).isEmpty();
    }

    private static List<FailureSite> uncheckedSites(String sample) {
        KernelCode code = Samples.code(sample);
        return KernelSource.of(Dialect.CUDA, code, Variant.unchecked(code)).sites();
    }
}
