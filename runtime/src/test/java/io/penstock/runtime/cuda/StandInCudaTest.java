package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in's devices. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandInCudaTest extends CudaContract {
    @SuppressWarnings("NullAway.Init") // set before all tests
    private CudaBackend backend;

    @BeforeAll
    void load(@TempDir Path folder) throws IOException, InterruptedException {
        backend = StandIn.load(folder, 20_000);
    }

    @Override
    List<CudaDevice> devices() {
        return backend.cudaDevices();
    }

    @Override
    TestKernels kernels(CudaDevice device) {
        return new TestKernels(device, true);
    }

    @Override
    long longTime() {
        return 100_000_000;
    }

    /** It has room for 64 warps, 65,536 registers and 228 KiB that groups share, as an H200's multiprocessor. */
    @Test
    void groupsAreAsLargeAsLetsMostItemsRun() {
        CudaFunction few = function("copy");
        assertThat(few.goodGroupItems(128, 0)).isEqualTo(128);
        assertThat(few.goodGroupItems(256, 0)).isEqualTo(256);
        assertThat(few.goodGroupItems(128, 2 << 10)).isEqualTo(128);
        assertThat(few.goodGroupItems(128, 64 << 10)).isEqualTo(1024);
        // 184 registers leave room for 11 warps: two groups of 4, or five of 2.
        assertThat(function("spin").goodGroupItems(128, 0)).isEqualTo(64);
        assertThat(function("spin").goodGroupItems(64, 0)).isEqualTo(64);
    }

    private CudaFunction function(String name) {
        byte[] binary = "standin\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return (CudaFunction) devices().getFirst().code().load(binary).function(name);
    }

    @Test
    void copiesToAndFromADeviceOfAnotherDriver() {
        Device other = Device.all().stream()
                .filter(device -> device.name().startsWith("opencl"))
                .findFirst()
                .orElse(null);
        assumeTrue(other != null, "no OpenCL device");
        // More than a piece, in rows.
        int rows = 3000;
        int columns = 4000;
        Box part = Box.rows(40, columns - 80, rows, columns);
        try (Buffer here = Device.jvm().allocate(rows * (long) columns, MemoryKind.HOST);
                Buffer first = devices().getFirst().allocate(here.bytes(), MemoryKind.DEVICE);
                Buffer second = other.allocate(here.bytes(), MemoryKind.DEVICE);
                Buffer third = devices().getFirst().allocate(part.bytes(), MemoryKind.DEVICE);
                Buffer back = Device.jvm().allocate(part.bytes(), MemoryKind.HOST)) {
            for (int i = 0; i < here.bytes(); i++) here.segment().set(JAVA_BYTE, i, (byte) (i * 31 + i / 977));
            first.device().queue().copy(here, first);
            first.device().queue().copy(first, part, second, part);
            second.device().queue().copy(second, part, third, Box.rows(0, part.rowBytes(), rows, part.rowBytes()));
            third.device().queue().copy(third, back);
            MemorySegment got = back.segment();
            for (int row = 0; row < rows; row++)
                assertThat(got.asSlice(row * part.rowBytes(), part.rowBytes())
                                .mismatch(here.segment().asSlice(40 + (long) row * columns, part.rowBytes())))
                        .isEqualTo(-1);
        }
    }
}
