package io.penstock.kernel;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceCompilationException;
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
     * @param program the name by which the disk has the program
     * @param programSum the program's {@link Checksum}
     */
    record Compiled(KernelSource source, Variant variant, String program, long programSum, DeviceFunction function) {}

    private record Key(String device, Variant variant) {}

    private final Implementation implementation;
    private final ProgramCache disk;
    private final ConcurrentHashMap<Key, Compiled> known = new ConcurrentHashMap<>();
    /** By device and program. */
    private final ConcurrentHashMap<String, DeviceFunction> loaded = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<DeviceFunction, Integer> good = new ConcurrentHashMap<>();

    /** By device, and whether in fast mathematics. */
    private final ConcurrentHashMap<String, ReadyLaunches> launches = new ConcurrentHashMap<>();

    DeviceKernels(Implementation implementation) {
        this(implementation, CACHE);
    }

    DeviceKernels(Implementation implementation, ProgramCache disk) {
        this.implementation = implementation;
        this.disk = disk;
    }

    /** What launches on a device are made ready by. */
    ReadyLaunches launches(CompilingDevice device, boolean fast) {
        String key = fast ? device.name().concat(" fast") : device.name();
        ReadyLaunches found = launches.get(key);
        if (found != null) return found;
        ReadyLaunches made = new ReadyLaunches(this, implementation, device, fast, disk);
        ReadyLaunches before = launches.putIfAbsent(key, made);
        return before != null ? before : made;
    }

    /** Whether a device is PoCL's, which compiles for the machine's own cores. */
    static boolean isPocl(DeviceCode device) {
        return device.language() == DeviceCode.Language.OPENCL
                && device.identity().contains(POCL);
    }

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
                barriers && isPocl(device) ? POCL_BARRIER_OPTIONS : fast ? OPENCL_FAST_OPTIONS : OPENCL_OPTIONS;
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
        return Objects.requireNonNull(known.computeIfAbsent(key, missing -> compile(device, code, missing.variant())));
    }

    private Compiled compile(CompilingDevice device, KernelCode code, Variant variant) {
        KernelSource source = KernelSource.of(dialect(device.code()), code, variant);
        List<String> options = options(device.code(), code.uses(Operation.BARRIER), variant.fast());
        ProgramCache.Program program = disk.compiled(device.code(), source.text(), options);
        DeviceFunction function;
        try {
            function = function(device, program.name(), program.binary(), source.entry());
        } catch (DeviceCompilationException e) {
            if (!program.kept()) throw e;
            program = disk.compiledAnew(device.code(), source.text(), options);
            function = function(device, program.name(), program.binary(), source.entry());
        }
        return new Compiled(source, variant, program.name(), Checksum.of(program.binary()), function);
    }

    /** The entry of a program, which is loaded unless it was before. */
    DeviceFunction function(CompilingDevice device, String program, byte[] binary, String entry) {
        String key = device.name().concat(" ").concat(program);
        DeviceFunction found = loaded.get(key);
        if (found != null) return found;
        DeviceFunction made = device.code().load(binary).function(entry);
        DeviceFunction before = loaded.putIfAbsent(key, made);
        return before != null ? before : made;
    }

    /** How many items its groups should have where nobody says; the driver is asked once for each function. */
    int goodGroupItems(DeviceFunction function) {
        Integer known = good.get(function);
        if (known != null) return known;
        int found = function.goodGroupItems(GroupThreads.USUAL, 0);
        good.put(function, found);
        return found;
    }
}
