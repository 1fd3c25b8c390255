package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
import static io.penstock.foreign.CudaValues.CU_JIT_ERROR_LOG_BUFFER;
import static io.penstock.foreign.CudaValues.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceCompilationException;
import io.penstock.runtime.DeviceProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The compiler of a CUDA device, NVRTC, and the driver's loader. */
final class CudaCode implements DeviceCode {
    private static final int LOG_BYTES = 16 << 10;

    private final CudaDevice device;

    CudaCode(CudaDevice device) {
        this.device = device;
    }

    @Override
    public Language language() {
        return Language.CUDA;
    }

    @Override
    public String identity() {
        return device.backend().compiler().version() + " " + device.architecture();
    }

    @Override
    public int mostGroupItems() {
        return device.context().attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    }

    @Override
    public long mostGroupBytes() {
        return device.context().attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    }

    @Override
    public int processors() {
        return device.context().attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    }

    @Override
    public byte[] compile(String source, List<String> options) {
        List<String> all = new ArrayList<>(options);
        all.add("--gpu-architecture=" + device.architecture());
        return device.backend().compiler().compile(device.name(), source, all);
    }

    /** Loads a binary of {@link #compile}'s, or PTX that ends in zero. */
    @Override
    public DeviceProgram load(byte[] binary) {
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(binary.length + 8L, 8);
            MemorySegment.copy(binary, 0, image, JAVA_BYTE, 0, binary.length);
            MemorySegment log = arena.allocate(LOG_BYTES);
            MemorySegment options = arena.allocate(8, 4);
            options.set(JAVA_INT, 0, CU_JIT_ERROR_LOG_BUFFER);
            options.set(JAVA_INT, 4, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
            MemorySegment values = arena.allocate(16, 8);
            values.set(JAVA_LONG, 0, log.address());
            values.set(JAVA_LONG, 8, LOG_BYTES);
            int code = context.calls()
                    .moduleLoadDataEx(thread.answer(), image.address(), 2, options.address(), values.address());
            if (code != CUDA_SUCCESS) {
                RuntimeException cause = device.failure(code, "cuModuleLoadDataEx");
                if (!(cause instanceof CudaException)) throw cause;
                throw new DeviceCompilationException(
                        cause.getMessage() + (log.get(JAVA_BYTE, 0) == 0 ? "" : "\n" + log.getString(0)));
            }
            return new CudaProgram(device, thread.answered(0));
        }
    }
}
