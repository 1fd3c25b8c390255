package io.penstock.runtime.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.DeviceMemoryException;
import io.penstock.testing.Seeded;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
    private static final long MIB = 1 << 20;

    /** A driver that has so much memory and no more, and keeps accounts. */
    private static final class Driver implements MemoryPool.Source {
        private final Map<Long, Long> blocks = new HashMap<>();
        private final long memory;
        private long used;
        private long next = 1;

        Driver(long memory) {
            this.memory = memory;
        }

        @Override
        public synchronized long make(long bytes) {
            if (used + bytes > memory) return 0;
            used += bytes;
            blocks.put(next, bytes);
            return next++;
        }

        @Override
        public synchronized void release(long block) {
            Long bytes = blocks.remove(block);
            if (bytes == null) throw new IllegalStateException("block " + block + " is not this driver's");
            used -= bytes;
        }

        synchronized long used() {
            return used;
        }
    }

    @Test
    void blocksAreNobodyElsesUntilFreed() {
        Seeded.cases(20, random -> {
            Driver driver = new Driver(64 * MIB);
            MemoryPool pool = new MemoryPool("memory of the test", 48 * MIB, driver);
            Map<Long, Long> taken = new HashMap<>();
            for (int step = 0; step < 2000; step++) {
                if (taken.isEmpty() || (random.nextBoolean() && pool.use().live() < 30 * MIB)) {
                    long bytes = random.nextLong(0, 1L << random.nextInt(1, 23));
                    long block = pool.take(bytes);
                    assertThat(driver.blocks.get(block)).isGreaterThanOrEqualTo(bytes);
                    assertThat(taken.put(block, bytes)).isNull();
                } else {
                    Map.Entry<Long, Long> any = taken.entrySet().iterator().next();
                    taken.remove(any.getKey());
                    pool.free(any.getKey(), any.getValue());
                }
                assertThat(pool.use().live() + pool.use().pooled())
                        .isEqualTo(driver.used())
                        .isLessThanOrEqualTo(48 * MIB);
                assertThat(pool.use().buffers()).isEqualTo(taken.size());
            }
        });
    }

    @Test
    void sizesHaveLittleSlack() {
        Set<Long> sizes = new HashSet<>();
        for (long bytes = 0; bytes < MIB; bytes += 37) {
            long size = MemoryPool.size(bytes);
            sizes.add(size);
            assertThat(size).isGreaterThanOrEqualTo(Math.max(1, bytes));
            assertThat(size - bytes).isLessThanOrEqualTo(Math.max(256, bytes / 3));
        }
        assertThat(sizes).hasSizeLessThan(60);
        assertThatThrownBy(() -> MemoryPool.size(Long.MAX_VALUE)).isInstanceOf(DeviceMemoryException.class);
    }

    @Test
    void whatTheDriverRefusesIsNotCounted() {
        MemoryPool pool = new MemoryPool("memory of the test", 48 * MIB, new MemoryPool.Source() {
            @Override
            public long make(long bytes) {
                throw new DeviceMemoryException("larger than one allocation can be");
            }

            @Override
            public void release(long block) {}
        });
        assertThatThrownBy(() -> pool.take(40 * MIB)).hasMessageContaining("larger than one allocation");
        assertThat(pool.use().live()).isZero();
        assertThat(pool.use().buffers()).isZero();
    }

    @Test
    void aThreadThatIsInterruptedWaitsForMemoryToo() {
        MemoryPool pool = new MemoryPool("memory of the test", 10 * MIB, new Driver(10 * MIB));
        long block = pool.take(8 * MIB);
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {
            LockSupport.parkNanos(50_000_000);
            pool.free(block, 8 * MIB);
        });
        Thread.currentThread().interrupt();
        pool.take(8 * MIB);
        assertThat(Thread.interrupted()).isTrue();
        later.join();
    }

    /** The driver may have less than the limit allows, when others use the device too. */
    @Test
    void whatIsPooledIsGivenUpWhenTheDriverHasTooLittle() {
        Driver driver = new Driver(10 * MIB);
        MemoryPool pool = new MemoryPool("memory of the test", 100 * MIB, driver);
        for (int k = 0; k < 4; k++) pool.free(pool.take(2 * MIB + k * MIB / 2), 2 * MIB + k * MIB / 2);
        assertThat(pool.use().pooled()).isPositive();
        long block = pool.take(8 * MIB);
        assertThat(pool.use().pooled()).isZero();
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            pool.free(block, 8 * MIB);
        });
        long other = pool.take(9 * MIB);
        later.join();
        assertThat(pool.use().buffers()).isEqualTo(1);
        assertThatThrownBy(() -> pool.take(5 * MIB))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("out of memory of the test: asked for 5.0 MiB")
                .hasMessageContaining("live")
                .hasMessageContaining("in 1 arrays")
                .hasMessageContaining("penstock.opencl.memory.limit");
        pool.free(other, 9 * MIB);
    }
}
