package io.penstock.bench.copy;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels in C, written by hand for each language of devices, compiled for each device once. */
final class BuiltIn {
    private static final int GROUP = 256;
    /** How many elements each item copies, at a distance of a group. */
    private static final int EACH = 4;

    private final Map<Device, DeviceProgram> programs = new ConcurrentHashMap<>();
    private final String language;

    BuiltIn(CompilingDevice device) {
        this.language = switch (device.code().language()) {
            case CUDA -> "CUDA C++";
            case OPENCL -> "OpenCL C";
        };
    }

    String language() {
        return language;
    }

    DeviceFunction function(Device device, String name) {
        return programs.computeIfAbsent(device, BuiltIn::compile).function(name);
    }

    private static DeviceProgram compile(Device device) {
        DeviceCode code = ((CompilingDevice) device).code();
        String file = code.language() == DeviceCode.Language.CUDA ? "kernels.cu" : "kernels.cl";
        try (InputStream in = Objects.requireNonNull(BuiltIn.class.getResourceAsStream(file), file + " is missing")) {
            return code.load(code.compile(new String(in.readAllBytes(), StandardCharsets.UTF_8), List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A launch over {@code n} elements. */
    static DeviceLaunch bind(DeviceFunction function, long n, List<DeviceArgument> arguments) {
        long groups = Math.max(1, (n + GROUP * EACH - 1) / (GROUP * EACH));
        return function.bind(new long[] {groups, 1, 1}, new int[] {GROUP, 1, 1}, 0, arguments, record -> {
            throw new IllegalStateException("a kernel that records no failures has recorded one");
        });
    }

    static DeviceArgument argument(long value) {
        return new DeviceArgument.Bytes(Arena.ofAuto().allocateFrom(JAVA_LONG, value));
    }

    static DeviceArgument argument(int value) {
        return new DeviceArgument.Bytes(Arena.ofAuto().allocateFrom(JAVA_INT, value));
    }
}
