package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Launches on another device than that where the arguments lie. */
class AcrossDevicesTest {
    private static final long ROWS = 1000;

    private static void copyColumn(WorkItem at, Floats to, Floats from, int column) {
        to.set(at.x(), column, from.get(at.x(), column));
    }

    /** A buffer and a queue of another device that can use it. */
    private record Pair(Buffer buffer, Queue queue) {}

    private static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (Device owner : Device.all())
            for (Device other : Device.all()) {
                if (owner.equals(other) || OnDevice.isJvm(owner) || OnDevice.isJvm(other)) continue;
                Queue queue = other.newQueue();
                Buffer buffer = owner.allocate(2 * ROWS * Float.BYTES, MemoryKind.DEVICE);
                if (queue.canUse(buffer)) pairs.add(new Pair(buffer, queue));
            }
        return pairs;
    }

    private static Floats columns(Buffer buffer) {
        return Floats.of(buffer, 0, new long[] {ROWS, 2}, new long[] {1, ROWS});
    }

    @Test
    void twoDevicesWriteColumnsOfOneArray() {
        List<Pair> pairs = pairs();
        assumeTrue(!pairs.isEmpty(), "there are no two devices of which one reaches the other's memory");
        for (Pair pair : pairs) {
            Device owner = pair.buffer.device();
            Queue here = owner.newQueue();
            try (Buffer from = owner.allocate(pair.buffer.bytes(), MemoryKind.DEVICE);
                    Buffer host = Memory.bytes(pair.buffer.bytes())) {
                Floats written = Floats.of(host, 2 * ROWS);
                for (long k = 0; k < 2 * ROWS; k++) written.set(k, k + 0.5f);
                here.copy(host, from);
                here.await();
                for (long k = 0; k < 2 * ROWS; k++) written.set(k, 0);
                RangedKernel kernel = Kernel.of(AcrossDevicesTest::copyColumn).over(ROWS);
                kernel.launch(here, columns(pair.buffer), columns(from), 0);
                kernel.prepare(columns(pair.buffer), columns(from), 1).launch(pair.queue);
                here.copy(pair.buffer, host);
                here.await();
                for (long k = 0; k < 2 * ROWS; k++)
                    assertThat(written.get(k)).as("element %d", k).isEqualTo(k + 0.5f);
            }
        }
    }

    @Test
    void whatAQueueDoesNotReachIsRefused() {
        Queue queue = Device.jvm().newQueue();
        for (Device device : Device.all()) {
            if (OnDevice.isJvm(device)) continue;
            try (Buffer buffer = device.allocate(2 * ROWS * Float.BYTES, MemoryKind.DEVICE)) {
                RangedKernel kernel = Kernel.of(AcrossDevicesTest::copyColumn).over(ROWS);
                String message = "of kernel AcrossDevicesTest.copyColumn lies on device " + device.name()
                        + "; expected device jvm, which the launch's queue belongs to; an array is copied there by"
                        + " to(Device.named(\"jvm\"))";
                assertThatThrownBy(() -> kernel.launch(queue, columns(buffer), columns(buffer), 0))
                        .hasMessageContaining(message);
                assertThatThrownBy(() -> kernel.prepare(columns(buffer), columns(buffer), 0)
                                .launch(queue))
                        .hasMessageContaining(message);
            }
        }
    }
}
