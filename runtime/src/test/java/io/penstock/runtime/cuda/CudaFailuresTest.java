package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Access;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceCompilationException;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceLostException;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Ticket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Devices that fail, drivers that lie, and none at all; on stand-ins. */
@Timeout(60)
class CudaFailuresTest {
    @TempDir
    private Path folder;

    @Test
    void aDeviceThatHasFailedNamesItsSuspectsAndRefusesWork() throws IOException, InterruptedException {
        CudaBackend backend = StandIn.load(folder, 1);
        CudaDevice device = backend.cudaDevices().getFirst();
        CudaDevice healthy = backend.cudaDevices().getLast();
        TestKernels kernels = new TestKernels(device, true);
        CudaQueue queue = device.newQueue();
        Buffer memory = device.allocate(64, MemoryKind.DEVICE);
        DeviceLaunch fill = kernels.bind("fill", memory, 16, 1);
        DeviceLaunch illegal = kernels.bind("illegal");
        queue.submit(List.of(Access.write(memory)), () -> fill.issue(queue)).await();
        Ticket ticket = queue.submit(List.of(Access.write(memory)), () -> illegal.issue(queue));
        assertThatThrownBy(ticket::await)
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS")
                .hasMessageContaining("kernel illegal (work 2)")
                .hasMessageNotContaining("kernel fill");
        assertThatThrownBy(() -> queue.submit(List.of(Access.write(memory)), () -> fill.issue(queue)))
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("kernel illegal");
        assertThatThrownBy(() -> device.allocate(64, MemoryKind.DEVICE))
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("kernel illegal");
        assertThatThrownBy(device::newQueue).isInstanceOf(DeviceLostException.class);
        memory.close();
        try (Buffer there = healthy.allocate(64, MemoryKind.PINNED)) {
            healthy.queue().fill(there, Box.contiguous(0, 64), 5, 0, 4).await();
            assertThat(there.segment().get(JAVA_INT, 60)).isEqualTo(5);
        }
    }

    @Test
    void peersAreReachedWhereTheirBytesArrive() throws IOException, InterruptedException {
        CudaBackend backend = StandIn.load(folder, 1);
        CudaDevice one = backend.cudaDevices().getFirst();
        CudaDevice other = backend.cudaDevices().getLast();
        assertThat(one.reaches(other)).isTrue();
        assertThat(other.description()).contains("reaches cuda:0");
    }

    @Test
    void copiesToPeersThatOnlySeemToBeReachedAreStaged() throws IOException, InterruptedException {
        arrivesAllTheSame(StandIn.load(folder, 1, "STANDIN_BROKEN_PEERS"));
    }

    @Test
    void copiesToDevicesOutOfReachAreStaged() throws IOException, InterruptedException {
        arrivesAllTheSame(StandIn.load(folder, 1, "STANDIN_NO_PEERS"));
    }

    private static void arrivesAllTheSame(CudaBackend backend) {
        CudaDevice one = backend.cudaDevices().getFirst();
        CudaDevice other = backend.cudaDevices().getLast();
        assertThat(one.reaches(other)).isFalse();
        try (Buffer here = one.allocate(9 << 20, MemoryKind.DEVICE);
                Buffer there = other.allocate(9 << 20, MemoryKind.DEVICE);
                Buffer back = other.allocate(9 << 20, MemoryKind.PINNED)) {
            one.queue().fill(here, Box.contiguous(0, here.bytes()), 77, 0, 4);
            one.queue().copy(here, there);
            other.queue().copy(there, back);
            assertThat(back.segment().get(JAVA_INT, back.bytes() - 4)).isEqualTo(77);
        }
    }

    @Test
    void whereThereIsNoDriverItIsSaidWhy() {
        assertThat(new CudaBackend("libno-such-driver.so.1", null).absence())
                .hasValueSatisfying(why -> assertThat(why).contains("libno-such-driver.so.1"));
        assertThat(new CudaBackend("libm.so.6", null).absence())
                .hasValueSatisfying(why -> assertThat(why).contains("is no CUDA driver"));
        assertThat(new CudaBackend("none", null).absence()).hasValue("-Dpenstock.cuda=none");
        assertThat(new CudaBackend("none", null).devices()).isEmpty();
    }

    @Test
    void whatIsNoBinaryIsRefused() throws IOException, InterruptedException {
        CudaDevice device = StandIn.load(folder, 1).cudaDevices().getFirst();
        assertThatThrownBy(() -> device.code().load("nonsense".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(DeviceCompilationException.class)
                .hasMessageContaining("cuModuleLoadDataEx");
    }
}
