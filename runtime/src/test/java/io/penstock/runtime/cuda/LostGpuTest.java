package io.penstock.runtime.cuda;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceLostException;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Ticket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A GPU that is lost by an illegal address. It is lost for the whole process, so the device suite runs this test in one of its own. */
@Tag("gpu-lost")
@EnabledIfSystemProperty(
        named = "penstock.test.lost",
        matches = "true",
        disabledReason = "loses the GPU for the process")
@Timeout(60)
class LostGpuTest {
    @Test
    void anIllegalAddressNamesItsKernelAndStopsTheDevice() {
        CudaBackend backend = new CudaBackend();
        assumeTrue(backend.absence().isEmpty(), () -> "no CUDA device: " + backend.absence());
        CudaDevice device = backend.cudaDevices().getFirst();
        TestKernels kernels = new TestKernels(device, false);
        CudaQueue queue = device.newQueue();
        Buffer memory = device.allocate(64, MemoryKind.DEVICE);
        DeviceLaunch fill = kernels.bind("fill", memory, 16, 1);
        DeviceLaunch illegal = kernels.bind("illegal");
        queue.submit(List.of(Access.write(memory)), () -> fill.issue(queue)).await();
        Ticket ticket = queue.submit(List.of(Access.write(memory)), () -> illegal.issue(queue));
        assertThatThrownBy(ticket::await)
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS")
                .hasMessageContaining("kernel illegal")
                .hasMessageNotContaining("kernel fill");
        assertThatThrownBy(() -> queue.submit(List.of(Access.write(memory)), () -> fill.issue(queue)))
                .isInstanceOf(DeviceLostException.class);
        assertThatThrownBy(() -> device.allocate(64, MemoryKind.DEVICE)).isInstanceOf(DeviceLostException.class);
        memory.close();
    }
}
