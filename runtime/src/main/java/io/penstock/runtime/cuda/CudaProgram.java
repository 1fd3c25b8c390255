package io.penstock.runtime.cuda;

import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceProgram;
import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/** A program that is loaded on a CUDA device, until it is unreachable. */
final class CudaProgram implements DeviceProgram {
    private static final Cleaner CLEANER = Cleaner.create();

    private final CudaDevice device;
    private final long module;

    CudaProgram(CudaDevice device, long module) {
        this.device = device;
        this.module = module;
        CudaContext context = device.context();
        CLEANER.register(this, () -> {
            context.enter();
            context.calls().moduleUnload(module);
        });
    }

    CudaDevice device() {
        return device;
    }

    @Override
    public DeviceFunction function(String name) {
        CallingThread thread = device.context().enter();
        try (Arena arena = Arena.ofConfined()) {
            int code = device.context()
                    .calls()
                    .moduleGetFunction(
                            thread.answer(), module, arena.allocateFrom(name).address());
            if (code != 0) {
                RuntimeException cause = device.failure(code, "cuModuleGetFunction");
                if (!(cause instanceof CudaException)) throw cause;
                throw new IllegalArgumentException("the program has no entry " + name, cause);
            }
            return new CudaFunction(this, name, thread.answered(0));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
