package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Scope;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loops without checks are gone through only where nothing fails in them, and otherwise the first failure is Java's. */
class SureLoopsTest {
    private static final Range ONE = new Range(1, 1, 1, 1);
    private static final int LENGTH = 24;
    /** Elements before and behind those that kernels see, so that a mistake that is planted stays within the process's memory. */
    private static final int AROUND = 4096;

    @TempDir
    private Path folder;

    @BeforeEach
    void needsACompiler() {
        assumeTrue(CProgram.hasCompiler(), "gcc is not on the path: the generated C is not run");
    }

    static void upwards(WorkItem at, Longs out, Ints in, long first, long end, long step, long base) {
        long sum = at.x();
        for (long k = first; k < end; k += step) sum += in.get(k + base);
        out.set(0, sum);
    }

    static void downwards(WorkItem at, Longs out, Ints in, int first, int end, int step, int by, int base) {
        long sum = at.x();
        for (int k = first; k >= end; k -= step) sum = 3 * sum + in.get(k * by + base);
        out.set(0, sum);
    }

    static void several(WorkItem at, Longs out, Ints in, int first, long end, long base, int by) {
        for (int k = first; k + 3L <= end; k += 4) {
            long left = in.get(1, base - k);
            int row = k - first;
            int right = in.get(row, 2) / by;
            if ((k & 1) == 0) out.set(k + 3L, left + right);
        }
        out.set(0, at.x() + 1);
    }

    private record Launch(String kernel, List<Number> numbers) {}

    private static List<Launch> launches(SplittableRandom random, boolean small, int count) {
        List<Launch> all = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            long step = pick(random, small, 1, 2, 3, 5, 7, Integer.MAX_VALUE, 1L << 40);
            if (small) step = random.nextLong(1, 6);
            int by = (int) pick(random, small, 1, -1, 2, -3, 1 << 30, Integer.MIN_VALUE);
            long first = number(random, small);
            long end = number(random, small);
            long base = number(random, small);
            all.add(
                    switch (k % 3) {
                        case 0 -> new Launch("upwards", List.of(first, end, step, base));
                        case 1 ->
                            new Launch("downwards", List.of((int) first, (int) end, Math.max(1, (int) step), by, (int)
                                    base));
                        default -> new Launch("several", List.of((int) first, end, base, k % 5 - 1));
                    });
        }
        return all;
    }

    private static long pick(SplittableRandom random, boolean small, long... of) {
        return of[random.nextInt(small ? of.length - 2 : of.length)];
    }

    /** Mostly small, so that loops are short and indices inside, sometimes near an end of a type's numbers. */
    private static long number(SplittableRandom random, boolean small) {
        long near = random.nextInt(-6, LENGTH + 4);
        if (small || random.nextInt(4) > 0) return near;
        long[] ends = {
            Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 1L << 62, -(1L << 62)
        };
        return ends[random.nextInt(ends.length)] + near;
    }

    private static Object[] values(Launch launch) {
        Ints around = Memory.ints(2 * AROUND + LENGTH);
        for (int k = 0; k < around.length(); k++) around.set(k, 5 * k - 2 * AROUND);
        long[] shape = launch.kernel.equals("several") ? new long[] {4, LENGTH / 4} : new long[] {LENGTH};
        List<Object> values = new ArrayList<>();
        values.add(Longs.of(Memory.bytes(8 * (2 * AROUND + LENGTH)).slice(8 * AROUND, 8 * LENGTH), LENGTH));
        values.add(Ints.of(around.buffer().slice(4 * AROUND, 4 * LENGTH), shape));
        values.addAll(launch.numbers);
        return values.toArray();
    }

    /** A kernel's program for launches of which the same is known. */
    private record Program(String kernel, Variant variant) {}

    private static Map<Program, List<Launch>> programs(List<Launch> launches, int most) {
        Map<Program, List<Launch>> all = new LinkedHashMap<>();
        for (Launch launch : launches)
            try (Scope scope = Scope.open()) {
                assertThat(scope).isNotNull();
                KernelCode code = Samples.code(SureLoopsTest.class, launch.kernel);
                all.computeIfAbsent(new Program(launch.kernel, Variant.checked(code)), _ -> new ArrayList<>())
                        .add(launch);
                Object[] values = values(launch);
                Reach.Result reach = Reach.of(code, new ViewSizes(values, ONE));
                Variant known = LaunchVariant.of(code, reach, values, ONE, false);
                Program program = new Program(launch.kernel, known);
                if (all.containsKey(program) || all.size() < most)
                    all.computeIfAbsent(program, _ -> new ArrayList<>()).add(launch);
            }
        return all;
    }

    /** Whether a launch does not do what Java does, or does not fail where the code with checks does. */
    private boolean isWrong(Map<Program, List<Launch>> programs, UnaryOperator<String> change) throws Exception {
        for (Map.Entry<Program, List<Launch>> one : programs.entrySet()) {
            Program program = one.getKey();
            KernelCode code = Samples.code(SureLoopsTest.class, program.kernel);
            KernelSource source = KernelSource.of(Dialect.OPENCL, code, program.variant);
            if (!source.text().contains(") goto b1_s;")) continue;
            try (CProgram changed = CProgram.compile(folder(), List.of(source), change);
                    CProgram checked = CProgram.compile(
                            folder(), List.of(source), text -> text.replace(") goto b1_s;", ") goto b1_c;"))) {
                for (Launch launch : one.getValue())
                    if (!same(changed, checked, source, code, program, launch)) return true;
                assertThat(checked.overflows()).isZero();
                if (changed.overflows() > 0) return true;
            }
        }
        return false;
    }

    private Path folder() throws Exception {
        return Files.createTempDirectory(folder, "program");
    }

    private static boolean same(
            CProgram changed, CProgram checked, KernelSource source, KernelCode code, Program program, Launch launch) {
        try (Scope scope = Scope.open()) {
            assertThat(scope).isNotNull();
            Object[] values = values(launch);
            byte[] before = RandomArguments.bytes(values);
            Kernel kernel = Kernel.of(MethodHandles.lookup(), SureLoopsTest.class, launch.kernel);
            boolean fails = false;
            try {
                kernel.implementation().loop().run(kernel.body(), values, ONE, 0, 1);
            } catch (ItemFailure e) {
                fails = true;
                assertThat(e).hasNoSuppressedExceptions();
            }
            byte[] expected = RandomArguments.results(values);
            RandomArguments.restore(values, before);
            long[] record = checked.run(source, code, program.variant, values, ONE);
            assertThat(RandomArguments.results(values)).as("%s", launch).isEqualTo(expected);
            assertThat(record[0] & 1).isEqualTo(fails ? 1 : 0);
            RandomArguments.restore(values, before);
            return Arrays.equals(changed.run(source, code, program.variant, values, ONE), record)
                    && Arrays.equals(RandomArguments.results(values), expected);
        }
    }

    @Test
    void theTestBeforeALoopIsNeverWrong() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("penstock.program", 5));
        Map<Program, List<Launch>> programs = programs(launches(random, false, 2000), 7);
        assertThat(programs.size()).isGreaterThan(3);
        assertThat(isWrong(programs, text -> text)).isFalse();
    }

    @Test
    void weakerTestsAreCaught() throws Exception {
        Map<Program, List<Launch>> programs = programs(launches(new SplittableRandom(7), true, 300), 6);
        assertThat(isWrong(programs, text -> text)).isFalse();
        for (Map.Entry<String, String> mistake : MISTAKES.entrySet())
            assertThat(isWrong(programs, text -> text.replaceAll(mistake.getKey(), mistake.getValue())))
                    .as("whether launches are wrong by %s", mistake)
                    .isTrue();
    }

    /** What a test before a loop might look like that does not see all, or nobody goes by. */
    private static final Map<String, String> MISTAKES = Map.of(
            "const u64 from = least, to", "const u64 from = most, to",
            "to = most - past", "to = least",
            "from = least \\+ past", "from = most",
            "goto b1_s;", "return;",
            "past = ", "past = 7 + ",
            "\\(from (.*?)\\) & ", "");
}
