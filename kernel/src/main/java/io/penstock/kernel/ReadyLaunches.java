package io.penstock.kernel;

import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceCompilationException;
import io.penstock.runtime.DeviceFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What launches of one kernel on one device are made ready by: what the last ones used, then what the disk keeps, which spares
 * translating the kernel, and then the compiler.
 */
final class ReadyLaunches {
    /** How many launches that differ in sizes or integers are remembered. */
    private static final int MOST_RECENT = 8;

    /**
     * Code for launches of one shape, and how many threads their groups have.
     *
     * @param key what launches that use it are known by
     * @param range the range as it is cut into groups
     */
    record Ready(LaunchKey key, Range range, LaunchPlan plan, DeviceFunction function, GroupThreads threads) {
        private Ready known(LaunchKey by) {
            return new Ready(by, range, plan, function, threads);
        }
    }

    private final DeviceKernels kernels;
    private final Implementation implementation;
    private final CompilingDevice device;
    private final boolean fast;
    private final ProgramCache disk;
    private final LaunchCache cache;
    /** The newest first; replaced, never changed. */
    private volatile List<Ready> recent = List.of();

    ReadyLaunches(
            DeviceKernels kernels,
            Implementation implementation,
            CompilingDevice device,
            boolean fast,
            ProgramCache disk) {
        this.kernels = kernels;
        this.implementation = implementation;
        this.device = device;
        this.fast = fast;
        this.disk = disk;
        this.cache = new LaunchCache(disk, implementation, device.code(), LaunchVariant.options(fast));
    }

    /**
     * The code for a launch.
     *
     * @throws IllegalArgumentException when the kernel is not in the kernel language
     */
    Ready of(Range range, Object[] values) {
        LaunchKey key = LaunchKey.of(range, values);
        List<Ready> before = recent;
        for (int k = 0; k < before.size(); k++) {
            Ready one = before.get(k);
            if (one.key().equals(key) && one.plan().fits(values)) return one;
        }
        Ready found = kept(key, range, values);
        if (found == null) found = compiled(key, range, values);
        if (found.plan().seesGroups() && !range.group().chosen()) {
            // Few kernels on few devices cannot have as many items as groups have everywhere where nobody says.
            GroupShape smaller = range.group().withAtMost(found.function().mostGroupItems());
            if (!smaller.equals(range.group()))
                found = of(range.in(smaller), values).known(key);
        }
        remember(found);
        return found;
    }

    private synchronized void remember(Ready launch) {
        List<Ready> now = new ArrayList<>();
        now.add(launch);
        now.addAll(recent.subList(0, Math.min(recent.size(), MOST_RECENT - 1)));
        recent = List.copyOf(now);
    }

    /** The code as the disk has it; null when it has none that can be used. */
    private @Nullable Ready kept(LaunchKey key, Range range, Object[] values) {
        for (LaunchFile.Kept one : cache.find(key)) {
            Ready ready = ready(one, range, values);
            if (ready != null) return ready;
        }
        return null;
    }

    private @Nullable Ready ready(LaunchFile.Kept one, Range range, Object[] values) {
        try {
            LaunchPlan plan = one.plan();
            if (!plan.fits(values)) return null;
            byte[] binary = disk.program(one.program());
            if (binary == null || !one.isProgram(binary)) return null;
            DeviceFunction function = kernels.function(device, one.program(), binary, plan.entry());
            cache.use(one.key());
            return ready(one.key(), plan, function, range);
        } catch (IOException | DeviceCompilationException e) {
            return null; // As good as not kept: it is compiled, and replaced.
        }
    }

    private Ready compiled(LaunchKey key, Range range, Object[] values) {
        KernelCode code = code();
        Reach.Result reach = implementation.reach().reach(code, values, range);
        if (!reach.answers())
            throw new IllegalArgumentException(
                    "kernel " + implementation.name()
                            + " asks for an extent of a dimension that one of its arguments lacks; expected views of more dimensions");
        boolean several = device.code().language() == DeviceCode.Language.CUDA;
        Variant variant = LaunchVariant.of(code, reach, values, range, several);
        DeviceKernels.Compiled compiled = kernels.of(device, code, fast ? variant.inFastMath() : variant);
        LaunchPlan plan = LaunchPlan.of(code, compiled.source(), compiled.variant(), reach, values, range);
        if (!disk.isOff() && isByKey(plan, values))
            cache.keep(
                    implementation.translation().classes(),
                    new LaunchFile.Kept(key, compiled.program(), compiled.programSum(), PlanBytes.write(plan)));
        return ready(key, plan, compiled.function(), range);
    }

    private Ready ready(LaunchKey key, LaunchPlan plan, DeviceFunction function, Range range) {
        int good = plan.seesGroups() ? 0 : kernels.goodGroupItems(function);
        return new Ready(key, range, plan, function, GroupThreads.of(plan, range, device.code(), good));
    }

    /** Whether launches of one key have one plan. Arrays that a group shares may be as large as a floating-point number says. */
    private static boolean isByKey(LaunchPlan plan, Object[] values) {
        if (!plan.takesLayout()) return true;
        for (Object value : values) if (LaunchKey.isFloating(value)) return false;
        return true;
    }

    private KernelCode code() {
        Translation translation = implementation.translation();
        KernelCode code = translation.code();
        if (code != null) return code;
        RuntimeException refusal = translation.refusal();
        throw new IllegalArgumentException(
                "kernel " + implementation.name() + " cannot run on device " + device.name()
                        + (refusal == null ? "" : ": " + refusal.getMessage()),
                refusal);
    }
}
