package io.penstock.runtime.cuda;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceProgram;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The kernels that tests run: those that the stand-in has built in, in CUDA C for GPUs. All numbers are passed as 64 bits. */
final class TestKernels {
    private static final String SOURCE = """
            typedef unsigned long long u64;
            #define EACH(i, n) for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
            extern "C" __global__ void fill(int *p, u64 n, u64 v) { EACH(i, n) p[i] = (int)v; }
            extern "C" __global__ void copy(char *to, const char *from, u64 n) { EACH(i, n) to[i] = from[i]; }
            extern "C" __global__ void add(int *z, const int *x, const int *y, u64 n) { EACH(i, n) z[i] = x[i] + y[i]; }
            extern "C" __global__ void step(unsigned *z, const unsigned *x, u64 n, u64 v) { EACH(i, n) z[i] = z[i] * 31 + x[i] + (unsigned)v; }
            extern "C" __global__ void spin(u64 nanos) {
              u64 now, end;
              asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
              end += nanos;
              do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now < end);
            }
            extern "C" __global__ void nothing() {}
            extern "C" __global__ void fail(int *record, int number, u64 detail) {
              if (threadIdx.x == 0 && atomicCAS(record, 0, 1) == 0) { record[1] = number; record[2] = (int)detail; }
            }
            extern "C" __global__ void illegal() { *(volatile int *)8 = 1; }
            """;

    private final DeviceProgram program;

    TestKernels(CudaDevice device, boolean standIn) {
        byte[] binary = standIn
                ? "standin".getBytes(StandardCharsets.US_ASCII)
                : device.code().compile(SOURCE, List.of());
        this.program = device.code().load(binary);
    }

    /** A launch of one group; arguments are buffers, of which the address is passed, and numbers. */
    DeviceLaunch bind(String name, Object... arguments) {
        return bind(record -> new IllegalStateException("no kernel but fail fails"), name, arguments);
    }

    DeviceLaunch bind(FailureReader failures, String name, Object... arguments) {
        List<DeviceArgument> all = new ArrayList<>();
        for (Object argument : arguments)
            all.add(
                    switch (argument) {
                        case Buffer buffer -> bytes(buffer.address());
                        case Number number -> bytes(number.longValue());
                        case DeviceArgument known -> known;
                        default -> throw new IllegalArgumentException(argument.toString());
                    });
        return program.function(name).bind(new long[] {1, 1, 1}, new int[] {128, 1, 1}, 0, all, failures);
    }

    DeviceProgram program() {
        return program;
    }

    private static DeviceArgument bytes(long value) {
        MemorySegment bytes = Arena.ofAuto().allocate(8, 8);
        bytes.set(ValueLayout.JAVA_LONG, 0, value);
        return new DeviceArgument.Bytes(bytes);
    }
}
