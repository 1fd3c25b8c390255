package io.penstock.kernel;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceFunction;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** One kernel's code on devices, compiled on first use for each device and for what launches prove. */
final class DeviceKernels {
    /** How many variants a device gets before all further launches share the one that relies on nothing. */
    private static final int MOST_VARIANTS = 12;

    private static final ProgramCache CACHE = ProgramCache.standard();
    private static final List<String> CUDA_OPTIONS = List.of("--std=c++17", "--fmad=false");
    private static final List<String> CUDA_FAST_OPTIONS =
            List.of("--std=c++17", "--fmad=true", "--prec-div=false", "--prec-sqrt=false", "--ftz=true");
    private static final List<String> OPENCL_FAST_OPTIONS =
            List.of("-cl-std=CL1.2", "-cl-mad-enable", "-cl-denorms-are-zero");
    private static final List<String> OPENCL_OPTIONS =
            List.of("-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt");
    private static final List<String> POCL_BARRIER_OPTIONS =
            List.of("-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable");
    private static final String POCL = "Portable Computing Language";

    /**
     * A kernel's code on a device.
     *
     * @param source the text that it was compiled from
     */
    record Compiled(KernelSource source, Variant variant, DeviceFunction function) {}

    private record Key(String device, Variant variant) {}

    private final ConcurrentHashMap<Key, Compiled> known = new ConcurrentHashMap<>();

    static Dialect dialect(DeviceCode device) {
        return switch (device.language()) {
            case CUDA -> Dialect.CUDA;
            case OPENCL -> Dialect.OPENCL;
        };
    }

    /**
     * The options for a program.
     *
     * @param barriers whether it has barriers: PoCL 3.1 cuts kernels at them, and ends the process when its optimizer has led a
     *     branch into the middle of a piece
     * @param fast whether it is in fast mathematics
     */
    static List<String> options(DeviceCode device, boolean barriers, boolean fast) {
        return switch (device.language()) {
            case CUDA -> fast ? CUDA_FAST_OPTIONS : CUDA_OPTIONS;
            case OPENCL ->
                barriers && device.identity().contains(POCL)
                        ? POCL_BARRIER_OPTIONS
                        : fast ? OPENCL_FAST_OPTIONS : OPENCL_OPTIONS;
        };
    }

    /** The code for a launch of which a variant is known. */
    Compiled of(CompilingDevice device, KernelCode code, Variant variant) {
        Key key = new Key(device.name(), variant);
        Compiled found = known.get(key);
        if (found != null) return found;
        boolean many = known.keySet().stream()
                        .filter(other -> other.device().equals(device.name()))
                        .count()
                >= MOST_VARIANTS;
        if (many) {
            Variant checked = Variant.checked(code);
            key = new Key(device.name(), variant.fast() ? checked.inFastMath() : checked);
        }
        return Objects.requireNonNull(
                known.computeIfAbsent(key, missing -> compile(device.code(), code, missing.variant())));
    }

    private static Compiled compile(DeviceCode device, KernelCode code, Variant variant) {
        KernelSource source = KernelSource.of(dialect(device), code, variant);
        byte[] binary =
                CACHE.compiled(device, source.text(), options(device, code.uses(Operation.BARRIER), variant.fast()));
        return new Compiled(source, variant, device.load(binary).function(source.entry()));
    }
}
