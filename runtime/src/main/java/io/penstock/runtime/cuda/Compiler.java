package io.penstock.runtime.cuda;

import static io.penstock.foreign.Nvrtc.NVRTC_ERROR_COMPILATION;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Nvrtc;
import io.penstock.runtime.DeviceCompilationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NVRTC, found when first needed: by the system property {@code penstock.nvrtc}, where the system looks for libraries, or in the
 * toolkit's folder.
 */
final class Compiler {
    /** Names its file. */
    static final String PROPERTY = "penstock.nvrtc";

    private static final List<String> NAMES = List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");

    private final Nvrtc calls;
    private final String version;

    private Compiler(Nvrtc calls) {
        this.calls = calls;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(8, 4);
            calls.version(numbers.address(), numbers.address() + 4);
            this.version = "NVRTC " + numbers.get(JAVA_INT, 0) + "." + numbers.get(JAVA_INT, 4);
        }
    }

    /**
     * Looks for the compiler.
     *
     * @param file its file; null to look where it usually is
     * @throws DeviceCompilationException when there is none, saying where it was looked for
     */
    static Compiler find(@Nullable String file) {
        List<String> reasons = new ArrayList<>();
        for (String candidate : file != null ? List.of(file) : candidates()) {
            try {
                return new Compiler(Nvrtc.load(candidate));
            } catch (IllegalArgumentException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        throw new DeviceCompilationException(
                "NVRTC, which compiles kernels for CUDA, was not found; install the CUDA toolkit or name its file by -D"
                        + PROPERTY + ": " + String.join("; ", reasons));
    }

    private static List<String> candidates() {
        List<String> files = new ArrayList<>(NAMES);
        String home = System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda");
        for (String name : NAMES) files.add(home + "/lib64/" + name);
        return files;
    }

    /** Which compiler this is, such as {@code NVRTC 13.0}. */
    String version() {
        return version;
    }

    /**
     * Compiles CUDA C++ to a binary.
     *
     * @param device for whom, for the exception
     * @param options as NVRTC takes them, the architecture among them
     * @throws DeviceCompilationException with the compiler's remarks
     */
    byte[] compile(String device, String source, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            check(
                    calls.createProgram(
                            handle.address(),
                            arena.allocateFrom(source).address(),
                            arena.allocateFrom("kernel.cu").address(),
                            0,
                            0,
                            0),
                    "nvrtcCreateProgram");
            try {
                return compile(device, handle.get(JAVA_LONG, 0), options, arena);
            } finally {
                calls.destroyProgram(handle.address());
            }
        }
    }

    private byte[] compile(String device, long program, List<String> options, Arena arena) {
        MemorySegment texts = arena.allocate(ADDRESS, Math.max(1, options.size()));
        for (int k = 0; k < options.size(); k++) texts.setAtIndex(ADDRESS, k, arena.allocateFrom(options.get(k)));
        int code = calls.compileProgram(program, options.size(), texts.address());
        if (code == NVRTC_ERROR_COMPILATION)
            throw new DeviceCompilationException(version + ", for " + device + ":\n" + log(program, arena));
        check(code, "nvrtcCompileProgram with " + options);
        MemorySegment size = arena.allocate(JAVA_LONG);
        check(calls.getCUBINSize(program, size.address()), "nvrtcGetCUBINSize");
        MemorySegment binary = arena.allocate(size.get(JAVA_LONG, 0));
        check(calls.getCUBIN(program, binary.address()), "nvrtcGetCUBIN");
        return binary.toArray(JAVA_BYTE);
    }

    private String log(long program, Arena arena) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        check(calls.getProgramLogSize(program, size.address()), "nvrtcGetProgramLogSize");
        MemorySegment text = arena.allocate(Math.max(1, size.get(JAVA_LONG, 0)));
        check(calls.getProgramLog(program, text.address()), "nvrtcGetProgramLog");
        return text.getString(0);
    }

    private void check(int code, String call) {
        if (code != 0) throw new DeviceCompilationException(version + ": " + call + " failed with error " + code);
    }
}
