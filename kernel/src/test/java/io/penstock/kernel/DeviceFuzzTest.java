package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random kernels, alone and in groups, give the same bits on all devices, but for those of NaNs; {@code -Dpenstock.program} chooses
 * other kernels, and {@code -Dpenstock.kernels} how many.
 */
class DeviceFuzzTest {
    private static final int KERNELS = Integer.getInteger("penstock.kernels", 24);
    /** How many kernels make a program: a program's build has a cost of its own. */
    private static final int TOGETHER = 24;

    private static final int ITEMS = 13;

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
    void randomKernelsGiveTheSameBits(Device device) throws Exception {
        SplittableRandom programs = new SplittableRandom(Long.getLong("penstock.program", 1));
        List<String> wrong = new ArrayList<>();
        for (int first = 0; first < KERNELS; first += TOGETHER)
            try (URLClassLoader loader =
                    RandomKernels.compile(folder, programs.split(), TOGETHER / 2, TOGETHER - TOGETHER / 2)) {
                wrong.addAll(wrong(device, loader.loadClass("RandomProgram"), first));
            }
        assertThat(wrong).isEmpty();
    }

    private List<String> wrong(Device device, Class<?> owner, int seed) {
        List<String> wrong = new ArrayList<>();
        try (Scope scope = Scope.open()) {
            assertThat(scope).isNotNull();
            Range range = new Range(1, 1, 1, ITEMS, new GroupShape(true, 1, 1, RandomKernels.GROUP));
            ManyKernels program = new ManyKernels((CompilingDevice) device, range);
            List<Case> cases = new ArrayList<>();
            for (int k = 0; k < TOGETHER; k++) {
                boolean groups = k >= TOGETHER / 2;
                String name = groups ? "g" + (k - TOGETHER / 2) : "k" + k;
                KernelCode code = Samples.code(owner, name);
                SplittableRandom random = new SplittableRandom(seed + k);
                Object[] values = groups
                        ? RandomArguments.ofGroupKernel(random, ITEMS)
                        : RandomArguments.ofRandomKernel(random, ITEMS);
                cases.add(new Case(name, code, values, groups));
                program.add(code, values, k % 3 > 0, k % 3 == 2);
            }
            program.compile();
            for (int k = 0; k < cases.size(); k++) {
                Case one = cases.get(k);
                byte[] before = RandomArguments.bytes(one.values);
                if (one.groups) Interpreter.run(one.code, one.values, range);
                else
                    Kernel.of(MethodHandles.publicLookup(), owner, one.name)
                            .over(ITEMS)
                            .launch(one.values);
                byte[] expected = RandomArguments.results(one.values);
                RandomArguments.restore(one.values, before);
                program.run(k, one.values);
                if (!java.util.Arrays.equals(expected, RandomArguments.results(one.values)))
                    wrong.add(one.name + " of the kernels from " + seed);
            }
        }
        return wrong;
    }

    /** A kernel and its arguments. */
    private static final class Case {
        private final String name;
        private final KernelCode code;
        private final Object[] values;
        private final boolean groups;

        Case(String name, KernelCode code, Object[] values, boolean groups) {
            this.name = name;
            this.code = code;
            this.values = values;
            this.groups = groups;
        }
    }
}
