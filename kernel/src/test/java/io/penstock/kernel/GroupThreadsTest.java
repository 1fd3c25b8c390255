package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.ClassBytes;
import io.penstock.runtime.DeviceCode.Language;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.lang.invoke.MethodType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GroupThreadsTest {
    private static final int PROCESSORS = 132;

    private static Range range(long... shape) {
        return Kernel.of((WorkItem at) -> {}).over(shape).range();
    }

    private static GroupThreads fitting(int itemsPerThread, int good, long... shape) {
        return GroupThreads.fitting(range(shape), itemsPerThread, good, PROCESSORS);
    }

    @Test
    void longRowsGetWholeWarpsAndShortOnesAsManyThreadsAsTheyNeed() {
        assertThat(fitting(4, 128, 1_000_000_000)).isEqualTo(new GroupThreads(128, 1, 1));
        assertThat(fitting(4, 64, 1_000_000_000)).isEqualTo(new GroupThreads(64, 1, 1));
        assertThat(fitting(4, 128, 512, 512, 512)).isEqualTo(new GroupThreads(64, 2, 1));
        assertThat(fitting(1, 128, 10_000, 160)).isEqualTo(new GroupThreads(32, 4, 1));
        assertThat(fitting(1, 128, 10_000, 22)).isEqualTo(new GroupThreads(22, 5, 1));
        assertThat(fitting(4, 128, 10_000, 100)).isEqualTo(new GroupThreads(25, 5, 1));
        assertThat(fitting(1, 128, 100_000, 3, 5)).isEqualTo(new GroupThreads(5, 3, 8));
        assertThat(fitting(1, 128, 100_000, 1, 1)).isEqualTo(new GroupThreads(1, 1, 64));
    }

    @Test
    void fewItemsAreSpreadOverTheProcessors() {
        assertThat(fitting(4, 128, 1000)).isEqualTo(new GroupThreads(32, 1, 1));
        assertThat(fitting(1, 128, 10_000)).isEqualTo(new GroupThreads(96, 1, 1));
        assertThat(fitting(1, 128, 3)).isEqualTo(new GroupThreads(3, 1, 1));
    }

    private static long size(SplittableRandom random) {
        long bound = 1L << random.nextInt(1, 30);
        return 1 + random.nextLong(bound);
    }

    @Test
    void everyItemHasAThreadAndFewThreadsHaveNone() {
        Seeded.cases(10_000, random -> {
            long[] shape = new long[random.nextInt(1, 4)];
            for (int k = 0; k < shape.length; k++) shape[k] = Math.min(size(random), 1 << 20);
            Range range = range(shape);
            int good = random.nextInt(1, 1025);
            int count = random.nextBoolean() ? 1 : 4;
            GroupThreads fitting = GroupThreads.fitting(range, count, good, random.nextInt(1, 200));
            GroupThreads powers = GroupThreads.powersOfTwo(range, good);
            for (GroupThreads threads : new GroupThreads[] {fitting, powers}) {
                assertThat(threads.x()).isPositive();
                assertThat(threads.y()).isPositive();
                assertThat(threads.z()).isBetween(1, 64);
                assertThat(threads.x() * threads.y() * threads.z()).isLessThanOrEqualTo(good);
            }
            if (good < 64) return;
            // Whole warps of long rows, and pieces alike of the others, leave less than half of the threads idle.
            long row = Math.ceilDiv(range.x(), (long) count);
            long slots = padded(row, fitting.x()) * padded(range.y(), fitting.y()) * padded(range.z(), fitting.z());
            assertThat((double) row * range.y() * range.z() / slots)
                    .as("%s for %s, %d items a thread", fitting, range, count)
                    .isGreaterThan(0.5);
        });
    }

    private static long padded(long size, int threads) {
        return Math.ceilDiv(size, (long) threads) * threads;
    }

    private static Implementation kernel(String method) {
        return new Implementation(
                CachedKernels.LOOKUP,
                method,
                MethodType.methodType(void.class, WorkItem.class, Ints.class, Ints.class, int.class),
                0,
                ClassBytes.visibleFrom(CachedKernels.class),
                "io/penstock/kernel/CachedKernels",
                "CachedKernels." + method);
    }

    @Test
    void kernelsThatSeeGroupsHaveTheUsualOnesWhereTheDeviceCan() {
        try (Scope scope = Scope.open()) {
            java.util.Objects.requireNonNull(scope);
            Object[] values = {Memory.ints(1000), Memory.ints(1000), 3};
            for (int most : new int[] {1024, 256, 255, 100, 1}) {
                FakeDevice device = new FakeDevice(Language.OPENCL, most, 96);
                ReadyLaunches launches =
                        new DeviceKernels(kernel("shared"), new ProgramCache(null)).launches(device, false);
                GroupThreads expected = new GroupThreads(Integer.highestOneBit(Math.min(most, 256)), 1, 1);
                for (int k = 0; k < 2; k++) {
                    ReadyLaunches.Ready ready = launches.of(range(1000), values);
                    assertThat(ready.threads()).isEqualTo(expected);
                    assertThat(ready.range().group()).isEqualTo(new GroupShape(false, 1, 1, expected.x()));
                    assertThat(ready.plan().shared().bytes()).isGreaterThanOrEqualTo(4L * (expected.x() + 3));
                }
                Range named = range(1000).in(new GroupShape(true, 1, 1, 512));
                assertThat(launches.of(named, values).threads()).isEqualTo(new GroupThreads(512, 1, 1));
                assertThat(device.asked()).isZero();
            }
            assertThat(GroupShape.usual(3).withAtMost(100)).isEqualTo(new GroupShape(false, 4, 4, 4));
            assertThat(GroupShape.usual(2).withAtMost(100)).isEqualTo(new GroupShape(false, 1, 8, 8));
        }
    }

    @Test
    void theDriverIsAskedOnceForAFunctionHoweverManyLaunches() {
        try (Scope scope = Scope.open()) {
            java.util.Objects.requireNonNull(scope);
            for (Language language : Language.values()) {
                FakeDevice device = new FakeDevice(language, 512, 96);
                DeviceKernels kernels = new DeviceKernels(kernel("scale"), new ProgramCache(null));
                Ints view = Memory.ints(100);
                for (int by = 1; by < 20; by++)
                    for (int k = 0; k < 3; k++)
                        assertThat(kernels.launches(device, false)
                                        .of(new Range(1, 1, 1, 1_000_000), new Object[] {view, view, by})
                                        .threads())
                                .isEqualTo(new GroupThreads(96, 1, 1));
                assertThat(device.asked()).isEqualTo(1);
            }
        }
    }
}
