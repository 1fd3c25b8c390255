package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random kernels, alone and in groups, give the same bits on all devices, but for those of NaNs. {@code -Dpenstock.program} chooses
 * other kernels, and {@code -Dpenstock.kernels} how many.
 */
class DeviceFuzzTest {
    private static final int KERNELS = Integer.getInteger("penstock.kernels", 2_000);
    /** How many kernels make a program, since a build has a cost of its own, and how many of them have groups. */
    private static final int TOGETHER = 100;

    private static final int GROUPS = Integer.getInteger("penstock.kernels.groups", 5);

    /** PoCL optimizes one program of so many, whose kernels are alone. */
    private static final int OPTIMIZED = 10;

    private static final int ITEMS = 13;
    private static final Range RANGE = new Range(1, 1, 1, ITEMS, new GroupShape(true, 1, 1, RandomKernels.GROUP));

    @TempDir
    private Path folder;

    private static List<Device> compilingDevices() {
        return OnDevice.all().stream()
                .filter(device -> device instanceof CompilingDevice)
                .toList();
    }

    @Test
    void groupsDoOnTheJvmWhatTheirItemsWouldAlone() throws Exception {
        try (URLClassLoader loader = RandomKernels.compile(folder, new SplittableRandom(3), 0, 20)) {
            for (int k = 0; k < 20; k++) {
                KernelCode code = Samples.code(loader.loadClass("RandomProgram"), "g" + k);
                assertThat(code.needsGroups()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("compilingDevices")
    void randomKernelsGiveTheSameBits(Device device) {
        SplittableRandom programs = new SplittableRandom(Long.getLong("penstock.program", 1));
        List<SplittableRandom> seeds = Stream.generate(programs::split)
                .limit(Math.ceilDiv(KERNELS, TOGETHER))
                .toList();
        List<String> wrong = IntStream.range(0, seeds.size())
                .parallel()
                .mapToObj(n -> {
                    try (Program program = Program.of(device, folder.resolve("program" + n), seeds.get(n), n)) {
                        return program.wrong();
                    }
                })
                .flatMap(List::stream)
                .toList();
        assertThat(wrong).isEmpty();
    }

    /** Some kernels, compiled for a device, which they may rely on in various ways. */
    private record Program(URLClassLoader loader, Class<?> owner, ManyKernels kernels, int number, int groups)
            implements AutoCloseable {
        static Program of(Device device, Path folder, SplittableRandom random, int number) {
            try {
                CompilingDevice compiling = (CompilingDevice) device;
                boolean pocl = DeviceKernels.isPocl(compiling.code());
                boolean optimized = !pocl || number % OPTIMIZED == OPTIMIZED - 1;
                int groups = optimized && pocl ? 0 : GROUPS;
                URLClassLoader loader =
                        RandomKernels.compile(Files.createDirectories(folder), random, TOGETHER - groups, groups);
                Program program = new Program(
                        loader, loader.loadClass("RandomProgram"), new ManyKernels(compiling, RANGE), number, groups);
                try (Scope scope = Scope.open()) {
                    assertThat(scope).isNotNull();
                    for (int k = 0; k < TOGETHER; k++)
                        program.kernels.add(program.code(k), program.values(k), k % 3 > 0, k % (pocl ? 15 : 3) == 2);
                }
                program.kernels.compile(optimized);
                return program;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        private boolean isGroup(int k) {
            return k >= TOGETHER - groups;
        }

        private String name(int k) {
            return isGroup(k) ? "g" + (k - (TOGETHER - groups)) : "k" + k;
        }

        private KernelCode code(int k) {
            return Samples.code(owner, name(k));
        }

        private Object[] values(int k) {
            SplittableRandom random = new SplittableRandom(number * 1_000L + k);
            return isGroup(k)
                    ? RandomArguments.ofGroupKernel(random, ITEMS)
                    : RandomArguments.ofRandomKernel(random, ITEMS);
        }

        /** The kernels that give other bits than on the JVM. */
        List<String> wrong() {
            List<String> wrong = new ArrayList<>();
            for (int k = 0; k < TOGETHER; k++)
                try (Scope scope = Scope.open()) {
                    assertThat(scope).isNotNull();
                    Object[] values = values(k);
                    byte[] before = RandomArguments.bytes(values);
                    if (isGroup(k)) Interpreter.run(code(k), values, RANGE);
                    else
                        Kernel.of(MethodHandles.publicLookup(), owner, name(k))
                                .over(ITEMS)
                                .launch(values);
                    byte[] expected = RandomArguments.results(values);
                    RandomArguments.restore(values, before);
                    kernels.run(k, values);
                    if (!Arrays.equals(expected, RandomArguments.results(values)))
                        wrong.add(name(k) + " of program " + number);
                }
            return wrong;
        }

        @Override
        public void close() {
            try {
                loader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
