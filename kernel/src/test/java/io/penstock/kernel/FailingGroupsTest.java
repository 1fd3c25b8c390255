package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In kernels with barriers an item that fails in a loop stores nothing more, is told by its first failure, and disturbs nobody. */
class FailingGroupsTest {
    private static final int UNTOUCHED = -7;
    private static final int STEP = 5;
    private static final int LIMIT = 90;

    static List<Device> devices() {
        return OnDevice.all();
    }

    /** How often the loop goes round depends on the item only; what it reads next, on what it has read. */
    static void gathers(WorkItem at, Ints out, Ints in, Ints table, Longs begin) {
        Ints shared = at.localInts(64);
        long b = begin.get(0);
        int own = 0;
        for (long k = at.x(); k < in.length(); k += STEP) own += table.get(in.get(k + b));
        shared.set(at.localX(), own);
        at.barrier();
        int all = own;
        for (int r = 0; r < 3; r++) all += in.get(at.x() + r + b) * shared.get(at.localX());
        out.set(at.x(), all);
    }

    /** Where the loop ends depends on what is read. */
    static void searches(WorkItem at, Ints out, Ints in, Ints table, Longs begin) {
        Ints shared = at.localInts(64);
        long b = begin.get(0);
        int k = (int) at.x();
        if ((at.x() & 1) == 1) while (in.get(k + b) < LIMIT) k++;
        shared.set(at.localX(), k);
        at.barrier();
        int found = shared.get(at.localX());
        at.barrier();
        if (found % 3 == 0) found += table.get(in.get(found));
        out.set(at.x(), found);
    }

    /** Where the loops go depends on the item and on numbers, of one of them on the group alone, so that a test before each may do. */
    static void sums(WorkItem at, Ints out, Ints in, Ints table, Longs begin) {
        Ints shared = at.localInts(64);
        long b = begin.get(0);
        int own = 0;
        for (long k = at.x(); k < in.length(); k += STEP) own += in.get(k + b);
        for (int r = 0; r < 3; r++) own += 3 * table.get(at.x() - r + b);
        shared.set(at.localX(), own);
        at.barrier();
        int all = shared.get(at.localX());
        for (int r = 6; r > 0; r -= 2) all -= in.get(at.x() % 7 + r + b) * shared.get(at.localX());
        out.set(at.x(), all);
    }

    /** What an item throws has made sure of what others load. */
    static void throwsFirst(WorkItem at, Ints out, Ints in, Longs by) {
        Ints shared = at.localInts(64);
        long k = at.x() * by.get(0);
        assert k >= 0;
        if (k >= in.length()) throw new IllegalArgumentException("no element " + k);
        shared.set(at.localX(), in.get(k));
        at.barrier();
        out.set(at.x(), shared.get(at.localX()));
    }

    /** What any item throws has made sure of what all load. */
    static void throwsBeforeAll(WorkItem at, Ints out, Ints in, Longs by) {
        Ints shared = at.localInts(64);
        long k = by.get(0);
        if (k < 0) throw new IllegalArgumentException("no element " + k);
        if (at.x() + k >= in.length()) throw new IllegalArgumentException("no element " + (at.x() + k));
        shared.set(at.localX(), in.get(k));
        at.barrier();
        out.set(at.x(), shared.get(at.localX()));
    }

    /** Goes on for ever where the whole group fails first. */
    static void steps(WorkItem at, Ints out, Ints in, Longs by) {
        Ints shared = at.localInts(64);
        long step = in.length() / by.get(0);
        int sum = 0;
        for (long k = 0; k < in.length(); k += step) {
            shared.set(at.localX(), in.get(k));
            at.barrier();
            sum += shared.get(0);
            at.barrier();
        }
        out.set(at.x(), sum);
    }

    /** A loop that ends by failing only, if the number of elements is odd. */
    static void passesTheEnd(WorkItem at, Ints out, Ints in, Longs by) {
        Ints shared = at.localInts(64);
        shared.set(at.localX(), 0);
        at.barrier();
        int sum = shared.get(at.localX());
        for (long k = 2 * at.x(); k != in.length(); k += 2) sum += in.get(k);
        out.set(at.x(), sum + (int) by.get(0));
    }

    /** The whole group comes to a barrier and then fails, or does neither. */
    static void failsBehindABarrier(WorkItem at, Ints out, Ints in, Longs by) {
        Ints shared = at.localInts(64);
        shared.set(at.localX(), in.get(at.x()));
        if (by.get(0) > 2) {
            at.barrier();
            int other = shared.get(0);
            if (other > 5) out.set(at.x(), other);
            at.barrier();
            throw new IllegalStateException("element " + shared.get(0));
        }
        at.barrier();
        out.set(at.x(), shared.get(at.localX()));
    }

    /** What each of four items stores; one that fails stores nothing. */
    private record Sample(Kernel kernel, long by, String failure, List<Integer> expected) {}

    private static List<Sample> samples() {
        List<Integer> none = List.of(UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED);
        List<Integer> one = List.of(10, UNTOUCHED, UNTOUCHED, UNTOUCHED);
        Kernel throwsFirst = Kernel.of(FailingGroupsTest::throwsFirst);
        Kernel throwsBeforeAll = Kernel.of(FailingGroupsTest::throwsBeforeAll);
        return List.of(
                new Sample(throwsFirst, 3, "no element 9", List.of(10, 13, 16, UNTOUCHED)),
                new Sample(throwsFirst, 1L << 40, "no element", one),
                new Sample(throwsFirst, -1, "Assertion", one),
                new Sample(throwsBeforeAll, 6, "no element 9", List.of(16, 16, 16, UNTOUCHED)),
                new Sample(throwsBeforeAll, 1L << 40, "no element", none),
                new Sample(throwsBeforeAll, -1, "no element", none),
                new Sample(Kernel.of(FailingGroupsTest::steps), 3, "", List.of(39, 39, 39, 39)),
                new Sample(Kernel.of(FailingGroupsTest::steps), 0, "/ by zero", none),
                new Sample(Kernel.of(FailingGroupsTest::passesTheEnd), 0, "index", none),
                new Sample(Kernel.of(FailingGroupsTest::failsBehindABarrier), 2, "", List.of(10, 11, 12, 13)),
                new Sample(
                        Kernel.of(FailingGroupsTest::failsBehindABarrier), 3, "element 10", List.of(10, 10, 10, 10)));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void whoFailsByAConditionGoesNoFurtherAndHoldsNobodyUp(Device device) {
        int[] in = {10, 11, 12, 13, 14, 15, 16, 17, 18};
        for (Sample sample : samples())
            try (Scope _ = Scope.open()) {
                Ints out = ints(4, UNTOUCHED);
                RangedKernel kernel = sample.kernel.over(4).groups(4);
                KernelException failure = catchThrowableOfType(
                        KernelException.class, () -> OnDevice.run(device, kernel, out, ints(in), longs(sample.by)));
                assertThat(failure == null ? "" : String.valueOf(failure.getMessage()))
                        .as("%s by %d", kernel, sample.by)
                        .contains(sample.failure);
                if (failure != null && OnDevice.isJvm(device)) continue;
                for (int x = 0; x < 4; x++)
                    assertThat(out.get(x))
                            .as("%s by %d, item %d", kernel, sample.by, x)
                            .isEqualTo(sample.expected.get(x));
            }
    }

    private record Outcome(int value, @Nullable String failure) {}

    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Failed(String message) {
            super(message);
        }
    }

    private static int at(String name, int[] array, long index) {
        if (index < 0 || index >= array.length) throw new Failed("array " + name + ": index " + index + " ");
        return array[(int) index];
    }

    private static int gathered(int[] in, int[] table, long b, int x) {
        int own = 0;
        for (long k = x; k < in.length; k += STEP) own += at("table", table, at("in", in, k + b));
        int all = own;
        for (int r = 0; r < 3; r++) all += at("in", in, x + r + b) * own;
        return all;
    }

    private static int searched(int[] in, int[] table, long b, int x) {
        int k = x;
        if ((x & 1) == 1) while (at("in", in, k + b) < LIMIT) k++;
        return k % 3 == 0 ? k + at("table", table, at("in", in, k)) : k;
    }

    private static int summed(int[] in, int[] table, long b, int x) {
        int own = 0;
        for (long k = x; k < in.length; k += STEP) own += at("in", in, k + b);
        for (int r = 0; r < 3; r++) own += 3 * at("table", table, x - r + b);
        int all = own;
        for (int r = 6; r > 0; r -= 2) all -= at("in", in, x % 7 + r + b) * own;
        return all;
    }

    /** What an item does. */
    private interface Item {
        int apply(int[] in, int[] table, long b, int x);
    }

    private record Loops(Kernel kernel, Item item) {}

    private static final List<Loops> LOOPS = List.of(
            new Loops(Kernel.of(FailingGroupsTest::gathers), FailingGroupsTest::gathered),
            new Loops(Kernel.of(FailingGroupsTest::searches), FailingGroupsTest::searched),
            new Loops(Kernel.of(FailingGroupsTest::sums), FailingGroupsTest::summed));

    private static Outcome outcome(Item item, int[] in, int[] table, long b, int x) {
        try {
            return new Outcome(item.apply(in, table, b, x), null);
        } catch (Failed e) {
            return new Outcome(UNTOUCHED, e.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void failuresInLoopsConcernTheirItemsOnly(Device device) {
        Seeded.cases(60, random -> check(device, random));
    }

    private static void check(Device device, SplittableRandom random) {
        Loops loops = LOOPS.get(random.nextInt(LOOPS.size()));
        int group = 1 << (2 + random.nextInt(4));
        int items = random.nextBoolean() ? group * (1 + random.nextInt(4)) : 1 + random.nextInt(150);
        int[] table = random.ints(100, -50, 50).toArray();
        // Mostly places in the table, and sometimes none.
        int[] in = random.ints(items + random.nextInt(40), 0, random.nextBoolean() ? 100 : 102)
                .toArray();
        long b = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(-3, 4);
        try (Scope _ = Scope.open()) {
            Ints out = ints(items, UNTOUCHED);
            KernelException failure = catchThrowableOfType(
                    KernelException.class,
                    () -> OnDevice.run(
                            device, loops.kernel.over(items).groups(group), out, ints(in), ints(table), longs(b)));
            Outcome[] expected = new Outcome[items];
            boolean fails = false;
            for (int x = 0; x < items; x++) {
                expected[x] = outcome(loops.item, in, table, b, x);
                fails |= expected[x].failure() != null;
            }
            assertThat(failure != null).isEqualTo(fails);
            if (failure != null)
                assertThat(failure.getMessage() + " ").contains(String.valueOf(expected[(int) failure.x()].failure()));
            // On the JVM the first failure ends the launch.
            if (failure == null || !OnDevice.isJvm(device))
                for (int x = 0; x < items; x++) assertThat(out.get(x)).isEqualTo(expected[x].value());
        }
    }

    private static Ints ints(int n, int value) {
        Ints ints = Memory.ints(n);
        for (int k = 0; k < n; k++) ints.set(k, value);
        return ints;
    }

    private static Ints ints(int[] values) {
        Ints ints = Memory.ints(values.length);
        for (int k = 0; k < values.length; k++) ints.set(k, values[k]);
        return ints;
    }

    private static Longs longs(long value) {
        Longs longs = Memory.longs(1);
        longs.set(0, value);
        return longs;
    }
}
