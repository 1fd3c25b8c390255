package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The system's loader of shared libraries, which, other than Java's own, says why it cannot load one. */
public final class Loader {
    /** Resolve symbols when they are first used. */
    public static final int RTLD_LAZY = 1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle DLOPEN = bind("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle DLERROR = bind("dlerror", FunctionDescriptor.of(ADDRESS));

    private Loader() {}

    private static MethodHandle bind(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    /**
     * Loads a library and everything that it needs, for as long as the process lives.
     *
     * @param name its file name, searched for as the system does, or its path
     * @return what went wrong, in the loader's words; empty when the library is loaded
     */
    public static String dlopen(String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment) DLOPEN.invokeExact(arena.allocateFrom(name), flags);
            if (handle.address() != 0) return "";
            MemorySegment reason = (MemorySegment) DLERROR.invokeExact();
            return reason.address() == 0
                    ? name + " cannot be loaded"
                    : reason.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("a downcall to the loader failed", e);
        }
    }
}
