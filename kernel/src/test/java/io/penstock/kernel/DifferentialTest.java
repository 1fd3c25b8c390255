package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random kernels give the same bits however they are run; {@code -Dpenstock.program} chooses other kernels. */
class DifferentialTest {
    private static final int KERNELS = Integer.getInteger("penstock.kernels", 200);

    @Test
    void randomKernelsGiveTheSameBits(@TempDir Path folder) throws Exception {
        SplittableRandom program = new SplittableRandom(Long.getLong("penstock.program", 1));
        try (URLClassLoader loader = RandomKernels.compile(folder, program, KERNELS)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            for (int k = 0; k < KERNELS; k++) {
                String name = "k" + k;
                KernelCode code = Samples.code(owner, name);
                Kernel kernel = Kernel.of(MethodHandles.publicLookup(), owner, name);
                Seeded.cases(2, random -> same(kernel, code, random));
            }
        }
    }

    private static void same(Kernel kernel, KernelCode code, SplittableRandom random) {
        try (Scope scope = Scope.open()) {
            int items = 1 + random.nextInt(9);
            Object[] values = RandomArguments.ofRandomKernel(random, items);
            byte[] before = RandomArguments.bytes(values);
            Range range = new Range(1, 1, 1, items);
            kernel.implementation().loop().run(kernel.body(), values, range, 0, items);
            byte[] expected = RandomArguments.results(values);
            RandomArguments.restore(values, before);
            Interpreter.run(code, values, range);
            assertThat(RandomArguments.results(values))
                    .as("the interpreter's results of %s", code)
                    .isEqualTo(expected);
            assertThat(scope).isNotNull();
        }
    }
}
