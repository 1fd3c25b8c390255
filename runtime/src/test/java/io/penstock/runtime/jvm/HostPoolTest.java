package io.penstock.runtime.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.MemoryKind;
import io.penstock.testing.Seeded;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPoolTest {
    private static final long MIB = 1 << 20;

    private static Buffer allocate(HostPool pool, long bytes) {
        return Buffer.whole(new Allocation(Device.jvm(), MemoryKind.HOST, pool.take(bytes), bytes, pool));
    }

    @Test
    void handsOutDisjointAlignedBlocks() {
        Seeded.cases(8, random -> {
            HostPool pool = new HostPool(256 * MIB, random.nextBoolean() ? new Pages.Mapped() : new Pages.Malloced());
            Map<Long, Long> live = new HashMap<>();
            Map<Long, Byte> marks = new HashMap<>();
            for (int step = 0; step < 1000; step++) {
                if (live.isEmpty() || (random.nextInt(3) > 0 && pool.use().live() < 150 * MIB)) {
                    long bytes = random.nextLong(0, 1L << random.nextInt(1, 24));
                    long address = pool.take(bytes);
                    assertThat(address % SizeClass.ALIGNMENT).isZero();
                    byte mark = (byte) random.nextInt();
                    if (bytes > 0) {
                        HostMemory.ALL.set(ValueLayout.JAVA_BYTE, address, mark);
                        HostMemory.ALL.set(ValueLayout.JAVA_BYTE, address + bytes - 1, mark);
                    }
                    assertThat(live.put(address, bytes)).isNull();
                    marks.put(address, mark);
                } else {
                    Map.Entry<Long, Long> any = live.entrySet().iterator().next();
                    long address = any.getKey();
                    long bytes = any.getValue();
                    live.remove(address);
                    if (bytes > 0) {
                        assertThat(HostMemory.ALL.get(ValueLayout.JAVA_BYTE, address))
                                .isEqualTo(marks.get(address));
                        assertThat(HostMemory.ALL.get(ValueLayout.JAVA_BYTE, address + bytes - 1))
                                .isEqualTo(marks.get(address));
                    }
                    pool.free(address, bytes);
                }
                assertThat(pool.use().buffers()).isEqualTo(live.size());
                assertThat(pool.use().live())
                        .isEqualTo(
                                live.values().stream().mapToLong(SizeClass::of).sum());
                assertThat(pool.use().live() + pool.use().pooled())
                        .isLessThanOrEqualTo(pool.use().limit());
            }
            live.forEach(pool::free);
            assertThat(pool.use().live()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 64, 1000, 100_000, 3_000_000, 40_000_000})
    void reusesWhatWasFreed(long bytes) {
        HostPool pool = new HostPool(512 * MIB, Pages.system());
        long address = pool.take(bytes);
        pool.free(address, bytes);
        assertThat(pool.take(bytes)).isEqualTo(address);
        pool.free(address, bytes);
        assertThat(pool.use().buffers()).isZero();
    }

    @Test
    void keepsAtMostAQuarterOfTheLimitInLargeBlocks() {
        HostPool pool = new HostPool(400 * MIB, Pages.system());
        List<Long> blocks = new ArrayList<>();
        for (int i = 0; i < 30; i++) blocks.add(pool.take(10 * MIB));
        for (long block : blocks) {
            pool.free(block, 10 * MIB);
            assertThat(pool.use().pooled()).isLessThanOrEqualTo(100 * MIB);
        }
        assertThat(pool.use().pooled()).isPositive();
    }

    @Test
    void smallBlocksGiveWayToLargeOnes() {
        HostPool pool = new HostPool(64 * MIB, Pages.system());
        List<Long> blocks = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) blocks.add(pool.take(1000));
        assertThat(pool.use().live()).isGreaterThan(40 * MIB);
        for (long block : blocks) pool.free(block, 1000);
        long large = pool.take(50 * MIB);
        pool.free(large, 50 * MIB);
        long again = pool.take(1000);
        pool.free(again, 1000);
    }

    @Test
    void saysSizesAndOwnersWhenTheLimitIsReached() {
        HostPool pool = new HostPool(64 * MIB, Pages.system());
        long large = pool.take(40 * MIB);
        long small = pool.take(100);
        assertThatThrownBy(() -> pool.take(30 * MIB))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("asked for 30.0 MiB")
                .hasMessageContaining("live 40.0 MiB in 2 arrays")
                .hasMessageContaining("pooled 2.0 MiB")
                .hasMessageContaining("limit 64.0 MiB")
                .hasMessageContaining("largest live: 40.0 MiB by ")
                .hasMessageContaining("penstock.memory.limit");
        pool.free(large, 40 * MIB);
        long now = pool.take(30 * MIB);
        pool.free(now, 30 * MIB);
        pool.free(small, 100);
    }

    @Test
    void refusesMoreThanTheSystemHas() {
        HostPool pool = new HostPool(Long.MAX_VALUE, Pages.system());
        assertThatThrownBy(() -> pool.take(1L << 60)).isInstanceOf(DeviceMemoryException.class);
        assertThatThrownBy(() -> pool.take(Long.MAX_VALUE)).isInstanceOf(DeviceMemoryException.class);
        assertThat(pool.use().live()).isZero();
    }

    @Test
    void reclaimsUnreachableArraysBeforeGivingUp() {
        HostPool pool = new HostPool(64 * MIB, Pages.system());
        for (int i = 0; i < 20; i++) {
            Buffer lost = allocate(pool, 20 * MIB);
            assertThat(lost.bytes()).isEqualTo(20 * MIB);
        }
        assertThat(pool.use().live()).isLessThanOrEqualTo(64 * MIB);
    }

    @Test
    void collectsWhatNobodyClosesLongBeforeTheLimit() {
        HostPool pool = new HostPool(64L << 30, Pages.system());
        for (int i = 0; i < 1000; i++) {
            Buffer lost = allocate(pool, 8 * MIB);
            assertThat(lost.bytes()).isEqualTo(8 * MIB);
        }
        assertThat(pool.use().live()).isLessThan(2L << 30);
    }

    @Test
    void threadsUnderPressureWaitForEachOther() {
        HostPool pool = new HostPool(40 * MIB, Pages.system());
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int t = 0; t < 8; t++)
                done.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 50; i++) {
                                @Nullable Buffer held = allocate(pool, 6 * MIB);
                                HostMemory.ALL.set(ValueLayout.JAVA_BYTE, held.address(), (byte) i);
                                if (i % 10 > 0) held.close();
                                held = null;
                            }
                        },
                        threads));
            done.forEach(CompletableFuture::join);
        }
        assertThat(pool.use().live()).isLessThanOrEqualTo(40 * MIB);
    }

    @Test
    void anInterruptedAllocationFailsWithoutWaiting() {
        HostPool pool = new HostPool(8 * MIB, Pages.system());
        long all = pool.take(6 * MIB);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pool.take(6 * MIB)).isInstanceOf(DeviceMemoryException.class);
        assertThat(Thread.interrupted()).isTrue();
        pool.free(all, 6 * MIB);
    }

    @Test
    void aMillionSmallAllocationsDoNotGrow() {
        Device device = Device.jvm();
        long before = 0;
        for (int i = 0; i < 1_000_000; i++) {
            device.allocate(1 + i % 3000, MemoryKind.HOST).close();
            if (i == 10_000)
                before = device.memoryUse().live() + device.memoryUse().pooled();
        }
        assertThat(device.memoryUse().live() + device.memoryUse().pooled()).isLessThanOrEqualTo(before);
    }
}
