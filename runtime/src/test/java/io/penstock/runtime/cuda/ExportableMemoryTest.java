package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.HostMemory;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** On the stand-in, whose memory the host can look at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportableMemoryTest {
    private static final long LIMIT = 40L << 20;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private CudaDevice device;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private ExportableMemory memory;

    private long largest;

    private record Block(long address, long bytes, long mark) {
        void write() {
            HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address, mark);
            HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address + bytes - 8, mark);
        }

        boolean isWhole() {
            return bytes < 16
                    || (HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address) == mark
                            && HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address + bytes - 8) == mark);
        }
    }

    @BeforeAll
    void load(@TempDir Path folder) throws IOException, InterruptedException {
        device = StandIn.load(folder, 1).cudaDevices().getFirst();
        memory = new ExportableMemory(device, LIMIT);
    }

    @Test
    void blocksAreApartAndAllComesBack() {
        Seeded.cases(20, this::takeAndFree);
        assertThat(memory.use().live()).isZero();
        assertThat(memory.use().buffers()).isZero();
        // Whole allocations of the driver's again, so that the largest block ever asked for is there without another
        // one.
        long pooled = memory.use().pooled();
        memory.free(memory.take(largest), largest);
        assertThat(memory.use().pooled()).isEqualTo(pooled);
    }

    private void takeAndFree(SplittableRandom random) {
        List<Block> live = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            if (live.size() > 20 || (!live.isEmpty() && random.nextInt(3) == 0)) {
                Block block = live.remove(random.nextInt(live.size()));
                assertThat(block.isWhole()).isTrue();
                memory.free(block.address, block.bytes);
            } else {
                long bytes = 8 + random.nextLong(1L << random.nextInt(3, 21));
                largest = Math.max(largest, bytes);
                Block block = new Block(memory.take(bytes), bytes, random.nextLong());
                assertThat(block.address % 512).isZero();
                assertThat(memory.owns(block.address) && memory.owns(block.address + bytes - 1))
                        .isTrue();
                block.write();
                live.add(block);
            }
        }
        for (Block block : live) {
            assertThat(block.isWhole()).isTrue();
            memory.free(block.address, block.bytes);
        }
    }

    @Test
    void itRunsOutWithSizes() {
        assertThatThrownBy(() -> memory.take(LIMIT + 1))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("asked for 40.0 MiB");
    }
}
