package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What groups, atomics, records and exceptions do, on all devices. */
class LanguageTest {
    private static List<Device> devices() {
        return OnDevice.all();
    }

    private static Ints ints(long... values) {
        Ints ints = Memory.ints(values.length);
        for (int k = 0; k < values.length; k++) ints.set(k, (int) values[k]);
        return ints;
    }

    @ParameterizedTest
    @MethodSource("devices")
    void groupsReverseTheirItems(Device device) {
        Seeded.cases(20, random -> {
            try (Scope scope = Scope.open()) {
                int n = 1 + random.nextInt(40);
                int group = 1 + random.nextInt(12);
                Ints in = Ints.of(RandomArguments.ints(random, n), n);
                Ints out = Memory.ints(n);
                OnDevice.run(device, Kernel.of(GroupKernels::reverse).over(n).groups(group), out, in);
                for (int k = 0; k < n; k++) {
                    int begin = k / group * group;
                    int end = Math.min(begin + group, n) - 1;
                    assertThat(out.get(k)).isEqualTo(in.get(begin + end - k));
                }
                assertThat(scope).isNotNull();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("devices")
    void groupsAddUpTheirItemsInATree(Device device) {
        try (Scope scope = Scope.open()) {
            for (int n = 1; n < 35; n++) {
                Doubles in = Memory.doubles(n);
                for (int k = 0; k < n; k++) in.set(k, k + 1);
                Doubles out = Memory.doubles((n + 15) / 16);
                OnDevice.run(device, Kernel.of(GroupKernels::sums).over(n).groups(16), out, in);
                double total = 0;
                for (long k = 0; k < out.length(); k++) total += out.get(k);
                assertThat(total).isEqualTo(n * (n + 1) / 2.0);
            }
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void sharedMatricesAndDataThatAllItemsSee(Device device) {
        try (Scope scope = Scope.open()) {
            Floats in = Memory.floats(5, 7);
            Floats out = Memory.floats(7, 5);
            for (int k = 0; k < 35; k++) in.set(k, k);
            OnDevice.run(device, Kernel.of(GroupKernels::transpose).over(5, 7).groups(2, 4), out, in);
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 7; j++) assertThat(out.get(j, i)).isEqualTo(in.get(i, j));
            Ints ends = Memory.ints(5);
            OnDevice.run(device, Kernel.of(GroupKernels::untilDone).over(5).groups(2), ends, ints(3, 0, 6));
            assertThat(new int[] {ends.get(0), ends.get(2), ends.get(4)}).containsExactly(3, 0, 6);
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void atomicChangesOfAllItemsCount(Device device) {
        try (Scope scope = Scope.open()) {
            Ints in = Memory.ints(10000);
            for (int k = 0; k < 10000; k++) in.set(k, 3 * k - 500);
            Ints counts = ints(0, 0, 0, 0, 0, -1, 0, 0);
            Longs wide = Longs.of(Memory.bytes(64), 2, 4);
            OnDevice.run(device, Kernel.of(GroupKernels::histogram).over(10000), counts, wide, in);
            long[] sums = new long[4];
            int[] expected = {0, 0, 0, 0, 0, -1, 0, 0};
            long xor = 0;
            for (int k = 0; k < 10000; k++) {
                int v = in.get(k);
                expected[v & 3]++;
                sums[v & 3] += v;
                xor ^= v;
                expected[4] |= 1 << (v & 31);
                expected[5] &= ~(1 << (v & 31));
            }
            expected[6] = -500;
            expected[7] = 3 * 9999 - 500;
            for (int k = 0; k < 8; k++)
                assertThat(counts.get(k)).as("count %d", k).isEqualTo(expected[k]);
            for (int k = 0; k < 4; k++) assertThat(wide.get(0, k)).isEqualTo(sums[k]);
            assertThat(wide.get(1, 0)).isEqualTo(-500);
            assertThat(wide.get(1, 1)).isEqualTo(expected[7]);
            assertThat(wide.get(1, 2)).isEqualTo(xor);
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void comparesAndSets() {
        try (Scope scope = Scope.open()) {
            Ints one = ints(5, 6);
            assertThat(one.atomicCompareAndSet(0, 5, 9)).isTrue();
            assertThat(one.atomicCompareAndSet(0, 5, 1)).isFalse();
            assertThat(one.atomicCompareExchange(1, 6, 2)).isEqualTo(6);
            assertThat(one.atomicExchange(0, 4)).isEqualTo(9);
            Floats some = Memory.floats(2);
            some.set(0, 1.5f);
            assertThat(some.atomicAdd(0, 2)).isEqualTo(1.5f);
            assertThat(some.atomicMin(0, -0f)).isEqualTo(3.5f);
            assertThat(some.atomicMax(0, 0f)).isEqualTo(-0f);
            assertThat(some.atomicMin(0, Float.NaN)).isEqualTo(0f);
            assertThat(some.get(0)).isNaN();
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void anItemsOwnArraysOutliveBarriers(Device device) {
        Seeded.cases(5, random -> {
            try (Scope scope = Scope.open()) {
                int n = 1 + random.nextInt(20);
                Ints in = Ints.of(RandomArguments.ints(random, n), n);
                Ints out = Memory.ints(n);
                OnDevice.run(device, Kernel.of(GroupKernels::privates).over(n).groups(7), out, in);
                for (int i = 0; i < n; i++) {
                    int[] kept = new int[8];
                    for (int k = 0; k < 64; k++) kept[in.get((i + k) % n) & 7] += k;
                    int total = (byte) 300;
                    for (int k = 0; k < 8; k++) total = total * 31 + kept[k];
                    assertThat(out.get(i)).isEqualTo(total);
                }
                assertThat(scope).isNotNull();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("devices")
    void itemsKnowTheirGroups(Device device) {
        try (Scope scope = Scope.open()) {
            Longs out = Longs.of(Memory.bytes(8 * 5 * 3 * 4), 5, 3, 4);
            Longs again = Longs.of(Memory.bytes(8 * 5 * 3 * 4), 5, 3, 4);
            OnDevice.run(device, Kernel.of(GroupKernels::ids).over(5, 3, 4).groups(2, 2, 3), out);
            assertThat(out.get(4, 2, 3)).isEqualTo(322_211_000L);
            assertThat(out.get(3, 1, 2)).isEqualTo(322_100_112L);
            Interpreter.run(
                    Samples.code(GroupKernels.class, "ids"),
                    new Object[] {again},
                    new Range(3, 5, 3, 4, new GroupShape(true, 2, 2, 3)));
            assertThat(RandomArguments.bytes(new Object[] {again}))
                    .isEqualTo(RandomArguments.bytes(new Object[] {out}));
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void recordsAreValues(Device device) {
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(20, 30);
            Ints again = Memory.ints(20, 30);
            OnDevice.run(device, Kernel.of(GroupKernels::mandelbrot).over(20, 30), out, 0.1, 50);
            Interpreter.run(
                    Samples.code(GroupKernels.class, "mandelbrot"),
                    new Object[] {again, 0.1, 50},
                    new Range(2, 1, 20, 30));
            assertThat(RandomArguments.bytes(new Object[] {again}))
                    .isEqualTo(RandomArguments.bytes(new Object[] {out}));
            assertThat(out.get(10, 20)).isEqualTo(50);
            assertThat(scope).isNotNull();
        }
    }

    private record Frame(GroupKernels.Complex corner, double step, int most) {}

    private static void framed(WorkItem at, Ints out, Frame frame, int more) {
        GroupKernels.Complex c =
                frame.corner().plus(new GroupKernels.Complex(at.x() * frame.step(), at.y() * frame.step()));
        GroupKernels.Complex z = new GroupKernels.Complex(0, 0);
        int n = 0;
        while (n < frame.most() + more && z.size() < 4) {
            z = z.times(z).plus(c);
            n++;
        }
        out.set(at.y(), at.x(), n);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void recordsAreArguments(Device device) {
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(20, 30);
            Ints again = Memory.ints(20, 30);
            Frame frame = new Frame(new GroupKernels.Complex(-2, -1), 0.1, 47);
            Kernel framed = Kernel.of(LanguageTest::framed);
            OnDevice.run(device, framed.over(20, 30), out, frame, 3);
            OnDevice.run(device, Kernel.of(GroupKernels::mandelbrot).over(20, 30), again, 0.1, 50);
            assertThat(RandomArguments.bytes(new Object[] {out}))
                    .isEqualTo(RandomArguments.bytes(new Object[] {again}));
            framed.over(20, 30).prepare(again, frame, 3).launch();
            assertThat(RandomArguments.bytes(new Object[] {out}))
                    .isEqualTo(RandomArguments.bytes(new Object[] {again}));
            assertThatThrownBy(() -> framed.over(1, 1).launch(out, 3, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "argument 2 (frame) of kernel LanguageTest.framed is 3, a Integer; expected Frame");
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void lambdasCaptureRecords(Device device) {
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(20, 30);
            Ints again = Memory.ints(20, 30);
            OnDevice.run(device, Kernel.of(GroupKernels::mandelbrot).over(20, 30), again, 0.1, 50);
            for (int more = 2; more < 5; more++) {
                int least = more;
                Frame frame = new Frame(new GroupKernels.Complex(-2, -1), 0.1, 50 - more);
                OnDevice.run(
                        device,
                        Kernel.of((WorkItem at, Ints to, Integer none) -> framed(at, to, frame, least + none))
                                .over(20, 30),
                        out,
                        0);
                assertThat(RandomArguments.bytes(new Object[] {out}))
                        .isEqualTo(RandomArguments.bytes(new Object[] {again}));
            }
            Frame frame = new Frame(new GroupKernels.Complex(-2, -1), 0.1, 47);
            RangedKernel wrong = Kernel.of((WorkItem at, Ints to) -> to.set(frame.most() + at.x(), 1))
                    .over(3);
            Ints few = Memory.ints(2);
            assertThatThrownBy(() -> OnDevice.run(device, wrong, few))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("array to: index 4");
            assertThatThrownBy(() -> OnDevice.run(device, wrong, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("argument 1 (to) of kernel");
            assertThat(scope).isNotNull();
        }
    }

    private record Sorted(int least, int most) {
        Sorted {
            least = least - 1;
        }
    }

    private static void shows(WorkItem at, Ints out, Sorted range) {
        out.set(at.x(), range.least() + range.most());
    }

    @Test
    void recordsThatChangeInTheirConstructorsAreRefused() {
        try (Scope scope = Scope.open()) {
            assertThatThrownBy(() -> Kernel.of(LanguageTest::shows).over(1).launch(ints(0), new Sorted(1, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "Sorted makes Sorted[least=-1, most=2] of the numbers of Sorted[least=0, most=2]");
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void exceptionsKeepTheirTextsWhenTranslated() {
        try (Scope scope = Scope.open()) {
            Object[] values = {Memory.ints(4), ints(1, 2, 9, 3), 5};
            var code = Samples.code(GroupKernels.class, "throwing");
            assertThatThrownBy(() -> Interpreter.run(code, values, new Range(1, 1, 1, 4)))
                    .isInstanceOfSatisfying(ItemFailure.class, e -> {
                        assertThat(e.x()).isEqualTo(2);
                        assertThat(e.thrown())
                                .hasMessage("java.lang.IllegalStateException: element 2 is 9; expected at most 5");
                    });
            Object[] overflow = {Memory.ints(1), ints(Integer.MAX_VALUE), Integer.MAX_VALUE};
            assertThatThrownBy(() -> Interpreter.run(code, overflow, new Range(1, 1, 1, 1)))
                    .hasRootCauseMessage("java.lang.ArithmeticException: integer overflow");
            Object[] seven = {Memory.ints(1), ints(-7), 0};
            assertThatThrownBy(() -> Interpreter.run(code, seven, new Range(1, 1, 1, 1)))
                    .hasRootCauseMessage("java.lang.AssertionError: seven");
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void groupsHaveTheRangesDimensionsAndALimit() {
        Kernel kernel = Kernel.of(GroupKernels::ids);
        assertThatThrownBy(() -> kernel.over(4, 4).groups(4)).hasMessageContaining("1 dimensions for a range of 2");
        assertThatThrownBy(() -> kernel.over(4).groups(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> kernel.over(4, 4).groups(64, 32)).hasMessageContaining("at most 1024");
    }
}
