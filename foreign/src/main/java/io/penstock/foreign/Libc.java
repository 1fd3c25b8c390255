package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The few calls of the C library that Java has no counterpart for: anonymous mappings, advice about their pages, file descriptors
 * and the native environment. */
public final class Libc {
    /** Pages may be read. */
    public static final int PROT_READ = 1;
    /** Pages may be written. */
    public static final int PROT_WRITE = 2;
    /** Changes are private to the process. */
    public static final int MAP_PRIVATE = 2;
    /** The mapping is backed by no file (Linux). */
    public static final int MAP_ANONYMOUS = 0x20;
    /** Do not reserve swap space for the mapping (Linux). */
    public static final int MAP_NORESERVE = 0x4000;
    /** Back the range with huge pages where possible (Linux). */
    public static final int MADV_HUGEPAGE = 14;
    /** What {@link #mmap} returns when it fails. */
    public static final long MAP_FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MMAP = bind(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private static final MethodHandle DUP2 = bind("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private static final MethodHandle SETENV =
            bind("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

    private Libc() {}

    private static MethodHandle bind(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
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
            return (int) MADVISE.invokeExact(address, length, advice);
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
            return (int) DUP2.invokeExact(file, copy);
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
            return (int) SETENV.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), overwrite);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException("a downcall to the C library failed", e);
    }
}
