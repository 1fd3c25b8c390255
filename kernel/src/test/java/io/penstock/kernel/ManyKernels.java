package io.penstock.kernel;

import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Many kernels as one program of a device. */
final class ManyKernels {
    private final CompilingDevice device;
    private final Range range;
    private final List<KernelCode> codes = new ArrayList<>();
    private final List<Variant> variants = new ArrayList<>();
    private final List<KernelSource> sources = new ArrayList<>();
    private @Nullable DeviceProgram program;

    ManyKernels(CompilingDevice device, Range range) {
        this.device = device;
        this.range = range;
    }

    /** Adds a kernel that relies on what its launch proves, or on nothing. */
    void add(KernelCode code, Object[] values, boolean proved, boolean several) {
        Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
        Variant variant = proved ? LaunchVariant.of(code, reach, values, range, several) : Variant.checked(code);
        codes.add(code);
        variants.add(variant);
        sources.add(KernelSource.of(DeviceKernels.dialect(device.code()), code, variant));
    }

    void compile() {
        byte[] binary = device.code()
                .compile(
                        KernelSource.program(sources),
                        DeviceKernels.options(
                                device.code(), codes.stream().anyMatch(code -> code.uses(Operation.BARRIER))));
        program = device.code().load(binary);
    }

    /** Runs a kernel, which must not fail. */
    void run(int k, Object[] values) {
        DeviceKernels.Compiled compiled = new DeviceKernels.Compiled(
                sources.get(k),
                variants.get(k),
                Objects.requireNonNull(program).function(sources.get(k).entry()));
        OnDevice.run(
                device,
                there -> {
                    DeviceLaunch launch = DeviceLaunches.bind(
                            codes.get(k),
                            device.code(),
                            compiled,
                            range,
                            there,
                            record -> new IllegalStateException(codes.get(k).name() + " failed"));
                    device.queue().submit(Arguments.accesses(there, there), () -> launch.issue(device.queue()));
                },
                values);
    }
}
