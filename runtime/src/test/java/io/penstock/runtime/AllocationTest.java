package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** When the memory of an allocation is given back. */
class AllocationTest {
    @Test
    void heldMemoryIsFreedByTheLastRelease() {
        long before = Device.jvm().memoryUse().live();
        Buffer buffer = Device.jvm().allocate(1 << 16, MemoryKind.HOST);
        Allocation allocation = buffer.allocation();
        allocation.hold();
        allocation.hold();
        allocation.release();
        buffer.close();
        assertThat(Device.jvm().memoryUse().live()).isGreaterThan(before);
        assertThatThrownBy(buffer::address).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(allocation::hold).isInstanceOf(IllegalStateException.class);
        allocation.release();
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
        assertThatThrownBy(allocation::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void releasingOpenMemoryKeepsIt() {
        try (Buffer buffer = Device.jvm().allocate(64, MemoryKind.HOST)) {
            buffer.allocation().hold();
            buffer.allocation().release();
            assertThat(buffer.address()).isNotZero();
        }
    }
}
