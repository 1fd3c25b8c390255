package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.CompiledKernel;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.KernelFault;
import io.penstock.kernel.jvm.LaunchNeeds;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.PlantedMistake;
import io.penstock.kernel.jvm.Scratch;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels compiled for the JVM give the bits that Java gives, one item at a time and in vectors, and fail where it fails. */
class CompiledKernelTest {
    private static final int KERNELS = Integer.getInteger("penstock.compiled", 20_000);
    /** How many javac compiles together, which it does not do for less than 50 ms. */
    private static final int BATCH = 250;
    /** How many of a batch have groups: with barriers, shared memory and atomic sums. */
    private static final int GROUPS = 20;

    /** A launch of a kernel, with what its views hold before it. */
    private static final class Case {
        private final KernelCode code;
        private final Object[] values;
        private final Range range;
        private final byte[] before;

        Case(KernelCode code, Range range, Object... values) {
            this.code = code;
            this.values = values;
            this.range = range;
            this.before = RandomArguments.bytes(values);
        }

        LaunchShape shape() {
            LaunchShape found = LaunchNumbers.shape(code, Reach.of(code, new ViewSizes(values, range)), values, range);
            // Loops over several rows do for one as well.
            LaunchShape.Rows rows = switch ((int) (range.x() % 4)) {
                case 0 -> found.rows();
                case 1 -> LaunchShape.Rows.SHORT;
                case 2 -> LaunchShape.Rows.BRIEF;
                default -> LaunchShape.Rows.LONG;
            };
            return new LaunchShape(
                    found.dimensions(), found.adjacent(), found.inside(), found.perX(), found.narrow(), rows);
        }

        /** What the views hold after some way to run it from the same beginning; nothing when an item fails. */
        byte[] after(Runnable run) {
            RandomArguments.restore(values, before);
            try {
                run.run();
            } catch (KernelFault | ItemFailure e) {
                return new byte[0];
            }
            return RandomArguments.results(values);
        }

        /** Runs it in pieces, as queues do. */
        byte[] after(CompiledKernel kernel, SplittableRandom random) {
            LaunchNumbers numbers = LaunchNumbers.of(LaunchNeeds.of(code), values, range);
            long scratch = Scratch.address(numbers.scratchBytes());
            long count = code.seesGroups() ? range.groups() : range.items();
            return after(() -> {
                for (long from = 0; from < count; ) {
                    long to = random.nextBoolean() ? count : Math.min(count, from + random.nextInt(30));
                    kernel.run(numbers.words(), scratch, from, to);
                    from = to;
                }
            });
        }
    }

    private static Case random(KernelCode code, SplittableRandom random) {
        int items = 1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 16);
        Object[] values = RandomArguments.ofRandomKernel(random, items);
        // Outputs by columns, so that neighbouring items write neighbouring elements.
        if (random.nextInt(4) > 0) RandomArguments.byColumns(values, items);
        return new Case(code, new Range(1, 1, 1, items), values);
    }

    @Test
    void randomKernelsGiveTheSameBitsInVectors(@TempDir Path folder) {
        long program = Long.getLong("penstock.program", 1);
        Kept kept = new Kept();
        IntStream.range(0, KERNELS / BATCH).parallel().forEach(batch -> {
            SplittableRandom random = new SplittableRandom(program * 1_000_003 + batch);
            batch(folder.resolve("batch" + batch), random, kept);
        });
        kept.check();
    }

    /** How many kernels were launched with vectors of so many bits, and how many of those were found worth them. */
    private static final class Kept {
        private final Map<Integer, AtomicInteger> launched = new ConcurrentHashMap<>();
        private final Map<Integer, AtomicInteger> inVectors = new ConcurrentHashMap<>();

        void count(int bits, int lanes) {
            launched.computeIfAbsent(bits, _ -> new AtomicInteger()).incrementAndGet();
            if (lanes > 1)
                inVectors.computeIfAbsent(bits, _ -> new AtomicInteger()).incrementAndGet();
        }

        /** Narrower vectors pay for fewer kernels: four longs save less than eight. */
        void check() {
            launched.forEach((bits, count) -> assertThat(
                            inVectors.getOrDefault(bits, new AtomicInteger()).get())
                    .as("kernels in vectors of %d bits, of %s", bits, count)
                    .isGreaterThan(bits >= 512 ? count.get() / 3 : bits == 256 ? count.get() / 4 : 0));
        }
    }

    /** A launch of a kernel whose items work together: by the interpreter and compiled. */
    private static void groupLaunch(KernelCode code, SplittableRandom random, Path folder) {
        try (Scope scope = Scope.open()) {
            int items = 1 + random.nextInt(20);
            Range range = new Range(1, 1, 1, items, new GroupShape(true, 1, 1, RandomKernels.GROUP));
            Case one = new Case(code, range, RandomArguments.ofGroupKernel(random, items));
            byte[] expected = one.after(() -> Interpreter.run(code, one.values, range));
            assertThat(one.after(JvmKernel.scalar(code, one.shape()).loop(), random))
                    .as("%s in groups in %s", code, folder)
                    .isEqualTo(expected);
            assertThat(scope).isNotNull();
        }
    }

    /** A launch of a kernel with sizes and data of its own, and so with code of its own. */
    private static void launch(KernelCode code, SplittableRandom random, Path folder, Kept kept) {
        try (Scope scope = Scope.open()) {
            Case one = random(code, random);
            JvmKernel vector = JvmKernel.vector(code, one.shape());
            byte[] expected = one.after(JvmKernel.scalar(code, one.shape()).loop(), random);
            assertThat(one.after(vector.loop(), random))
                    .as("%s with %d lanes in %s", code, vector.lanes(), folder)
                    .isEqualTo(expected);
            assertThat(scope).isNotNull();
            kept.count(one.shape().vectorBits(), vector.lanes());
        }
    }

    /** Some kernels. */
    private static void batch(Path folder, SplittableRandom random, Kept kept) {
        try (URLClassLoader loader =
                RandomKernels.compile(Files.createDirectory(folder), random, BATCH - GROUPS, GROUPS)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            for (int k = 0; k < BATCH - GROUPS; k++) launch(Samples.code(owner, "k" + k), random, folder, kept);
            for (int k = 0; k < GROUPS; k++) groupLaunch(Samples.code(owner, "g" + k), random, folder);
        } catch (java.io.IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void randomKernelsGiveJavasBitsOneAtATime(@TempDir Path folder) throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("penstock.program", 5));
        int kernels = 100;
        try (URLClassLoader loader = RandomKernels.compile(folder, random, kernels)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            for (int k = 0; k < kernels; k++)
                try (Scope scope = Scope.open()) {
                    Case one = random(Samples.code(owner, "k" + k), random);
                    Kernel kernel = Kernel.of(MethodHandles.publicLookup(), owner, "k" + k);
                    KernelLoop java = kernel.implementation().loop();
                    long items = one.range.items();
                    byte[] expected = one.after(() -> java.run(kernel.body(), one.values, one.range, 0, items));
                    assertThat(one.after(JvmKernel.scalar(one.code, one.shape()).loop(), random))
                            .as("%s", one.code)
                            .isEqualTo(expected);
                    assertThat(scope).isNotNull();
                }
        }
    }

    @Test
    void mistakesAreNoticed(@TempDir Path folder) throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        int kernels = 300;
        EnumSet<PlantedMistake> noticed = EnumSet.noneOf(PlantedMistake.class);
        try (URLClassLoader loader = RandomKernels.compile(folder, random, kernels)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            for (int k = 0; k < kernels && noticed.size() < PlantedMistake.values().length; k++)
                try (Scope scope = Scope.open()) {
                    Case one = random(Samples.code(owner, "k" + k), random);
                    byte[] expected =
                            one.after(JvmKernel.scalar(one.code, one.shape()).loop(), random);
                    // With all checks, so that a wrong index is a failure rather than the end of the JVM.
                    LaunchShape all = one.shape();
                    LaunchShape checked = new LaunchShape(
                            all.dimensions(), all.adjacent(), new BitSet(), all.perX(), all.narrow(), all.rows());
                    for (PlantedMistake mistake : EnumSet.complementOf(noticed)) {
                        CompiledKernel with = PlantedMistake.compile(one.code, checked, mistake::plant);
                        if (!Arrays.equals(one.after(with, random), expected)) noticed.add(mistake);
                    }
                    assertThat(one.after(PlantedMistake.compile(one.code, checked, bytes -> bytes), random))
                            .isEqualTo(expected);
                    assertThat(scope).isNotNull();
                }
        }
        assertThat(noticed).containsExactlyInAnyOrder(PlantedMistake.values());
    }

    static void everyType(
            WorkItem at, Bytes b, Ints i, Longs l, Floats f, Doubles d, ComplexFloats cf, ComplexDoubles cd, byte by) {
        long x = at.x();
        long y = at.y();
        byte small = b.get(y, x);
        b.set(y, x, (byte) (small * by + i.get(y, x)));
        i.set(y, x, i.get(y, x) * small - (int) f.get(y, x));
        l.set(y, x, (l.get(y, x) >>> 3) + (long) d.get(y, x));
        float re = cf.getRe(y, x);
        cf.set(y, x, re * f.get(y, x), cf.getIm(y, x) - re);
        cd.set(y, x, Math.max(cd.getRe(y, x), -d.get(y, x)), Math.rint(cd.getIm(y, x)));
        f.set(y, x, (float) Math.sqrt(Math.abs(f.get(y, x))) + by);
        d.set(y, x, Math.fma(d.get(y, x), 3, (double) l.get(y, x)));
    }

    @Test
    void allTypesAndAllEndsOfRows() {
        KernelCode code = Samples.code(CompiledKernelTest.class, "everyType");
        Seeded.cases(40, random -> {
            try (Scope scope = Scope.open()) {
                int rows = random.nextInt(4);
                int columns = random.nextInt(37);
                int n = Math.max(1, rows * columns);
                Object[] values = {
                    Bytes.of(RandomArguments.ints(random, n), rows, columns),
                    Ints.of(RandomArguments.ints(random, n), rows, columns),
                    Longs.of(RandomArguments.longs(random, n), rows, columns),
                    Floats.of(RandomArguments.floats(random, n), rows, columns),
                    Doubles.of(RandomArguments.doubles(random, n), rows, columns),
                    ComplexFloats.of(RandomArguments.floats(random, 2 * n), rows, columns),
                    ComplexDoubles.of(RandomArguments.doubles(random, 2 * n), rows, columns),
                    (byte) random.nextInt()
                };
                Case one = new Case(code, new Range(2, 1, rows, columns), values);
                byte[] expected = one.after(() -> Interpreter.run(code, values, one.range));
                assertThat(one.after(JvmKernel.scalar(code, one.shape()).loop(), random))
                        .isEqualTo(expected);
                JvmKernel vector = JvmKernel.vector(code, one.shape());
                assertThat(one.after(vector.loop(), random)).isEqualTo(expected);
                assertThat(scope).isNotNull();
            }
        });
    }

    /** Lanes leave the loop at different times with an int that has been widened, of which only the int is used. */
    static void lastsAsAnInt(WorkItem at, Ints out, Longs in) {
        long i = at.x();
        long kept = 1;
        int round = 0;
        do {
            kept = (char) (Math.min(i, in.get(i)) * kept);
        } while (++round < 3 && kept != kept % 13);
        out.set(i, (int) kept);
    }

    @Test
    void whatLanesHadWhenTheyLeftALoopStays() {
        KernelCode code = Samples.code(CompiledKernelTest.class, "lastsAsAnInt");
        Seeded.cases(20, random -> {
            try (Scope scope = Scope.open()) {
                int items = 1 + random.nextInt(40);
                Object[] values = {Memory.ints(items), Longs.of(RandomArguments.longs(random, items), items)};
                Case one = new Case(code, new Range(1, 1, 1, items), values);
                byte[] expected = one.after(() -> Interpreter.run(code, values, one.range));
                assertThat(one.after(JvmKernel.scalar(code, one.shape()).loop(), random))
                        .isEqualTo(expected);
                JvmKernel vector = JvmKernel.vector(code, one.shape());
                assertThat(vector.lanes()).isGreaterThan(1);
                assertThat(one.after(vector.loop(), random)).isEqualTo(expected);
                assertThat(scope).isNotNull();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"reverse", "sums", "untilDone", "privates", "histogram"})
    void groupsAdvanceFromBarrierToBarrier(String name) {
        KernelCode code = Samples.code(GroupKernels.class, name);
        Seeded.cases(6, random -> {
            try (Scope scope = Scope.open()) {
                int items = 1 + random.nextInt(200);
                Range range = new Range(1, 1, 1, items).in(new GroupShape(true, 1, 1, 1 + random.nextInt(70)));
                Object[] values = switch (name) {
                    case "sums" ->
                        new Object[] {
                            Doubles.of(RandomArguments.doubles(random, items), items),
                            Doubles.of(RandomArguments.doubles(random, items), items)
                        };
                    case "histogram" ->
                        new Object[] {
                            Ints.of(RandomArguments.ints(random, 8), 8),
                            Longs.of(RandomArguments.longs(random, 8), 2, 4),
                            Ints.of(RandomArguments.ints(random, items), items)
                        };
                    default ->
                        new Object[] {
                            Ints.of(RandomArguments.ints(random, items), items),
                            Ints.of(Memory.bytes(4L * items), items)
                        };
                };
                if (name.equals("untilDone")) for (long k = 0; k < items; k++) ((Ints) values[1]).set(k, (int) k % 5);
                Case one = new Case(code, range, values);
                byte[] expected = one.after(() -> Interpreter.run(code, values, range));
                assertThat(one.after(JvmKernel.scalar(code, one.shape()).loop(), random))
                        .isEqualTo(expected);
                assertThat(one.after(JvmKernel.vector(code, one.shape()).loop(), random))
                        .isEqualTo(expected);
                assertThat(scope).isNotNull();
            }
        });
    }

    static void shift(WorkItem at, Floats out, Floats in, Ints by) {
        out.set(at.y(), at.x(), read(in, at, by.get(at.x())));
    }

    private static float read(Floats in, WorkItem at, int by) {
        return in.get(at.y(), at.x() + 12 / by);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 15, 16, 17, 30, 31, 32})
    void failuresTellTheSameInVectors(long item) {
        Kernel kernel = Kernel.of(MethodHandles.lookup(), CompiledKernelTest.class, "shift");
        KernelCode code = Samples.code(CompiledKernelTest.class, "shift");
        for (int by : new int[] {0, 1, -1})
            try (Scope scope = Scope.open()) {
                Ints divisors = Memory.ints(33);
                for (long k = 0; k < 33; k++) divisors.set(k, 13);
                divisors.set(item, by);
                Object[] values = {Memory.floats(2, 33), Memory.floats(2, by == -1 ? 12 : 33), divisors};
                if (by == -1) values[1] = Floats.of(Memory.bytes(4 * 66), 0, new long[] {2, 33}, new long[] {33, 1});
                Range range = new Range(2, 1, 2, 33);
                Case one = new Case(code, range, values);
                String expected = message(
                        kernel, one, () -> kernel.implementation().loop().run(kernel.body(), values, range, 0, 66));
                for (JvmKernel compiled :
                        new JvmKernel[] {JvmKernel.scalar(code, one.shape()), JvmKernel.vector(code, one.shape())})
                    assertThat(message(
                                    kernel,
                                    one,
                                    () -> TieredCode.atOnce(kernel.implementation(), code, compiled)
                                            .compiled(
                                                    values,
                                                    range,
                                                    LaunchNumbers.of(LaunchNeeds.of(code), values, range),
                                                    0,
                                                    66)))
                            .isEqualTo(expected);
                assertThat(scope).isNotNull();
            }
    }

    /** What a launch says that fails; empty if it does not. */
    private static String message(Kernel kernel, Case one, Runnable run) {
        ItemFailure failure = catchThrowableOfType(ItemFailure.class, run::run);
        if (failure == null) return "";
        return String.valueOf(Failures.describe(kernel, Device.jvm(), one.range, one.values, failure)
                .getMessage());
    }
}
