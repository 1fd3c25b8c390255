package io.penstock.runtime.cuda;

import io.penstock.foreign.Nvtx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's profiler, when it watches this process, as it tells by the variable {@code NVTX_INJECTION64_PATH}: it is told what each
 * call of the driver is part of.
 */
final class Profiler {
    private static final List<String> FILES = List.of("libnvtx3interop.so.1", "libnvToolsExt.so.1", "libnvToolsExt.so");
    private static final @Nullable Nvtx CALLS = find(System.getenv("NVTX_INJECTION64_PATH"));

    private Profiler() {}

    private static @Nullable Nvtx find(@Nullable String injection) {
        if (injection == null || injection.isEmpty()) return null;
        StringBuilder reasons = new StringBuilder();
        for (String file : FILES) {
            try {
                return Nvtx.load(file);
            } catch (IllegalArgumentException e) {
                reasons.append(' ').append(e.getMessage());
            }
        }
        System.getLogger("io.penstock.runtime.cuda")
                .log(System.Logger.Level.INFO, "a profiler watches, but there is no NVTX to talk to it by:" + reasons);
        return null;
    }

    /** Whether there is a profiler; a constant. */
    static boolean watches() {
        return CALLS != null;
    }

    /**
     * Begins a stretch of the calling thread's time.
     *
     * @param name the address of its name, a string that ends in zero
     */
    static void begin(long name) {
        if (CALLS != null) CALLS.rangePush(name);
    }

    /** Ends it. */
    static void end() {
        if (CALLS != null) CALLS.rangePop();
    }
}
