package io.penstock.kernel;

import io.penstock.runtime.Access;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceFunction;
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

    private DeviceLaunches() {}

    /**
     * A launch that is ready to be issued.
     *
     * @param accesses what it touches
     */
    record Bound(DeviceLaunch launch, List<Access> accesses) {}

    /**
     * A launch that is ready to be issued.
     *
     * @param values the launch's values
     * @throws IllegalArgumentException when the kernel is not in the kernel language, or the device cannot run it
     */
    static Bound bind(Kernel kernel, Device on, Range range, Object[] values) {
        CompilingDevice device = requireCompiling(kernel, on);
        ReadyLaunches.Ready ready = kernel.implementation()
                .devices()
                .launches(device, kernel.isFast())
                .of(range, values);
        LaunchPlan plan = ready.plan();
        return new Bound(
                bind(
                        plan,
                        device.code(),
                        ready.function(),
                        ready.threads(),
                        ready.range(),
                        values,
                        new RecordedFailures(kernel, device, ready.range(), values, plan.places())),
                LaunchReach.accesses(plan.touched(), plan.mayFail(), values));
    }

    /** A launch of code that is compiled. */
    static DeviceLaunch bind(
            LaunchPlan plan,
            DeviceCode device,
            DeviceFunction function,
            GroupThreads threads,
            Range range,
            Object[] values,
            FailureReader failures) {
        long shared = plan.shared().bytes();
        if (shared > device.mostGroupBytes())
            throw new IllegalArgumentException("kernel " + plan.kernel() + " shares " + shared
                    + " bytes in a group; the device has " + device.mostGroupBytes() + " (" + device.identity() + ")");
        try (Arena arena = Arena.ofConfined()) {
            return function.bind(
                    groups(plan, range, threads),
                    new int[] {threads.x(), threads.y(), threads.z()},
                    shared,
                    arguments(arena, plan, values, range, device),
                    failures);
        }
    }

    private static CompilingDevice requireCompiling(Kernel kernel, Device device) {
        if (device instanceof CompilingDevice compiling) return compiling;
        throw new IllegalArgumentException(
                "kernel " + kernel.name() + " cannot be compiled for device " + device.name());
    }

    private static long[] groups(LaunchPlan plan, Range range, GroupThreads threads) {
        if (plan.seesGroups())
            return new long[] {
                Math.min(range.groupsX(), MOST_GROUPS_X),
                Math.min(range.groupsY(), MOST_GROUPS),
                Math.min(range.groupsZ(), MOST_GROUPS)
            };
        return new long[] {
            Math.min(Math.ceilDiv(range.x(), (long) threads.x() * plan.itemsPerThread()), MOST_GROUPS_X),
            Math.min(Math.ceilDiv(range.y(), (long) threads.y()), MOST_GROUPS),
            Math.min(Math.ceilDiv(range.z(), (long) threads.z()), MOST_GROUPS)
        };
    }

    /** The arguments in the order of the entry's parameters; see {@link io.penstock.kernel.c.KernelSource}. */
    private static List<DeviceArgument> arguments(
            Arena arena, LaunchPlan plan, Object[] values, Range range, DeviceCode device) {
        List<DeviceArgument> all = new ArrayList<>();
        all.add(new DeviceArgument.Bytes(ArgumentBytes.sizes(arena, range)));
        all.add(new DeviceArgument.Failure());
        all.add(new DeviceArgument.LaunchNumber());
        if (plan.takesLayout())
            all.add(new DeviceArgument.Bytes(
                    ArgumentBytes.layout(arena, plan.shared().offsets())));
        if (plan.sharesMemory() && device.language() == DeviceCode.Language.OPENCL)
            all.add(new DeviceArgument.Shared());
        for (int k = 0; k < values.length; k++) {
            if (values[k] instanceof ElementView view) {
                all.add(new DeviceArgument.Memory(view.buffer()));
                all.add(new DeviceArgument.Bytes(
                        ArgumentBytes.shape(arena, view, plan.narrow().get(k))));
            } else {
                all.add(new DeviceArgument.Bytes(ArgumentBytes.scalar(arena, Interpreter.scalar(values[k]))));
            }
        }
        return all;
    }
}
