package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.reach.AccessReach;
import io.penstock.kernel.reach.IndexRange;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReachTest {
    private static final SplittableRandom FIXED = new SplittableRandom(5);

    /** The indices that each access of a launch really has; an item that fails ends the launch. */
    private static Map<Value, Set<List<Long>>> touched(
            KernelCode code, Object[] values, Range range, boolean[] failed) {
        Map<Value, Set<List<Long>>> touched = new HashMap<>();
        try {
            new Interpreter(
                            code,
                            values,
                            range,
                            (access, parameter, write, index) -> touched.computeIfAbsent(access, a -> new HashSet<>())
                                    .add(Arrays.stream(index).boxed().toList()))
                    .groups(0, range.groups());
        } catch (ItemFailure e) {
            assertThat(e.thrown()).isInstanceOf(IndexOutOfBoundsException.class);
            failed[0] = true;
        }
        return touched;
    }

    private static Reach.Result covering(KernelCode code, Object[] values, Range range) {
        Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
        boolean[] failed = new boolean[1];
        Map<Value, Set<List<Long>>> touched = touched(code, values, range, failed);
        assertThat(failed[0] && reach.inside())
                .as("an access fails that was proved")
                .isFalse();
        Map<Value, AccessReach> found = new HashMap<>();
        for (AccessReach access : reach.accesses()) found.put(access.access(), access);
        touched.forEach((access, indices) -> {
            assertThat(found).as("reached accesses of %s", code).containsKey(access);
            List<IndexRange> ranges = Objects.requireNonNull(found.get(access)).indices();
            for (List<Long> index : indices)
                for (int k = 0; k < ranges.size(); k++)
                    assertThat(ranges.get(k).contains(index.get(k)))
                            .as("%s in %s of %s", index, ranges, code)
                            .isTrue();
        });
        return reach;
    }

    private static Reach.Result exact(String sample, Range range, Object... values) {
        KernelCode code = Samples.code(sample);
        Reach.Result reach = covering(code, values, range);
        assertThat(reach.inside()).as("all accesses of %s proved", sample).isTrue();
        Map<Value, Set<List<Long>>> touched = touched(code, values, range, new boolean[1]);
        assertThat(reach.accesses()).hasSize(touched.size());
        for (AccessReach access : reach.accesses())
            for (int k = 0; k < access.indices().size(); k++) {
                int dimension = k;
                Set<Long> real = new HashSet<>();
                Objects.requireNonNull(touched.get(access.access())).forEach(index -> real.add(index.get(dimension)));
                IndexRange found = access.indices().get(k);
                Set<Long> said = new HashSet<>();
                for (long i = found.first(); i <= found.last(); i += found.step()) said.add(i);
                assertThat(said).as("dimension %d of %s", k, access).isEqualTo(real);
            }
        return reach;
    }

    @Test
    void theReachOfUsualKernelsIsExact() {
        try (Scope scope = Scope.open()) {
            Floats matrix = Memory.floats(7, 9);
            Floats other = Memory.floats(7, 9);
            exact("copyColumn", new Range(1, 1, 1, 7), matrix, other, 4);
            exact("laplacian", new Range(2, 1, 7, 9), matrix, other, 0.5f);
            exact("laplacian", new Range(2, 1, 3, 3), matrix, other, 0.5f);
            exact("axpy", new Range(1, 1, 1, 63), matrix, other, 2f);
            exact("clampedStencil", new Range(1, 1, 1, 6), Memory.doubles(6), Memory.doubles(6));
            exact("rowSums", new Range(1, 1, 1, 7), Memory.doubles(7), Memory.doubles(7, 9));
            exact("rowSums", new Range(1, 1, 1, 7), Memory.doubles(7), Memory.doubles(7, 1));
            exact("matrixVector", new Range(1, 1, 1, 7), Memory.floats(7), matrix, Memory.floats(9));
            exact("triangle", new Range(1, 1, 1, 5), Memory.ints(8), Memory.ints(8));
            exact("everyThird", new Range(1, 1, 1, 5), Memory.ints(15));
            exact("strided", new Range(1, 1, 1, 4), Memory.ints(11), 10);
            exact("flattened", new Range(1, 1, 1, 63), Memory.floats(9, 7), matrix);
            exact("mandelbrot", new Range(2, 1, 4, 5), Memory.ints(4, 5), 0.5f, 9);
            assertThat(scope).isNotNull();
        }
    }

    /** A loop with several ways back to its beginning, of which the first in the code is taken a few times only. */
    static void skipping(WorkItem at, Ints out, Ints in, int n) {
        int i = 0;
        int sum = 0;
        while (true) {
            if (i >= 5) {
                if (i >= n) break;
                sum += in.get(i);
                i++;
                continue;
            }
            i++;
        }
        out.set(at.x(), sum);
    }

    @Test
    void aLoopGoesRoundAsOftenAsAnyOfItsWaysBackLets() {
        KernelCode code = Samples.code(ReachTest.class, "skipping");
        try (Scope scope = Scope.open()) {
            assertThat(scope).isNotNull();
            Range three = new Range(1, 1, 1, 3);
            assertThat(covering(code, new Object[] {Memory.ints(3), Memory.ints(8), 8}, three)
                            .inside())
                    .isTrue();
            assertThat(covering(code, new Object[] {Memory.ints(3), Memory.ints(8), 12}, three)
                            .inside())
                    .isFalse();
        }
    }

    @Test
    void aColumnIsAllThatItsCopyTouches() {
        try (Scope scope = Scope.open()) {
            Reach.Result reach =
                    exact("copyColumn", new Range(1, 1, 1, 7), Memory.floats(7, 9), Memory.floats(7, 9), 4);
            assertThat(reach.accesses()).extracting(AccessReach::writes).containsExactly(false, true);
            for (AccessReach access : reach.accesses())
                assertThat(access.indices()).containsExactly(new IndexRange(0, 6, 1), new IndexRange(4, 4, 1));
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void aGuardedGatherIsInsideWhateverTheIndicesAre() {
        try (Scope scope = Scope.open()) {
            Reach.Result reach = covering(
                    Samples.code("gather"),
                    new Object[] {Memory.floats(8), Memory.floats(5), Ints.of(RandomArguments.ints(FIXED, 8), 8)},
                    new Range(1, 1, 1, 8));
            assertThat(reach.inside()).isTrue();
            assertThat(scope).isNotNull();
        }
    }

    static void indexedByData(WorkItem at, Ints out, Ints index) {
        out.set(index.get(at.x()), 1);
    }

    static void wrapsAround(WorkItem at, Ints out, int start) {
        for (int i = start; i != 3; i++) out.set(i & 7, i);
    }

    static void mayWrap(WorkItem at, Ints out, int last) {
        for (int i = Integer.MAX_VALUE - 2; i <= last; i++) {
            if (i < 0) break;
            out.set((i + at.x()) & 1, i);
        }
    }

    @Test
    void doesNotProveWhatNeedNotHold() {
        try (Scope scope = Scope.open()) {
            KernelCode indexed = Samples.code(ReachTest.class, "indexedByData");
            Ints index = Memory.ints(4);
            index.set(2, 9);
            assertThat(covering(indexed, new Object[] {Memory.ints(4), index}, new Range(1, 1, 1, 4))
                            .inside())
                    .isFalse();
            KernelCode over = Samples.code("axpy");
            Object[] short1 = {Memory.floats(4), Memory.floats(5), 1f};
            assertThat(covering(over, short1, new Range(1, 1, 1, 5)).inside()).isFalse();
            assertThat(covering(over, short1, new Range(1, 1, 1, 4)).inside()).isTrue();
            covering(
                    Samples.code(ReachTest.class, "wrapsAround"),
                    new Object[] {Memory.ints(8), -5},
                    new Range(1, 1, 1, 1));
            covering(
                    Samples.code(ReachTest.class, "mayWrap"),
                    new Object[] {Memory.ints(8), Integer.MAX_VALUE},
                    new Range(1, 1, 1, 1));
            assertThat(scope).isNotNull();
        }
    }

    static void beginsAtTheEnd(WorkItem at, Longs out, long most) {
        long k = Long.MAX_VALUE;
        do {
            out.set(k & 7, k);
            k += most;
        } while (k > most);
    }

    @Test
    void whatLeavesTheLongsIsNotKnown() {
        try (Scope scope = Scope.open()) {
            for (long most : new long[] {1, 1L << 40, Long.MAX_VALUE})
                covering(
                        Samples.code(ReachTest.class, "beginsAtTheEnd"),
                        new Object[] {Memory.longs(8), most},
                        new Range(1, 1, 1, 1));
            assertThat(scope).isNotNull();
        }
    }

    static void halves(WorkItem at, Ints out) {
        for (int half = 64; half > 0; half /= 2) if (at.x() < half) out.set(at.x() + half, half);
    }

    static void doubles(WorkItem at, Ints out) {
        for (int reach = 1; reach < 128; reach *= 2) if (at.x() >= reach) out.set(at.x() - reach, reach);
    }

    static void swings(WorkItem at, Ints out) {
        int k = 3;
        for (int round = 0; round < 5; round++) {
            out.set(k & 127, round);
            k = -2 * k;
        }
        for (int from = 127, to = 5; from != to; from = to, to = 5) out.set(from, to);
    }

    @Test
    void variablesThatAreHalvedOrDoubledStayWithinBounds() {
        try (Scope scope = Scope.open()) {
            for (String kernel : List.of("halves", "doubles", "swings")) {
                KernelCode code = Samples.code(ReachTest.class, kernel);
                Reach.Result reach = covering(code, new Object[] {Memory.ints(128)}, new Range(1, 1, 1, 128));
                assertThat(reach.inside()).as(kernel).isTrue();
            }
            KernelCode halves = Samples.code(ReachTest.class, "halves");
            assertThat(covering(halves, new Object[] {Memory.ints(127)}, new Range(1, 1, 1, 64))
                            .inside())
                    .isFalse();
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void theReachOfRandomKernelsCoversEveryAccess(@TempDir Path folder) throws Exception {
        int kernels = 100;
        SplittableRandom program = new SplittableRandom(Long.getLong("penstock.program", 7));
        try (URLClassLoader loader = RandomKernels.compile(folder, program, kernels)) {
            Class<?> owner = loader.loadClass("RandomProgram");
            int[] proved = new int[1];
            for (int k = 0; k < kernels; k++) {
                KernelCode code = Samples.code(owner, "k" + k);
                Seeded.cases(3, random -> {
                    try (Scope scope = Scope.open()) {
                        int items = 1 + random.nextInt(9);
                        Object[] values = RandomArguments.ofRandomKernel(random, items);
                        if (covering(code, values, new Range(1, 1, 1, items)).inside()) proved[0]++;
                        assertThat(scope).isNotNull();
                    }
                });
            }
            assertThat(proved[0]).as("launches proved").isGreaterThan(kernels * 3 / 2);
        }
    }
}
