package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A program that is built for a device; given back to the driver once it is unreachable. */
final class Program implements DeviceProgram {
    private final OpenClDevice device;
    private final Context context;
    private final DeviceFacts facts;
    private final long handle;
    private final Map<String, Function> functions = new ConcurrentHashMap<>();

    Program(OpenClDevice device, Context context, DeviceFacts facts, long handle) {
        this.device = device;
        this.context = context;
        this.facts = facts;
        this.handle = handle;
        OpenCl cl = context.cl();
        QueueHandles.CLEANER.register(this, () -> cl.releaseProgram(handle));
    }

    OpenClDevice device() {
        return device;
    }

    Context context() {
        return context;
    }

    DeviceFacts facts() {
        return facts;
    }

    @Override
    public DeviceFunction function(String name) {
        return functions.computeIfAbsent(name, n -> new Function(this, n));
    }

    /**
     * A kernel object of the driver's, to be released by the caller. Such an object holds arguments, so it is for one launch.
     *
     * @throws IllegalArgumentException when the program has no such entry
     */
    long newKernel(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(JAVA_INT);
            long kernel =
                    context.cl().createKernel(handle, arena.allocateFrom(name).address(), error.address());
            int code = error.get(JAVA_INT, 0);
            if (code == OpenCl.CL_INVALID_KERNEL_NAME)
                throw new IllegalArgumentException("function is '" + name + "'; the program has none of that name");
            OpenClException.check(code, "clCreateKernel of " + name);
            return kernel;
        } finally {
            Reference.reachabilityFence(this); // Its handle is released when it is collected.
        }
    }
}
