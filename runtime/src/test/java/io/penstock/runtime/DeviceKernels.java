package io.penstock.runtime;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A few kernels for tests of devices, written once for CUDA C++ and OpenCL C. Each runs on one item, unless it says otherwise. */
final class DeviceKernels {
    private static final String OPENCL = """
            #define KERNEL __kernel void
            #define FUNCTION inline
            #define GLOBAL __global
            #define ID ((long) get_global_id(0))
            #define FIRST_TO_SET(place) (atomic_cmpxchg(place, 0, 1) == 0)
            typedef ulong u64;
            """;
    private static final String CUDA = """
            #define KERNEL extern "C" __global__ void
            #define FUNCTION static __device__
            #define GLOBAL
            #define ID ((long) blockIdx.x * blockDim.x + threadIdx.x)
            #define FIRST_TO_SET(place) (atomicCAS(place, 0, 1) == 0)
            typedef unsigned long long u64;
            """;
    private static final String KERNELS = """
            FUNCTION unsigned int spin(long spins, unsigned int value) {
                u64 x = value;
                for (long i = 0; i < spins; i++) x = x * 6364136223846793005ul + 1442695040888963407ul;
                return spins > 0 && x == 0 ? 0 : value;
            }

            /* Reads rows of one array and mixes what it saw into rows of another. */
            KERNEL mix_bytes(GLOBAL signed char *from, long fromAt, long fromBytes, long fromRows, long fromStride,
                       GLOBAL signed char *to, long toAt, long toBytes, long toRows, long toStride, int number, long spins) {
                if (ID != 0) return;
                unsigned int seen = spin(spins, (unsigned int) number);
                for (long row = 0; row < fromRows; row++)
                    for (long i = 0; i < fromBytes; i++)
                        seen = 31 * seen + (unsigned int) (int) from[fromAt + row * fromStride + i];
                for (long row = 0; row < toRows; row++)
                    for (long i = 0; i < toBytes; i++) {
                        long at = toAt + row * toStride + i;
                        to[at] = (signed char) (5 * (unsigned int) (int) to[at] + seen);
                    }
            }

            /* Sets an int after a while. */
            KERNEL set_int(GLOBAL int *to, long at, int value, long spins) {
                if (ID == 0) to[at] = (int) spin(spins, (unsigned int) value);
            }

            /* Reads an int after a while, and gives it to another array. */
            KERNEL get_int(GLOBAL int *from, long fromAt, GLOBAL int *to, long toAt, long spins) {
                if (ID != 0) return;
                unsigned int zero = spin(spins, 1) - 1;
                to[toAt] = from[fromAt] + (int) zero;
            }

            /* Adds a number to each element, one an item. */
            KERNEL add_ints(GLOBAL int *to, long at, long count, int value) {
                long i = ID;
                if (i < count) to[at + i] += value;
            }

            /* Fails with a number when it finds one in the array, after a while. */
            KERNEL check_int(GLOBAL int *of, long at, GLOBAL int *failure, int launch, long spins) {
                if (ID != 0) return;
                int found = of[at] + (int) (spin(spins, 1) - 1);
                if (found != 0 && FIRST_TO_SET(failure)) {
                    failure[1] = launch;
                    failure[2] = found;
                }
            }
            """;

    private static final Map<CompilingDevice, DeviceKernels> KNOWN = new ConcurrentHashMap<>();

    private final DeviceProgram program;

    private DeviceKernels(CompilingDevice device) {
        DeviceCode code = device.code();
        String prelude = code.language() == DeviceCode.Language.CUDA ? CUDA : OPENCL;
        program = code.load(code.compile(prelude + KERNELS, List.of()));
    }

    /** The kernels compiled for a device, once in the process. */
    static DeviceKernels of(Device device) {
        return KNOWN.computeIfAbsent((CompilingDevice) device, DeviceKernels::new);
    }

    static DeviceArgument.Bytes of(long value) {
        return new DeviceArgument.Bytes(MemorySegment.ofArray(new long[] {value}));
    }

    static DeviceArgument.Bytes of(int value) {
        return new DeviceArgument.Bytes(MemorySegment.ofArray(new int[] {value}));
    }

    private static void add(List<DeviceArgument> arguments, Buffer buffer, Region region) {
        arguments.add(new DeviceArgument.Memory(buffer));
        arguments.add(of(buffer.offset() + region.offset()));
        arguments.add(of(region.rowBytes()));
        arguments.add(of(region.rows()));
        arguments.add(of(region.stride()));
    }

    private DeviceLaunch bind(String name, List<DeviceArgument> arguments, FailureReader failures) {
        return program.function(name).bind(new long[] {1, 1, 1}, new int[] {1, 1, 1}, 0, arguments, failures);
    }

    private static RuntimeException unexpected(MemorySegment record) {
        return new IllegalStateException("a kernel that never fails has failed: " + record);
    }

    DeviceLaunch mix(Buffer source, Region from, Buffer target, Region to, int number, long spins) {
        List<DeviceArgument> arguments = new ArrayList<>();
        add(arguments, source, from);
        add(arguments, target, to);
        arguments.add(of(number));
        arguments.add(of(spins));
        return bind("mix_bytes", arguments, DeviceKernels::unexpected);
    }

    DeviceLaunch set(Buffer to, long index, int value, long spins) {
        return bind(
                "set_int",
                List.of(new DeviceArgument.Memory(to), of(to.offset() / 4 + index), of(value), of(spins)),
                DeviceKernels::unexpected);
    }

    DeviceLaunch get(Buffer from, long index, Buffer to, long at, long spins) {
        return bind(
                "get_int",
                List.of(
                        new DeviceArgument.Memory(from),
                        of(from.offset() / 4 + index),
                        new DeviceArgument.Memory(to),
                        of(to.offset() / 4 + at),
                        of(spins)),
                DeviceKernels::unexpected);
    }

    DeviceLaunch add(Buffer to, long count, int value) {
        return program.function("add_ints")
                .bind(
                        new long[] {(count + 63) / 64, 1, 1},
                        new int[] {64, 1, 1},
                        0,
                        List.of(new DeviceArgument.Memory(to), of(to.offset() / 4), of(count), of(value)),
                        DeviceKernels::unexpected);
    }

    DeviceLaunch check(Buffer of, long index, long spins) {
        return bind(
                "check_int",
                List.of(
                        new DeviceArgument.Memory(of),
                        of(of.offset() / 4 + index),
                        new DeviceArgument.Failure(),
                        new DeviceArgument.LaunchNumber(),
                        of(spins)),
                record -> new ArithmeticException(
                        "found " + record.get(java.lang.foreign.ValueLayout.JAVA_INT, 2 * Integer.BYTES)));
    }

    DeviceFunction function(String name) {
        return program.function(name);
    }
}
