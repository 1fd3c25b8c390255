package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Scope;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated C does what Java does, to the bit but for the bits of NaNs, and would be caught if it did not. */
class GeneratedCTest {
    private static final int KERNELS = 30;
    private static final int ITEMS = 9;
    private static final int SEEDS = 4;

    @TempDir
    private Path folder;

    private record Case(Kernel kernel, KernelCode code, Variant variant, KernelSource source) {}

    @BeforeEach
    void needsACompiler() {
        assumeTrue(CProgram.hasCompiler(), "gcc is not on the path: the generated C is not run");
    }

    /** What random kernels seldom meet: zeros of both signs, and casts of all that does not fit. */
    static void edges(
            WorkItem at,
            Ints io,
            Longs lo,
            Floats fo,
            Doubles dout,
            Ints ii,
            Longs li,
            Floats fi,
            Doubles di,
            long q,
            int p) {
        long i = at.x();
        for (long k = 0; k < 3; k++) {
            float f = fi.get(i + 9 * k);
            double d = di.get(i + 9 * k);
            int n = ii.get(i + 9 * k);
            long m = li.get(i + 9 * k) + q;
            fo.set(i, k, Math.min(f, -f) / fi.get(i) + Math.max(-f, f) / fi.get(p & 7));
            dout.set(i, k, (Math.min(-d, d) + 1 / Math.max(d, -d)) * di.get(i + 1));
            io.set(i, k, (int) f ^ ((byte) n + (char) m) - n % -1 + (n <= 3 ? n >>> p : n << m));
            lo.set(i, k, (long) d + m * n - (int) d + (m >> n));
        }
        fo.set(i, 3, Math.max(fi.get(i), fi.get(i + 1)));
        dout.set(i, 3, 1 / Math.min(di.get(i), -di.get(i)));
        io.set(i, 3, Math.max(p, ii.get(i)) * p + (int) Math.abs(di.get(i)));
    }

    private static List<Case> cases(Class<?> owner, int count) {
        KernelCode edges = Samples.code(GeneratedCTest.class, "edges");
        List<Case> cases = new ArrayList<>();
        cases.add(one(GeneratedCTest.class, "edges", Variant.checked(edges)));
        for (int k = 0; k < count; k++) {
            KernelCode code = Samples.code(owner, "k" + k);
            cases.add(one(
                    owner,
                    "k" + k,
                    switch (k % 4) {
                        case 0 -> Variant.checked(code);
                        case 1 -> Variant.unchecked(code);
                        default -> proved(code, k % 4 == 3);
                    }));
        }
        return cases;
    }

    private static Case one(Class<?> owner, String name, Variant variant) {
        KernelCode code = Samples.code(owner, name);
        return new Case(
                Kernel.of(MethodHandles.lookup(), owner, name),
                code,
                variant,
                KernelSource.of(Dialect.OPENCL, code, variant));
    }

    /** What is known of a launch with arguments like those that the test uses, scalars excepted. */
    private static Variant proved(KernelCode code, boolean several) {
        try (Scope scope = Scope.open()) {
            assertThat(scope).isNotNull();
            Variant variant = null;
            for (int seed = 0; seed < SEEDS; seed++) {
                Object[] values = RandomArguments.ofRandomKernel(new SplittableRandom(seed), ITEMS);
                Range range = new Range(1, 1, 1, ITEMS);
                Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
                Variant here = LaunchVariant.of(code, reach, values, range, several);
                if (variant != null) {
                    here.proved().and(variant.proved());
                    here.narrow().and(variant.narrow());
                }
                variant = here;
            }
            return withOneThread(java.util.Objects.requireNonNull(variant));
        }
    }

    /** The variant for a launch with as few threads as the test has. */
    private static Variant withOneThread(Variant of) {
        return new Variant(
                of.proved(),
                of.narrow(),
                of.brief(),
                of.narrowRange(),
                of.views(),
                of.disjoint(),
                of.itemsPerThread(),
                of.wholeGroups(),
                false,
                of.fast());
    }

    /** How many kernels give other results than Java's; where none do, how often their code does what C leaves undefined. */
    private long wrong(List<Case> cases, UnaryOperator<String> change) throws Exception {
        List<KernelSource> sources = cases.stream().map(Case::source).toList();
        try (CProgram program = CProgram.compile(folder, sources, change)) {
            long wrong = cases.stream().filter(one -> !same(program, one)).count();
            return wrong == 0 ? program.overflows() : wrong;
        }
    }

    private static boolean same(CProgram program, Case one) {
        boolean same = true;
        for (int seed = 0; seed < SEEDS; seed++)
            try (Scope scope = Scope.open()) {
                SplittableRandom random = new SplittableRandom(seed);
                Object[] values = RandomArguments.ofRandomKernel(random, ITEMS);
                byte[] before = RandomArguments.bytes(values);
                Range range = new Range(1, 1, 1, ITEMS);
                one.kernel().implementation().loop().run(one.kernel().body(), values, range, 0, ITEMS);
                byte[] expected = RandomArguments.results(values);
                RandomArguments.restore(values, before);
                long[] failure = program.run(one.source(), one.code(), one.variant(), values, range);
                same &= failure[0] == 0 && Arrays.equals(expected, RandomArguments.results(values));
                assertThat(scope).isNotNull();
            }
        return same;
    }

    @Test
    void randomKernelsGiveJavasResultsAndMiscompilationsAreCaught() throws Exception {
        SplittableRandom program = new SplittableRandom(Long.getLong("penstock.program", 11));
        try (URLClassLoader loader = RandomKernels.compile(folder, program, KERNELS)) {
            List<Case> cases = cases(loader.loadClass("RandomProgram"), KERNELS);
            assertThat(wrong(cases, text -> text)).isZero();
            for (Map.Entry<String, String> mistake : MISTAKES.entrySet()) {
                UnaryOperator<String> plant = text -> {
                    String changed = text.replace(mistake.getKey(), mistake.getValue());
                    assertThat(changed).as("the text with %s", mistake).isNotEqualTo(text);
                    return changed;
                };
                assertThat(wrong(cases, plant))
                        .as("kernels wrong by %s", mistake)
                        .isPositive();
            }
        }
    }

    /** Pieces of generated text, and what a compiler that does not know Java well would have written. */
    private static final Map<String, String> MISTAKES = Map.ofEntries(
            Map.entry("b == -1 ? 0 : a % b", "b == -1 ? a : a % b"),
            Map.entry("v >= 2147483648.0 ? 2147483647", "v >= 2147483648.0 ? -2147483647 - 1"),
            Map.entry("v != v ? 0 : v >= 2", "v >= 2"),
            Map.entry("BITS2F(F2BITS(a) | F2BITS(b))", "b"),
            Map.entry("a != a ? a : b != b ? b : a > b", "a > b"),
            Map.entry("(u32) v", "(i32) v"),
            Map.entry("(i32) (signed char) ", "0xff & "),
            Map.entry("& 0xffff", "& 0x7fff"),
            Map.entry(" <= ", " < "),
            Map.entry("(i64) ((u64) v", "(i64) ((u32) v"),
            Map.entry("fabs(", "("),
            Map.entry("io_0_shape.stride[1]", "1"),
            Map.entry("] = (i32) v", "] = (short) v"));

    @Test
    void theFirstFailureIsRecordedAndTheOtherItemsGoOn() throws Exception {
        KernelCode code = Samples.code("copyColumn");
        KernelSource source = KernelSource.of(Dialect.OPENCL, code, Variant.checked(code));
        try (CProgram program = CProgram.compile(folder, List.of(source), text -> text);
                Scope scope = Scope.open()) {
            Floats to = Memory.floats(3, 4);
            Floats from = Memory.floats(4, 4);
            from.set(1, 2, 5f);
            long[] fine =
                    program.run(source, code, Variant.checked(code), new Object[] {to, from, 2}, new Range(1, 1, 1, 3));
            assertThat(fine).containsOnly(0);
            assertThat(to.get(1, 2)).isEqualTo(5f);
            long[] record =
                    program.run(source, code, Variant.checked(code), new Object[] {to, from, 2}, new Range(1, 1, 1, 4));
            assertThat(source.sites().get((int) record[1]).array()).isZero();
            assertThat(record).containsExactly(1 | (long) CProgram.LAUNCH << 32, 1, 3, 0, 0, 3, 2, 0);
            long[] negative = program.run(
                    source, code, Variant.checked(code), new Object[] {to, from, -1}, new Range(1, 1, 1, 2));
            assertThat(source.sites().get((int) negative[1]).array()).isEqualTo(1);
            assertThat(negative).containsExactly(1 | (long) CProgram.LAUNCH << 32, 0, 0, 0, 0, 0, -1, 0);
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void divisionByZeroIsRecorded() throws Exception {
        KernelCode code = Samples.code("flattened");
        KernelSource source = KernelSource.of(Dialect.OPENCL, code, Variant.checked(code));
        try (CProgram program = CProgram.compile(folder, List.of(source), text -> text);
                Scope scope = Scope.open()) {
            Object[] values = {Memory.floats(3, 0), Memory.floats(3, 0)};
            long[] record = program.run(source, code, Variant.checked(code), values, new Range(1, 1, 1, 2));
            assertThat(record[0] & 1).isEqualTo(1);
            assertThat(source.sites().get((int) record[1]).value().operation()).isEqualTo(Operation.DIV);
            assertThat(scope).isNotNull();
        }
    }

    static void gather(WorkItem at, Ints out, Ints from, Ints places) {
        int place = places.get(at.x());
        if (place >= 0) out.set(at.x(), from.get(place) / (place + 1 - (int) (at.x() % 2)));
    }

    @Test
    void severalItemsOfAThreadAreDoneTogetherOrOneByOneWhenOneOfThemFails() throws Exception {
        KernelCode code = Samples.code(GeneratedCTest.class, "gather");
        int n = 14; // of which the last two make no four
        Range range = new Range(1, 1, 1, n);
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(n);
            Ints from = Memory.ints(n);
            Ints places = Memory.ints(n);
            Object[] values = {out, from, places};
            Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
            Variant variant = withOneThread(LaunchVariant.of(code, reach, values, range, true));
            KernelSource source = KernelSource.of(Dialect.OPENCL, code, variant);
            assertThat(source.text()).contains("gather_foreseen", "gather_trusted");
            try (CProgram program = CProgram.compile(folder, List.of(source), text -> text)) {
                for (int wrong = -1; wrong < n; wrong++)
                    for (int bad : new int[] {99, 0}) {
                        for (int k = 0; k < n; k++) {
                            from.set(k, 1000 * k);
                            out.set(k, -7);
                            places.set(k, k == wrong ? bad : k % 5 == 0 ? -1 : k);
                        }
                        long[] record = program.run(source, code, variant, values, range);
                        boolean fails = wrong >= 0 && (bad == 99 || wrong % 2 == 1); // or divides by zero
                        assertThat(record[0] & 1).isEqualTo(fails ? 1 : 0);
                        if (fails) assertThat(record[2]).isEqualTo(wrong);
                        for (int k = 0; k < n; k++) {
                            int place = places.get(k);
                            boolean skipped = place < 0 || (k == wrong && fails);
                            assertThat(out.get(k)).isEqualTo(skipped ? -7 : 1000 * place / (place + 1 - k % 2));
                        }
                    }
            }
            assertThat(scope).isNotNull();
        }
    }

    /** What the last condition computes fits 32 bits where the first one holds. */
    static void guarded(WorkItem at, Ints out, Longs wide) {
        long x = at.x();
        if (x < 40 && x * 50_000_000 < out.length() * 1_000_000_000L) out.set(x, 1);
        wide.set(x, (x - 7) << 3);
    }

    @Test
    void whatIsComputedBeforeItIsNeededOverflowsNowhere() throws Exception {
        KernelCode code = Samples.code(GeneratedCTest.class, "guarded");
        Range range = new Range(1, 1, 1, 100);
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(100);
            Longs wide = Longs.of(Memory.bytes(800), 100);
            Object[] values = {out, wide};
            Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
            Variant variant = withOneThread(LaunchVariant.of(code, reach, values, range, false));
            KernelSource source = KernelSource.of(Dialect.OPENCL, code, variant);
            assertThat(source.text()).contains(" | ", "(u32) v2 * (u32) (i64) (50000000)");
            try (CProgram program = CProgram.compile(folder, List.of(source), text -> text)) {
                assertThat(program.run(source, code, variant, values, range)).containsOnly(0);
                assertThat(program.overflows()).isZero();
            }
            for (int k = 0; k < 100; k++) {
                assertThat(out.get(k)).isEqualTo(k < 40 ? 1 : 0);
                assertThat(wide.get(k)).isEqualTo((k - 7) << 3);
            }
            assertThat(scope).isNotNull();
        }
    }

    static void neighbours(WorkItem at, Ints out, Ints in, Ints begin) {
        long i = (begin.get(0) & 1023) - 500 + at.x();
        if (i != 5) out.set(i, in.get(i - 2) + in.get(i + 1));
    }

    @Test
    void ofIndicesNearEachOtherTheLeastSpeaksForAll() throws Exception {
        KernelCode code = Samples.code(GeneratedCTest.class, "neighbours");
        Range range = new Range(1, 1, 1, 4);
        try (Scope scope = Scope.open()) {
            Object[] values = {Memory.ints(9), Memory.ints(11), Memory.ints(1)};
            Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
            List<Variant> variants =
                    List.of(Variant.checked(code), withOneThread(LaunchVariant.of(code, reach, values, range, true)));
            for (Variant variant : variants) {
                KernelSource source = KernelSource.of(Dialect.OPENCL, code, variant);
                assertThat(neighboursAreWrong(source, code, variant, text -> text))
                        .isFalse();
                for (String array : List.of("in_1", "out_0"))
                    assertThat(neighboursAreWrong(
                                    source,
                                    code,
                                    variant,
                                    text -> text.replaceAll("(room.*?\\) " + array + "_shape.flat, )", "$10 * ")))
                            .as("with more room in %s", array)
                            .isTrue();
            }
            assertThat(scope).isNotNull();
        }
    }

    /** Whether a program stores, or fails, otherwise than Java for any place of the first item. */
    private boolean neighboursAreWrong(
            KernelSource source, KernelCode code, Variant variant, UnaryOperator<String> change) throws Exception {
        try (CProgram program = CProgram.compile(folder, List.of(source), change)) {
            for (int first = -8; first < 16; first++)
                for (int length : new int[] {9, 11})
                    try (Scope scope = Scope.open()) {
                        assertThat(scope).isNotNull();
                        Ints out = Memory.ints(20 - length);
                        Ints in = Memory.ints(length);
                        for (int k = 0; k < length; k++) in.set(k, 1 << k);
                        Ints begin = Memory.ints(1);
                        begin.set(0, first + 500);
                        Object[] values = {out, in, begin};
                        long[] record = program.run(source, code, variant, values, new Range(1, 1, 1, 4));
                        boolean fails = false;
                        int[] expected = new int[20 - length];
                        for (int i = first; i < first + 4; i++) {
                            if (i == 5) continue;
                            boolean well = i >= 2 && i + 1 < length && i < expected.length;
                            fails |= !well;
                            if (well) expected[i] = (1 << (i - 2)) + (1 << (i + 1));
                        }
                        if ((record[0] & 1) != (fails ? 1 : 0)) return true;
                        for (int k = 0; k < expected.length; k++) if (out.get(k) != expected[k]) return true;
                    }
        }
        return false;
    }

    static void inTurn(WorkItem at, Ints out, Longs wide, Ints in, Ints places) {
        long a = places.get(3 * at.x());
        int b = places.get(3 * at.x() + 1);
        int c = places.get(3 * at.x() + 2);
        out.set(a, 5);
        wide.set(b, a + 1, in.get(c) / b);
        out.set(a + b, in.get(a) % c);
    }

    @Test
    void whatIsTestedTogetherFailsAtTheFirstFailureAndKeepsWhatCameBefore() throws Exception {
        KernelCode code = Samples.code(GeneratedCTest.class, "inTurn");
        KernelSource source = KernelSource.of(Dialect.OPENCL, code, Variant.checked(code));
        assertThat(source.text()).contains(" | (");
        Range range = new Range(1, 1, 1, 1);
        Kernel kernel = Kernel.of(MethodHandles.lookup(), GeneratedCTest.class, "inTurn");
        try (CProgram program = CProgram.compile(folder, List.of(source), text -> text);
                Scope scope = Scope.open()) {
            for (int number = 0; number < 5 * 5 * 5; number++) {
                Object[] values = {
                    Memory.ints(4), Longs.of(Memory.bytes(8 * 4 * 4), 4, 4), Memory.ints(4), Memory.ints(3)
                };
                for (int k = 0; k < 3; k++)
                    ((Ints) values[3]).set(k, new int[] {-1, 0, 1, 3, 4}[number / new int[] {1, 5, 25}[k] % 5]);
                byte[] before = RandomArguments.bytes(values);
                boolean fails = false;
                try {
                    kernel.implementation().loop().run(kernel.body(), values, range, 0, 1);
                } catch (ItemFailure e) {
                    fails = true;
                    assertThat(e).hasNoSuppressedExceptions();
                }
                byte[] expected = RandomArguments.results(values);
                RandomArguments.restore(values, before);
                long[] record = program.run(source, code, Variant.checked(code), values, range);
                assertThat(record[0] & 1).isEqualTo(fails ? 1 : 0);
                assertThat(RandomArguments.results(values)).isEqualTo(expected);
            }
            assertThat(scope).isNotNull();
        }
    }
}
