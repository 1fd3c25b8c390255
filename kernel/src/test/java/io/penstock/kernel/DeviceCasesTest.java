package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What kernels can rely on, the same on every device that is there. */
class DeviceCasesTest {
    private Scope scope = Scope.open();

    static List<Device> devices() {
        return OnDevice.all();
    }

    @BeforeEach
    void open() {
        scope.close();
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private static Ints ints(int... values) {
        Ints ints = Memory.ints(values.length);
        for (int k = 0; k < values.length; k++) ints.set(k, values[k]);
        return ints;
    }

    private static void positions(Device device, RangedKernel kernel, int z, int y, int x) {
        Longs out = Longs.of(Memory.bytes(8L * z * y * x), (long) z * y * x);
        OnDevice.run(device, kernel, out);
        for (int k = 0; k < z * y * x; k++)
            assertThat(out.get(k)).isEqualTo(k % x + 100L * (k / x % y) + 10000L * (k / x / y));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shiftsGoFarAndTheLeastNumberStaysNegative(Device device) {
        Longs out = Memory.longs(8, 5);
        Ints in = ints(1, -2, Integer.MIN_VALUE, 4, -5, Integer.MIN_VALUE, 0, Integer.MAX_VALUE);
        OnDevice.run(device, Kernel.of(CaseKernels::farShifts).over(8), out, in);
        for (int x = 0; x < 8; x++) {
            long small = (long) x - 3;
            int k = in.get(x);
            boolean least = k == Integer.MIN_VALUE;
            assertThat(out.get(x, 0)).isEqualTo(small >> (9 * x));
            assertThat(out.get(x, 1)).isEqualTo(small << (9 * x));
            assertThat(out.get(x, 2)).isEqualTo(small >>> (9 * x));
            assertThat(out.get(x, 3)).isEqualTo(least ? 0 : Math.abs(k));
            assertThat(out.get(x, 4)).isEqualTo(least ? 0 : Math.abs((long) k << 32));
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void everyItemRunsOnceWhateverTheGroups(Device device) {
        Kernel kernel = Kernel.of(CaseKernels::position);
        for (int group : new int[] {1, 8, 100})
            positions(device, kernel.over(49).groups(group), 1, 1, 49);
        positions(device, kernel.over(7, 7), 1, 7, 7);
        positions(device, kernel.over(7, 7).groups(4, 4), 1, 7, 7);
        positions(device, kernel.over(5, 1, 3), 5, 1, 3);
        positions(device, kernel.over(5, 1, 3).groups(2, 2, 2), 5, 1, 3);
        positions(device, kernel.over(1, 9).groups(1, 8), 1, 1, 9);
        positions(device, kernel.over(129).groups(64), 1, 1, 129);
        positions(device, kernel.over(1), 1, 1, 1);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void everyItemRunsInRangesOfAnyShape(Device device) {
        Kernel kernel = Kernel.of(CaseKernels::position);
        Seeded.cases(6, random -> {
            int z = random.nextInt(1, 1 << random.nextInt(1, 5));
            int y = random.nextInt(1, 1 << random.nextInt(1, 6));
            int x = random.nextInt(1, 1 << random.nextInt(1, 10));
            positions(device, kernel.over(z, y, x), z, y, x);
            positions(device, kernel.over(y, x), 1, y, x);
        });
    }

    @ParameterizedTest
    @MethodSource("devices")
    void rangesMayBeEmptyOrLongInAnyDimension(Device device) {
        Kernel kernel = Kernel.of(CaseKernels::position);
        Longs out = Longs.of(Memory.bytes(8), 1);
        for (RangedKernel nothing :
                List.of(kernel.over(0), kernel.over(0, 5), kernel.over(5, 0), kernel.over(0, 0), kernel.over(0, 1, 1)))
            OnDevice.run(device, nothing, out);
        assertThat(out.get(0)).isZero();
        positions(device, kernel.over(1, 70_000, 1), 1, 70_000, 1);
        positions(device, kernel.over(70_000, 1, 1), 70_000, 1, 1);
        positions(device, kernel.over(1, 1, 70_000), 1, 1, 70_000);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void rangesMayHaveMoreItemsThanAnIntCounts(Device device) {
        assumeTrue(device.name().startsWith("cuda"), "2^31 items take too long without a GPU");
        long n = (1L << 31) + 7;
        Buffer bytes = device.allocate(n, MemoryKind.DEVICE);
        Kernel.of(CaseKernels::last).over(n).launch(device.queue(), Bytes.of(bytes, n));
        Buffer end = Memory.bytes(3);
        device.queue().copy(bytes.slice(n - 3, 3), end).await();
        assertThat(end.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .containsOnly(7);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void treesAddUpGroupsOfAllSizes(Device device) {
        for (int n = 1; n <= 17; n++) {
            Ints in = Memory.ints(n);
            Floats from = Memory.floats(n);
            int total = 0;
            for (int k = 0; k < n; k++) {
                in.set(k, k * k - 7);
                from.set(k, k * k - 7);
                total += k * k - 7;
            }
            Ints out = Memory.ints((n + 7) / 8);
            Floats sums = Memory.floats((n + 7) / 8);
            OnDevice.run(device, Kernel.of(CaseKernels::treeOfInts).over(n).groups(8), out, in);
            OnDevice.run(device, Kernel.of(CaseKernels::treeOfFloats).over(n).groups(8), sums, from);
            int found = 0;
            float sum = 0;
            for (long k = 0; k < out.length(); k++) {
                found += out.get(k);
                sum += sums.get(k);
            }
            assertThat(found).as("sum of %d", n).isEqualTo(total);
            assertThat(sum).as("sum of %d", n).isEqualTo(total);
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void groupsShareAsMuchMemoryAsTheDeviceHas(Device device) {
        Floats out = Memory.floats(64);
        long most =
                device instanceof CompilingDevice compiling ? compiling.code().mostGroupBytes() : 60_000;
        // A driver may need a little of it for itself.
        int numbers = (int) Math.min(15_000, (most - 1024) / Float.BYTES);
        OnDevice.run(device, Kernel.of(CaseKernels::muchMemory).over(64).groups(32), out, numbers);
        for (int k = 0; k < 64; k++) assertThat(out.get(k)).isEqualTo(k / 32 * 32 + 31 - k % 32);
        if (!OnDevice.isJvm(device))
            assertThatThrownBy(() -> OnDevice.run(
                            device, Kernel.of(CaseKernels::muchMemory).over(64).groups(32), out, 1 << 28))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("CaseKernels.muchMemory shares 1073741824 bytes in a group");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void sumsInMemoryAreThoseOfAVariable(Device device) {
        SplittableRandom random = new SplittableRandom(4);
        Floats in = Memory.floats(37);
        Floats rows = Memory.floats(5, 40);
        for (int k = 0; k < 37; k++) in.set(k, (float) random.nextDouble(-1, 1));
        for (int k = 0; k < 200; k++) rows.set(k, (float) random.nextDouble(-1, 1));
        float[] before = new float[200];
        for (int k = 0; k < 200; k++) before[k] = rows.get(k);
        Floats out = Memory.floats(10);
        OnDevice.run(device, Kernel.of(CaseKernels::accumulates).over(10), out, in, 37);
        OnDevice.run(device, Kernel.of(CaseKernels::recurs).over(5), rows);
        for (int i = 0; i < 10; i++) {
            float sum = 0;
            for (int k = 0; k < 37; k++) sum = sum + in.get(k) * in.get((i + k) % 37);
            assertThat(out.get(i)).isEqualTo(sum);
        }
        for (int i = 0; i < 5; i++)
            for (int j = 1; j < 40; j++) {
                before[40 * i + j] = before[40 * i + j - 1] * 0.5f + before[40 * i + j];
                assertThat(rows.get(i, j)).isEqualTo(before[40 * i + j]);
            }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void atomicSumsLoseNothing(Device device) {
        for (int bins : new int[] {1, 2, 1000}) {
            Ints in = Memory.ints(3200);
            for (int k = 0; k < 3200; k++) in.set(k, 7 * k);
            Ints counts = Memory.ints(bins);
            Longs longs = Longs.of(Memory.bytes(8L * bins), bins);
            Floats floats = Memory.floats(bins);
            Doubles doubles = Memory.doubles(bins);
            OnDevice.run(
                    device,
                    Kernel.of(CaseKernels::counts).over(3200).groups(64),
                    counts,
                    longs,
                    floats,
                    doubles,
                    in,
                    bins);
            int[] expected = new int[bins];
            for (int k = 0; k < 3200; k++) expected[7 * k % bins]++;
            for (int k = 0; k < bins; k++) {
                assertThat(counts.get(k)).isEqualTo(expected[k]);
                assertThat(longs.get(k)).isEqualTo((long) expected[k] << 33);
                assertThat(floats.get(k)).isEqualTo(expected[k] * 0.5f);
                assertThat(doubles.get(k)).isEqualTo(expected[k] * 0.25);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void atomicChangesGiveWhatWasThere(Device device) {
        Object[] here = {Memory.ints(16), Longs.of(Memory.bytes(64), 8), Memory.floats(4), Memory.doubles(6)};
        Object[] there = {Memory.ints(16), Longs.of(Memory.bytes(64), 8), Memory.floats(4), Memory.doubles(6)};
        for (Object[] arguments : List.of(here, there)) {
            for (int k = 0; k < 6; k++) ((Ints) arguments[0]).set(k, 6 + k);
            for (int k = 0; k < 4; k++) ((Longs) arguments[1]).set(k, 6 + k);
            ((Longs) arguments[1]).set(3, -1);
            ((Doubles) arguments[3]).set(1, Double.NaN);
        }
        Kernel kernel = Kernel.of(CaseKernels::changes);
        kernel.over(1).launch(here);
        OnDevice.run(device, kernel.over(1), there);
        assertThat(RandomArguments.results(there)).isEqualTo(RandomArguments.results(here));
        assertThat(((Ints) here[0]).get(9)).isEqualTo(7);
    }

    private static KernelException failure(Device device, RangedKernel kernel, Object... arguments) {
        KernelException failure =
                catchThrowableOfType(KernelException.class, () -> OnDevice.run(device, kernel, arguments));
        assertThat(failure).isNotNull();
        assertThat(failure.getMessage())
                .contains("failed on device " + device.name())
                .contains("CaseKernels.java:");
        return failure;
    }

    @ParameterizedTest
    @MethodSource("devices")
    void badIndicesAreToldWithAllThatCanBeKnown(Device device) {
        Floats out = Memory.floats(5);
        Floats in = Memory.floats(5, 3);
        in.set(1, 2, 4f);
        Kernel kernel = Kernel.of(CaseKernels::indexed);
        KernelException low = failure(device, kernel.over(5), out, in, -1, 0);
        assertThat(low).hasMessageContaining("kernel CaseKernels.indexed (CaseKernels.java:");
        assertThat(low)
                .hasMessageContaining("at work-item (x=0) of 5 items: array in: index -1 in dimension 0; "
                        + "expected 0 to 4 for shape (5, 3)");
        assertThat(low.x()).isZero();
        assertThat(failure(device, kernel.over(5), out, in, 1, 0)).hasMessageContaining("index 5 in dimension 0");
        assertThat(failure(device, kernel.over(4), out, in, 0, 3))
                .hasMessageContaining("index 3 in dimension 1; expected 0 to 2");
        assertThat(failure(device, Kernel.of(CaseKernels::flat).over(5), out, in, 1L << 40))
                .hasMessageContaining("array in: index " + (1L << 40) / 100);
        OnDevice.run(device, kernel.over(4), out, in, 1, 2);
        assertThat(out.get(0)).isEqualTo(4f);
        assertThat(failure(device, Kernel.of(CaseKernels::ownIndex).over(2), ints(1, 1), ints(3, 4)))
                .hasMessageContaining("work-item (x=1)")
                .hasMessageContaining("ArrayIndexOutOfBoundsException: Index 4 out of bounds for length 4");
        assertThat(failure(device, Kernel.of(CaseKernels::sharedIndex).over(10).groups(4), Memory.floats(10), 100))
                .hasMessageContaining("index (101,) in an array of shape (4,) that the group shares");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aFailureReadsTheSameOnEveryDevice(Device device) {
        Kernel kernel = Kernel.of(CaseKernels::fails);
        for (int how = 0; how < CaseKernels.FAILURES; how++) {
            Object[] arguments = {Memory.ints(5), Memory.floats(4, 3), how};
            String here = message(Device.jvm(), kernel, arguments);
            assertThat(message(device, kernel, arguments).replace("device " + device.name() + " ", "device jvm "))
                    .as("%d", how)
                    .isEqualTo(here);
        }
    }

    private static String message(Device device, Kernel kernel, Object... arguments) {
        return String.valueOf(failure(device, kernel.over(5), arguments).getMessage());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void anItemThatFailsBetweenBarriersHoldsUpNobody(Device device) {
        Floats out = Memory.floats(10);
        KernelException failure =
                failure(device, Kernel.of(CaseKernels::sharedIndex).over(10).groups(4), out, 100);
        assertThat(failure).hasMessageContaining("at work-item (x=5) of 10 items, in group (x=1)");
        if (!OnDevice.isJvm(device))
            for (int k : new int[] {0, 3, 6, 9}) assertThat(out.get(k)).isGreaterThanOrEqualTo(2f);
        OnDevice.run(device, Kernel.of(CaseKernels::sharedIndex).over(10).groups(4), out, 0);
        assertThat(out.get(5)).isEqualTo(3f);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void exceptionsAreToldAndLaterLaunchesWork(Device device) {
        assertThat(failure(device, Kernel.of(CaseKernels::divides).over(3), Memory.ints(3), ints(1, 2, 0)))
                .hasMessageContaining("(x=2)")
                .hasMessageContaining("/ by zero");
        Ints out = Memory.ints(4);
        KernelException thrown = catchThrowableOfType(
                KernelException.class,
                () -> OnDevice.run(device, Kernel.of(GroupKernels::throwing).over(4), out, ints(1, 2, 9, 3), 5));
        assertThat(thrown)
                .hasMessageContaining("IllegalStateException: element 2 is 9; expected at most 5")
                .hasMessageContaining("GroupKernels.java:");
        OnDevice.run(device, Kernel.of(GroupKernels::throwing).over(4), out, ints(1, 2, 9, 3), 9);
        assertThat(out.get(2)).isEqualTo(10);
    }

    private static void sameAsJava(Device device, RangedKernel kernel, Object... arguments) {
        byte[] before = RandomArguments.bytes(arguments);
        kernel.launch(arguments);
        byte[] expected = RandomArguments.results(arguments);
        RandomArguments.restore(arguments, before);
        OnDevice.run(device, kernel, arguments);
        assertThat(RandomArguments.results(arguments)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void numbersAreJavas(Device device) {
        Seeded.cases(10, random -> {
            int n = 200;
            sameAsJava(
                    device,
                    Kernel.of(CaseKernels::integers).over(n),
                    Memory.ints(n, 4),
                    Longs.of(Memory.bytes(16L * n), n, 2),
                    Ints.of(RandomArguments.ints(random, n), n),
                    Doubles.of(RandomArguments.doubles(random, n), n));
            sameAsJava(
                    device,
                    Kernel.of(CaseKernels::reals).over(n),
                    Floats.of(RandomArguments.floats(random, 7 * n), n, 7),
                    Doubles.of(RandomArguments.doubles(random, 7 * n), n, 7));
        });
    }

    @ParameterizedTest
    @MethodSource("devices")
    void boxesAreNumbersInOneSlotEach(Device device) {
        for (boolean yes : new boolean[] {true, false}) {
            Doubles out = Doubles.of(Memory.bytes(8 * 20), 20);
            RangedKernel kernel = Kernel.of(MethodHandles.lookup(), CaseKernels.class, "boxes")
                    .over(20);
            OnDevice.run(device, kernel, out, 1.5, 77, 300L, yes, 'b', (byte) -3, 2.75f);
            for (int x = 0; x < 20; x++)
                assertThat(out.get(x)).isEqualTo(1.5 + (yes ? 3 * 300.0 * x : -900) + 98_000 - 1.5 + 2 + 44);
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void theSamplesDoWhatJavaDoes(Device device) {
        SplittableRandom random = new SplittableRandom(9);
        Floats one = Floats.of(RandomArguments.floats(random, 63), 7, 9);
        Floats other = Floats.of(RandomArguments.floats(random, 63), 7, 9);
        sameAsJava(device, Kernel.of(Samples::copyColumn).over(7), one, other, 4);
        sameAsJava(device, Kernel.of(Samples::laplacian).over(7, 9), one, other, 0.5f);
        sameAsJava(device, Kernel.of(Samples::axpy).over(63), one, other, 2f);
        sameAsJava(device, Kernel.of(Samples::matrixVector).over(7), Memory.floats(7), one, Memory.floats(9));
        sameAsJava(device, Kernel.of(Samples::mandelbrot).over(20, 30), Memory.ints(20, 30), 0.1f, 50);
        sameAsJava(device, Kernel.of(Samples::nested).over(40), Longs.of(Memory.bytes(320), 40), 12);
        sameAsJava(
                device,
                Kernel.of(Samples::complexSquare).over(10),
                ComplexDoubles.of(RandomArguments.doubles(random, 20), 10));
        sameAsJava(device, Kernel.of(GroupKernels::mandelbrot).over(20, 30), Memory.ints(20, 30), 0.1, 50);
        Floats columns = Floats.of(one.buffer(), 62, new long[] {9, 7}, new long[] {-1, -9});
        sameAsJava(device, Kernel.of(Samples::copyColumn).over(9), Memory.floats(9, 3), columns, 2);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void capturedValuesArePassedAndThreadsMayCompileAtOnce(Device device) throws InterruptedException {
        int shift = 3;
        Kernel kernel = Kernel.of((WorkItem at, Ints out) -> out.set(at.x(), (int) at.x() + shift));
        CountDownLatch done = new CountDownLatch(4);
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int t = 0; t < 4; t++)
            Thread.ofPlatform().start(() -> {
                try (Scope own = Scope.open()) {
                    Ints out = Memory.ints(50);
                    OnDevice.run(device, kernel.over(50), out);
                    assertThat(out.get(49)).isEqualTo(52);
                    assertThat(own).isNotNull();
                } catch (Throwable e) {
                    failures.add(e);
                } finally {
                    done.countDown();
                }
            });
        done.await();
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("devices")
    void preparedLaunchesRunInOrderOnSeveralQueues(Device device) {
        MemoryKind kind = OnDevice.isJvm(device) ? MemoryKind.HOST : MemoryKind.DEVICE;
        Buffer buffer = device.allocate(4 * 100, kind);
        Buffer zeros = Memory.bytes(400);
        device.queue().copy(zeros, buffer);
        Ints numbers = Ints.of(buffer, 100);
        Launch launch = Kernel.of((WorkItem at, Ints all) -> all.set(at.x(), all.get(at.x()) + 1))
                .over(100)
                .prepare(numbers);
        List<Queue> queues = List.of(device.newQueue(), device.newQueue(), device.queue());
        for (int k = 0; k < 60; k++) launch.launch(queues.get(k % 3));
        Ints here = Memory.ints(100);
        device.queue().copy(buffer, here.buffer()).await();
        for (int k = 0; k < 100; k++) assertThat(here.get(k)).isEqualTo(60);
        Device other = OnDevice.isJvm(device) ? devices().getLast() : Device.jvm();
        assumeTrue(!other.equals(device), "there is no other device");
        assertThatThrownBy(() -> launch.launch(other.newQueue()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lies on device " + device.name());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void whatTheHostCannotReachItIsToldSo(Device device) {
        assumeTrue(!OnDevice.isJvm(device), "the host reaches its own memory");
        Ints there = Ints.of(device.allocate(16, MemoryKind.DEVICE), 2, 2);
        assertThatThrownBy(() -> Kernel.of(CaseKernels::depth).over(1).launch(device.queue(), there))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kernel CaseKernels.depth asks for an extent of a dimension that");
        assertThatThrownBy(() -> there.get(0)).hasMessageContaining("in memory of device " + device.name());
        assertThatThrownBy(() -> there.set(1, 1, 5)).hasMessageContaining("copy them to the host");
        assertThatThrownBy(() ->
                        Kernel.of(CaseKernels::position).over(4).launch(device.queue(), Longs.of(Memory.bytes(32), 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lies on device jvm; expected device " + device.name());
    }
}
