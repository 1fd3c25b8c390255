package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.KernelFault;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.Scratch;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Scope;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels compiled for the JVM give the bits that Java gives, one item at a time and in vectors. */
class CompiledKernelTest {
    private static final int KERNELS = Integer.getInteger("penstock.kernels", 200);

    @Test
    void randomKernelsGiveTheSameBits(@TempDir Path folder) throws Exception {
        SplittableRandom program = new SplittableRandom(Long.getLong("penstock.program", 1));
        try (URLClassLoader loader = RandomKernels.compile(folder, program, KERNELS)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            for (int k = 0; k < KERNELS; k++) {
                KernelCode code = Samples.code(owner, "k" + k);
                Kernel kernel = Kernel.of(MethodHandles.publicLookup(), owner, "k" + k);
                for (int seed = 0; seed < 2; seed++)
                    try (Scope scope = Scope.open()) {
                        SplittableRandom random = new SplittableRandom(seed);
                        int items = 1 + random.nextInt(40);
                        Object[] values = RandomArguments.ofRandomKernel(random, items);
                        byte[] before = RandomArguments.bytes(values);
                        Range range = new Range(1, 1, 1, items);
                        boolean fails = false;
                        try {
                            kernel.implementation().loop().run(kernel.body(), values, range, 0, items);
                        } catch (ItemFailure e) {
                            fails = true;
                        }
                        byte[] expected = RandomArguments.results(values);
                        Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
                        LaunchShape shape = LaunchNumbers.shape(code, reach, values);
                        JvmKernel scalar = JvmKernel.scalar(code, shape);
                        JvmKernel vector = JvmKernel.vector(code, shape);

                        for (JvmKernel one : new JvmKernel[] {scalar, vector}) {
                            RandomArguments.restore(values, before);
                            boolean failed = false;
                            try {
                                one.loop()
                                        .run(
                                                LaunchNumbers.of(code, values, range)
                                                        .words(),
                                                Scratch.address(1 << 20),
                                                0,
                                                items);
                            } catch (KernelFault e) {
                                failed = true;
                            }
                            assertThat(failed).as("%s k%d", code, k).isEqualTo(fails);
                            if (!fails)
                                assertThat(RandomArguments.results(values))
                                        .as("%s k%d seed %d lanes %d %s", code, k, seed, one.lanes(), one.reason())
                                        .isEqualTo(expected);
                        }
                        assertThat(scope).isNotNull();
                    }
            }
        }
    }
}
