package io.penstock.kernel;

import io.penstock.kernel.c.SharedLayout;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** Launches of kernels on devices with compilers of their own: which code, how many threads, which arguments. */
final class DeviceLaunches {
    /** The most groups along the second and third dimension; more are done by loops. */
    static final long MOST_GROUPS = 65_535;

    private static final long MOST_GROUPS_X = Integer.MAX_VALUE;

    /** How many threads a group has where the kernel does not see groups, and how many of them lie along x. */
    private static final int THREADS = 256;

    private static final int THREADS_X = 64;

    /** The most threads of a group along z that CUDA takes. */
    private static final int MOST_THREADS_Z = 64;

    private DeviceLaunches() {}

    /**
     * A launch that is ready to be issued.
     *
     * @param values the launch's values
     * @throws IllegalArgumentException when the kernel is not in the kernel language, or the device cannot run it
     */
    static DeviceLaunch bind(Kernel kernel, Device on, Range range, Object[] values) {
        CompilingDevice device = requireCompiling(kernel, on);
        KernelCode code = code(kernel, device);
        Reach.Result reach = kernel.implementation().reach().reach(code, values, range);
        if (!reach.answers())
            throw new IllegalArgumentException(
                    "kernel " + kernel.name()
                            + " asks for an extent of a dimension that one of its arguments lacks; expected views of more dimensions");
        boolean several = device.code().language() == DeviceCode.Language.CUDA;
        Variant variant = LaunchVariant.of(code, reach, values, range, several);
        DeviceKernels.Compiled compiled =
                kernel.implementation().devices().of(device, code, kernel.isFast() ? variant.inFastMath() : variant);
        return bind(
                code,
                device.code(),
                compiled,
                range,
                values,
                new RecordedFailures(kernel, device, range, values, compiled.source()));
    }

    /** A launch of code that is compiled. */
    static DeviceLaunch bind(
            KernelCode code,
            DeviceCode device,
            DeviceKernels.Compiled compiled,
            Range range,
            Object[] values,
            FailureReader failures) {
        SharedLayout layout =
                SharedLayout.of(code, array -> Interpreter.localShape(array, new ViewSizes(values, range)));
        if (layout.bytes() > device.mostGroupBytes())
            throw new IllegalArgumentException("kernel " + code.name() + " shares " + layout.bytes()
                    + " bytes in a group; the device has " + device.mostGroupBytes() + " (" + device.identity() + ")");
        int[] threads = threads(code, range, compiled);
        try (Arena arena = Arena.ofConfined()) {
            return compiled.function()
                    .bind(
                            groups(code, range, threads, compiled.variant()),
                            threads,
                            layout.bytes(),
                            arguments(arena, code, compiled, values, range, layout, device),
                            failures);
        }
    }

    private static CompilingDevice requireCompiling(Kernel kernel, Device device) {
        if (device instanceof CompilingDevice compiling) return compiling;
        throw new IllegalArgumentException(
                "kernel " + kernel.name() + " cannot be compiled for device " + device.name());
    }

    private static KernelCode code(Kernel kernel, Device device) {
        Translation translation = kernel.implementation().translation();
        KernelCode code = translation.code();
        if (code != null) return code;
        RuntimeException refusal = translation.refusal();
        throw new IllegalArgumentException(
                "kernel " + kernel.name() + " cannot run on device " + device.name()
                        + (refusal == null ? "" : ": " + refusal.getMessage()),
                refusal);
    }

    private static int[] threads(KernelCode code, Range range, DeviceKernels.Compiled compiled) {
        if (code.seesGroups())
            return new int[] {
                range.group().x(), range.group().y(), range.group().z()
            };
        int most = Math.min(THREADS, compiled.function().mostGroupItems());
        int x = Math.min(range.dimensions() == 1 ? most : Math.min(most, THREADS_X), enough(range.x()));
        int y = Math.min(most / x, enough(range.y()));
        int z = Math.min(Math.min(most / x / y, MOST_THREADS_Z), enough(range.z()));
        return new int[] {x, y, z};
    }

    /** The least power of two that is not below a size, or a large one. */
    private static int enough(long size) {
        return size >= THREADS ? THREADS : Integer.highestOneBit(Math.max(1, 2 * (int) size - 1));
    }

    private static long[] groups(KernelCode code, Range range, int[] threads, Variant variant) {
        if (code.seesGroups())
            return new long[] {
                Math.min(range.groupsX(), MOST_GROUPS_X),
                Math.min(range.groupsY(), MOST_GROUPS),
                Math.min(range.groupsZ(), MOST_GROUPS)
            };
        return new long[] {
            Math.min(Math.ceilDiv(range.x(), (long) threads[0] * variant.itemsPerThread()), MOST_GROUPS_X),
            Math.min(Math.ceilDiv(range.y(), (long) threads[1]), MOST_GROUPS),
            Math.min(Math.ceilDiv(range.z(), (long) threads[2]), MOST_GROUPS)
        };
    }

    /** The arguments in the order of the entry's parameters; see {@link io.penstock.kernel.c.KernelSource}. */
    private static List<DeviceArgument> arguments(
            Arena arena,
            KernelCode code,
            DeviceKernels.Compiled compiled,
            Object[] values,
            Range range,
            SharedLayout layout,
            DeviceCode device) {
        List<DeviceArgument> all = new ArrayList<>();
        all.add(new DeviceArgument.Bytes(ArgumentBytes.sizes(arena, range)));
        all.add(new DeviceArgument.Failure());
        all.add(new DeviceArgument.LaunchNumber());
        if (compiled.source().takesLayout())
            all.add(new DeviceArgument.Bytes(ArgumentBytes.layout(arena, layout.offsets())));
        if (compiled.source().sharesMemory() && device.language() == DeviceCode.Language.OPENCL)
            all.add(new DeviceArgument.Shared());
        int next = 0;
        for (Parameter parameter : code.parameters()) {
            Object value = values[parameter.index()];
            if (value instanceof ElementView view) {
                boolean narrow = compiled.variant().views().get(next++).narrow();
                all.add(new DeviceArgument.Memory(view.buffer()));
                all.add(new DeviceArgument.Bytes(ArgumentBytes.shape(arena, view, narrow)));
            } else {
                all.add(new DeviceArgument.Bytes(ArgumentBytes.scalar(arena, Interpreter.scalar(value))));
            }
        }
        return all;
    }
}
