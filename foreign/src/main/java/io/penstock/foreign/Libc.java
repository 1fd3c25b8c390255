package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The few calls of the C library that Java has no counterpart for: anonymous mappings and advice about their pages, file
 * descriptors and the native environment (POSIX systems), and raw heap blocks.
 *
 * <p>A function that this system's C library lacks throws {@link UnsupportedOperationException} when it is called.
 */
public final class Libc {
    private static final boolean LINUX = System.getProperty("os.name").startsWith("Linux");

    /** Pages may be read. */
    public static final int PROT_READ = 1;
    /** Pages may be written. */
    public static final int PROT_WRITE = 2;
    /** Changes are private to the process. */
    public static final int MAP_PRIVATE = 2;
    /** The mapping is backed by no file; Linux and the BSDs, macOS included, number this flag differently. */
    public static final int MAP_ANONYMOUS = LINUX ? 0x20 : 0x1000;
    /** Do not reserve swap space for the mapping. */
    public static final int MAP_NORESERVE = LINUX ? 0x4000 : 0x40;
    /** Back the range with huge pages where possible (Linux only). */
    public static final int MADV_HUGEPAGE = 14;
    /** What {@link #mmap} returns when it fails. */
    public static final long MAP_FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MMAP = bind(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private Libc() {}

    /** Bound when first used, since each new shape of call costs milliseconds. */
    private static final class Advice {
        private static final MethodHandle MADVISE =
                bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    }

    /** Bound when first used. */
    private static final class Descriptors {
        private static final MethodHandle DUP2 = bind("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }

    /** Bound when first used. */
    private static final class Environment {
        private static final MethodHandle SETENV =
                bind("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    }

    /** Bound when first used. */
    private static final class Signals {
        private static final MethodHandle SIGACTION =
                bind("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    /** Bound when first used. */
    private static final class Heap {
        private static final MethodHandle MALLOC = bind("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        private static final MethodHandle FREE = bind("free", FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    private static MethodHandle bind(String name, FunctionDescriptor type) {
        return LINKER.defaultLookup()
                .find(name)
                .map(symbol -> LINKER.downcallHandle(symbol, type))
                .orElseGet(() -> missing(name, type));
    }

    private static MethodHandle missing(String name, FunctionDescriptor type) {
        MethodType call = type.toMethodType();
        MethodHandle thrower = MethodHandles.throwException(call.returnType(), UnsupportedOperationException.class)
                .bindTo(new UnsupportedOperationException("this system's C library has no " + name));
        return MethodHandles.dropArguments(thrower, 0, call.parameterList());
    }

    /** Whether this is Linux, whose flags and advice go beyond what POSIX systems share. */
    public static boolean isLinux() {
        return LINUX;
    }

    /** Whether the C library maps memory. */
    public static boolean hasMmap() {
        return LINKER.defaultLookup().find("mmap").isPresent();
    }

    /**
     * A block of the C library's heap, of unspecified content.
     *
     * @return the address, or zero when there is too little memory
     */
    public static long malloc(long bytes) {
        try {
            return (long) Heap.MALLOC.invokeExact(bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Gives back a block of the C library's heap. */
    public static void free(long address) {
        try {
            Heap.FREE.invokeExact(address);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Maps memory into the process.
     *
     * @return the address, or {@link #MAP_FAILED}
     */
    public static long mmap(long address, long length, int protection, int flags, int file, long offset) {
        try {
            return (long) MMAP.invokeExact(address, length, protection, flags, file, offset);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Removes a mapping.
     *
     * @return zero, or -1 when it failed
     */
    public static int munmap(long address, long length) {
        try {
            return (int) MUNMAP.invokeExact(address, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Advises the kernel about the use of a range of pages.
     *
     * @return zero, or -1 when it failed
     */
    public static int madvise(long address, long length, int advice) {
        try {
            return (int) Advice.MADVISE.invokeExact(address, length, advice);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Makes file descriptor {@code copy} another name of what {@code file} names.
     *
     * @return {@code copy}, or -1 when it failed
     */
    public static int dup2(int file, int copy) {
        try {
            return (int) Descriptors.DUP2.invokeExact(file, copy);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Sets a variable in the environment that native code sees; {@link System#getenv} does not.
     *
     * @param overwrite zero to leave a variable alone that is already set
     * @return zero, or -1 when it failed
     */
    public static int setenv(String name, String value, int overwrite) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) Environment.SETENV.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), overwrite);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Sets and tells how a signal is handled.
     *
     * @param action the address of a {@code struct sigaction} to set, or zero
     * @param old the address where the present one is written, or zero
     * @return zero, or -1 when it failed
     */
    public static int sigaction(int signal, long action, long old) {
        try {
            return (int) Signals.SIGACTION.invokeExact(signal, action, old);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof UnsupportedOperationException missing) return missing;
        return new IllegalStateException("a downcall to the C library failed", e);
    }
}
